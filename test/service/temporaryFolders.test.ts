import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { projectNode, startService } from '../support/service/startService';

testWithBrowser(
	'what Chromium leaves when the service is killed goes at a later start',
	async () => {
		const temporary = await mkdtemp(join(tmpdir(), 'tmp-'));
		const env = { TMPDIR: temporary };
		const killed = await startService({ env });
		await cloudClient(killed).run('77777777-7777-4777-8777-777777777777');
		/** What stands there, but for what Node.js keeps there itself. */
		const names = async () =>
			(await readdir(temporary)).filter((name) => name !== 'node-compile-cache').sort();
		const [left = '', ...others] = await names();
		expect(left).toMatch(new RegExp(`^cs-[0-9a-f]{6}-${killed.process.pid}-`));
		expect(others).toEqual([]);
		expect(await readdir(join(temporary, left))).toContain('profile');
		await killed.kill();
		expect(await names()).toEqual([left]);

		// Neither what belongs to a process that lives, nor what others have made.
		const living = spawn(projectNode, ['-e', 'setInterval(() => {}, 1000)']);
		const machine = left.split('-')[1] ?? '';
		const kept = [`cs-${machine}-${living.pid}-aBcDeF`, 'cs-000000-1-aBcDeF', 'cs-mine'];
		for (const name of kept) await mkdir(join(temporary, name));
		const later = await startService({ folder: killed.folder, env });
		expect(await names()).toEqual(kept.sort());
		await later.stop();
		const end = once(living, 'exit');
		living.kill();
		await end;
		await rm(temporary, { recursive: true });
	},
);
