import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const scripts = join(__dirname, '../../../../scripts');

test('npm run service says what to do first where nothing is set up, on any Node.js', () => {
	const clone = mkdtempSync(join(tmpdir(), 'clone-'));
	for (const file of ['service.mjs', 'folders.mjs']) {
		cpSync(join(scripts, file), join(clone, 'scripts', file));
	}
	const { status, stderr } = spawnSync(process.execPath, [join(clone, 'scripts/service.mjs')], {
		encoding: 'utf8',
	});
	rmSync(clone, { recursive: true });
	expect(stderr).toBe('Run npm run setup first, then npm run service.\n');
	expect(status).toBe(1);
});
