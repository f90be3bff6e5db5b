import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..', '..');

describe('Debian packages', () => {
	let folder: string;
	const calls = () => join(folder, 'calls');

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'cloud-scraping-debian-'));
		writeFileSync(calls(), '');
		program('sudo', 'shift; exec "$@"');
	});

	afterEach(() => rmSync(folder, { recursive: true }));

	function program(name: string, script: string): void {
		writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
	}

	/** Runs the installation with this apt-get, and returns what it was asked for. */
	function asked(aptGet: string): string[] {
		program('apt-get', `shift 2; echo "$1" >> '${calls()}'; ${aptGet}`);
		const module = JSON.stringify(join(root, 'scripts', 'debian.mjs'));
		const install = `const { installDebianPackages } = await import(${module});
			await installDebianPackages(['ffmpeg']);`;
		execFileSync(process.execPath, ['--input-type=module', '--eval', install], {
			env: { ...process.env, PATH: `${folder}:${process.env.PATH ?? ''}` },
		});
		return readFileSync(calls(), 'utf8').trimEnd().split('\n');
	}

	it('are installed while another apt-get fetches the lists', () => {
		expect(asked('test "$1" != update')).toEqual(['install']);
	});

	it('are installed from new lists where the old ones lack them', () => {
		const lacking = `test "$1" = update || grep -q update '${calls()}'`;
		expect(asked(lacking)).toEqual(['install', 'update', 'install']);
	});
});
