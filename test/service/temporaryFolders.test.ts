import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brokenBrowser, testWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { runCommand } from '../support/service/runCommand';
import { projectNode, startService } from '../support/service/startService';

testWithBrowser(
	'what Chromium leaves when the service is killed goes at a later start',
	async () => {
		const temporary = await mkdtemp(join(tmpdir(), 'tmp-'));
		const env = { TMPDIR: temporary };
		const killed = await startService({ env });
		await cloudClient(killed).run('77777777-7777-4777-8777-777777777777');
		// Of code, for instance, nothing: in a folder for all, others could put theirs in its place.
		const names = async () => (await readdir(temporary)).sort();
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

testWithBrowser('Chromium is told nothing of the environment that it has no need of', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'environment-'));
	const { executable, mend } = await brokenBrowser(folder);
	await mend();
	const env = { SERVICE_BROWSER: executable, PASSWORD_OF_OTHERS: 'secret', LC_ALL: 'C' };
	const proxies = { HTTPS_PROXY: 'http://user:p/a@ss@127.0.0.1:9', ftp_proxy: 'http://a:b@c' };
	const own = {
		...env,
		...proxies,
		no_proxy: 'localhost,127.0.0.1',
		all_proxy: 'user:pass@127.0.0.1:9',
	};
	const service = await startService({ env: own });
	await cloudClient(service).run('77777777-7777-4777-8777-777777777777');
	await service.stop();
	const told = (await readFile(join(folder, 'environment'), 'utf8')).split('\n');
	const names = told.map((line) => line.split('=')[0] ?? '');
	expect(names).toEqual(expect.arrayContaining(['PATH', 'TMPDIR', 'LC_ALL']));
	expect(names.filter((name) => /SERVICE|PASSWORD/.test(name))).toEqual([]);
	expect(told.filter((line) => /_proxy=/i.test(line)).toSorted()).toEqual([
		'HTTPS_PROXY=http://127.0.0.1:9',
		'all_proxy=127.0.0.1:9',
		'no_proxy=localhost,127.0.0.1',
	]);
	await rm(folder, { recursive: true });
});

testWithBrowser(
	'where there is no folder for temporary files, a start says what to do',
	async () => {
		const folder = await mkdtemp(join(tmpdir(), 'data-'));
		const data = join(folder, 'service.db');
		const env = { TMPDIR: '/not-there', SERVICE_PORT: '0', SERVICE_DATA: data };
		const { exitCode, error } = await runCommand([], env).ended;
		await rm(folder, { recursive: true });
		expect(exitCode).toBe(1);
		expect(error).toContain('The folder for temporary files, /not-there, cannot be read');
		expect(error).toContain('set TMPDIR to one that is there');
	},
);
