import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { keptApiKey } from '../../service/src/store/sqlite/keptApiKey.ts';
import { startService as startHere } from '../support/inProcess/startService';
import { cloudClient } from '../support/service/cloudClient';
import { spawnService } from '../support/service/startService';
import { failedStart } from './failedStart';

// The API key that the service makes up where it is given none.

let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-kept-key-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Starts a service without a key of its own, asks it with one, and resolves to what it has said first. */
async function startedWithoutKey(data: string, keyIn: (said: string) => string) {
	const service = spawnService({ SERVICE_PORT: '0', SERVICE_DATA: data });
	const ended = once(service, 'exit');
	const lines: string[] = [];
	const listening = Promise.withResolvers<string>();
	createInterface({ input: service.stdout }).on('line', (line) => {
		lines.push(line);
		const [, address] = /"address":"([^"]+)".*"msg":"listening"/.exec(line) ?? [];
		if (address !== undefined) listening.resolve(address);
	});
	const [, said = ''] = String((await once(service.stderr, 'data'))[0]).split('\n');
	const client = cloudClient({ baseUrl: await listening.promise, apiKey: keyIn(said) });
	const query = { page: 1, size: 1, orderBy: 0, taskID: '11111111-1111-4111-8111-111111111111' };
	const { code } = await client.call('/cloud/batches', { query });
	service.kill('SIGTERM');
	await ended;
	return { said, code, log: lines.join('\n') };
}

test('makes up an API key when there is none, says it once, outside of the log, and keeps a hash of it', async () => {
	const data = join(folder, 'service.db');
	const keyIn = (said: string) => said.split(' ')[2] ?? '';
	const first = await startedWithoutKey(data, keyIn);
	const key = keyIn(first.said);
	expect(key).toMatch(/^[\w-]{32}$/);
	expect(first.said).toBe(
		`API key: ${key} (made up, and shown this once: ${data}.api-key recognises it)`,
	);
	expect(first.code).toBe(0);
	expect(first.log).not.toContain(key);
	expect(await readFile(`${data}.api-key`, 'utf8')).not.toContain(key);
	const second = await startedWithoutKey(data, () => key);
	expect(second.said).toBe(
		'API key: the one that was shown at the first start. Where it is lost, make another one on the Keys page of the console.',
	);
	expect(second.code).toBe(0);
});

test('a start that cannot listen makes no API key: the next one shows it', async () => {
	const data = join(folder, 'service.db');
	const other = createServer().listen(0, '127.0.0.1');
	await once(other, 'listening');
	const address = other.address();
	const port = typeof address === 'object' ? String(address?.port) : '';
	const wrongSettings: Record<string, string>[] = [
		{ SERVICE_PORT: port },
		{ SERVICE_HOST: '192.0.2.1' },
	];
	for (const wrong of wrongSettings) {
		const failed = await failedStart(folder, {
			SERVICE_API_KEYS: '',
			SERVICE_DATA: data,
			...wrong,
		});
		expect(failed.exitCode).toBe(1);
	}
	other.close();
	const { said } = await startedWithoutKey(data, (text) => text.split(' ')[2] ?? '');
	expect(said).toContain('made up, and shown this once');
});

test('an API key that an earlier version has kept counts still, and is kept as a hash from then on', async () => {
	const data = join(folder, 'service.db');
	const apiKey = 'a-key-of-an-earlier-version';
	await writeFile(`${data}.api-key`, `${apiKey}\n`);
	for (let start = 0; start < 2; start += 1) {
		const service = await startHere({ env: { SERVICE_API_KEYS: '', SERVICE_DATA: data } });
		await cloudClient({ ...service, apiKey }).batches('11111111-1111-4111-8111-111111111111');
		await service.stop();
		expect(await readFile(`${data}.api-key`, 'utf8')).not.toContain(apiKey);
		// What is not known is not said.
		expect(keptApiKey(data)).not.toHaveProperty('key');
	}
});

test.each(['link', 'pipe'])(
	'an API key that is kept in a %s is refused, and nothing is written there',
	async (kind) => {
		const data = join(folder, 'service.db');
		const other = join(folder, 'other');
		await writeFile(other, 'of another program');
		if (kind === 'link') await symlink(other, `${data}.api-key`);
		else execFileSync('mkfifo', [`${data}.api-key`]);
		const failed = await failedStart(folder, { SERVICE_API_KEYS: '', SERVICE_DATA: data });
		expect(failed.exitCode).toBe(1);
		expect(failed.said).toContain(
			`The API key in ${data}.api-key cannot be used: it is a link, a folder or another thing that is no file.`,
		);
		expect(await readFile(other, 'utf8')).toBe('of another program');
	},
);

test('lets nobody but the owner read the database and the API key, not even older files', async () => {
	const data = join(folder, 'service.db');
	for (const file of [data, `${data}-wal`]) await writeFile(file, '', { mode: 0o644 });
	const service = await startHere({ env: { SERVICE_API_KEYS: '', SERVICE_DATA: data } });
	const modes: Record<string, string> = {};
	for (const file of await readdir(folder)) {
		modes[file] = ((await stat(join(folder, file))).mode & 0o777).toString(8);
	}
	await service.stop();
	expect(modes).toEqual({
		'service.db': '600',
		'service.db-wal': '600',
		'service.db.api-key': '600',
		'service.db.reserve': '600',
	});
});
