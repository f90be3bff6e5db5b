import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { findBrowser } from '../../service/src/pages/browser/findBrowser.ts';
import { TaskFiles } from '../../service/src/tasks/taskFiles.ts';
import { startService as startHere } from '../support/inProcess/startService';
import { sample } from '../support/length';
import { cloudClient } from '../support/service/cloudClient';
import { startService } from '../support/service/startService';
import { startSite } from '../support/service/startSite';
import { stopwatch } from '../support/service/stopwatch';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';
import { failedStart } from './failedStart';

let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-settings-'));
});

afterEach(() => rm(folder, { recursive: true }));

test('what refuses to start says why on standard error, and nothing else', async () => {
	expect(await failedStart(folder, { SERVICE_BROWSER: '/bin/true' })).toEqual({
		exitCode: 1,
		said: expect.stringMatching(
			/^SERVICE_BROWSER is "\/bin\/true", which is not a .+\n$/,
		) as string,
	});
});

test('looks for a browser whatever stands in the PATH', async () => {
	const path = `${'x'.repeat(5_000)}:/nowhere:/etc/passwd`;
	expect((await findBrowser(undefined, path)) ?? '').not.toMatch(/nowhere|passwd/);
});

test.each(['/nowhere', '/etc/passwd', '/tmp', '/bin/true'])(
	'refuses to start with %s as its browser',
	async (path) => {
		await expect(findBrowser(path, '')).rejects.toThrow(
			new RegExp(
				`^SERVICE_BROWSER is "${path}", which is not a Chromium or Chrome.*apt-get install -y chromium`,
			),
		);
	},
);

test('says that its port is in use', async () => {
	const other = createServer().listen(0, '127.0.0.1');
	await once(other, 'listening');
	const address = other.address();
	const port = typeof address === 'object' ? String(address?.port) : '';
	expect(await failedStart(folder, { SERVICE_PORT: port })).toEqual({
		exitCode: 1,
		said: `Port ${port} of 127.0.0.1 is in use. Stop the program that uses it, or set SERVICE_PORT to another port.\n`,
	});
	other.close();
});

test('says that another service has its database', async () => {
	const service = await startHere();
	const data = join(service.folder, 'service.db');
	await expect(startHere({ env: { SERVICE_DATA: data } })).rejects.toThrow(
		new Error(
			`The database ${data} is in use by another service. Stop that one, or set SERVICE_DATA to another file.`,
		),
	);
	await service.stop();
});

test.each([
	['below a file', 'file/service.db', 'unable to open database file', 'a file that can be written'],
	['that is none', 'file', 'file is not a database', 'another file, or remove this one'],
])('names a database %s, the setting, and what to do', async (_what, name, reason, advice) => {
	await writeFile(join(folder, 'file'), 'no database'.repeat(100));
	const data = join(folder, name);
	await expect(startHere({ env: { SERVICE_DATA: data } })).rejects.toThrow(
		new RegExp(`^The database ${data} cannot be used: ${reason}\\. Set SERVICE_DATA to ${advice}`),
	);
});

test.each([
	['whose folder cannot be made', '/proc/nowhere/service.db'],
	['whose folder cannot be written', '/proc/service.db'],
])('names a database %s, the setting, and what to do', async (_what, data) => {
	await expect(startHere({ env: { SERVICE_DATA: data } })).rejects.toThrow(
		/^The database \/proc\S+ cannot be used: .+\. Set SERVICE_DATA to .+\.$/,
	);
});

test('names a folder of tasks that cannot be read, the setting, and what to do', async () => {
	// What root cannot read either: a file in the place of the folder.
	const file = join(folder, 'file');
	await writeFile(file, '');
	await expect(TaskFiles.open(file)).rejects.toThrow(
		new Error(
			`The folder of tasks "${file}" cannot be read: ENOTDIR: not a directory, scandir '${file}'. Name one that can be read: SERVICE_TASKS, or what the command was given.`,
		),
	);
});

test('logs at SERVICE_LOG_LEVEL', async () => {
	const service = await startHere({ env: { SERVICE_LOG_LEVEL: 'debug' } });
	const client = cloudClient(service);
	const { batch } = await client.run('44444444-4444-4444-8444-444444444444');
	await service.stop();
	expect(service.log).toContainEqual(
		expect.objectContaining({ level: 20, batchID: batch.batchID, msg: 'reading rows' }),
	);
});

test('accepts each of several API keys and never logs one', async () => {
	const service = await startHere({ env: { SERVICE_API_KEYS: 'first-key, second-key' } });
	const codes = [];
	for (const apiKey of ['first-key', 'second-key', 'first-key, second-key', '']) {
		const client = cloudClient({ ...service, apiKey });
		const query = { page: 1, size: 1, orderBy: 0, taskID: '11111111-1111-4111-8111-111111111111' };
		codes.push((await client.call('/cloud/batches', { query })).code);
	}
	expect(codes).toEqual([0, 0, 9000003, 9000003]);
	expect(JSON.stringify(service.log)).not.toMatch(/first-key|second-key/);
	await service.stop();
});

test.each(sample(['SIGINT', 'SIGTERM'] as const))(
	'ends on %s while agents wait for a page that never comes, and goes on at the next start',
	async (signal) => {
		let hanging = true;
		const site = await startSite(async ({ url }) => {
			if (url.pathname === '/2' && hanging) await new Promise(() => {});
			return `<p>${url.pathname}</p>`;
		});
		const urls = ['1', '2', '3'].map((name) => `${site.baseUrl}/${name}`);
		const tasks = {
			pages: task('pages', [
				loop({ loopType: 'list', listType: 'urlList', urls }, [
					step('navigate', { useLoopItem: true }),
					extract({ Path: 'p' }),
				]),
			]),
		};
		const service = await startService({ tasks });
		const client = cloudClient(service);
		const batch = await client.start(uuidOf('pages'));
		await client.waitFor(batch, ({ lineCount }) => lineCount === 1);
		service.process.kill(signal);
		await once(service.process, 'exit');
		expect(service.process.exitCode).toBe(0);

		hanging = false;
		const again = await startHere({ folder: service.folder });
		const ended = await cloudClient(again).waitFor(batch, ({ endTime }) => endTime > 0);
		expect(ended).toMatchObject({ status: 3, lineCount: 3, duplicatedCount: 0 });
		expect(await cloudClient(again).rowsOf(ended)).toEqual([
			{ Path: '/1' },
			{ Path: '/2' },
			{ Path: '/3' },
		]);
		await again.stop();
		await site.stop();
	},
);

const headers = [
	'POST /cloud/stop HTTP/1.1',
	'Host: localhost',
	'Authorization: Bearer test-key',
	'x-cp-request-id: 7b2f2f5e-4a3c-4b0e-9a57-0d4f5f1d7c11',
	'Content-Type: application/json',
	'Content-Length: 14',
	'\r\n',
].join('\r\n');

test('ends while clients have sent nothing, half a header, or half a body', async () => {
	const service = await startService();
	const parts = ['', headers.slice(0, 100), `${headers}{"task`];
	const clients = await Promise.all(parts.map((sent) => connectTo(service.baseUrl, sent)));
	const took = stopwatch();
	await service.stop();
	expect(took()).toBeLessThan(5_000);
	for (const client of clients) client.destroy();
});

test('answers requests whose header, or body, comes to its end while the service closes', async () => {
	const request = `${headers}{"taskID":"x"}`;
	const service = await startService();
	const begun = [headers.length - 2, headers.length + 5].map(async (length) => {
		const client = await connectTo(service.baseUrl, request.slice(0, length));
		return { client, said: text(client), rest: request.slice(length) };
	});
	const clients = await Promise.all(begun);
	service.process.kill('SIGTERM');
	await service.logged({ msg: 'shutting down' });
	await sleep(300);
	for (const { client, rest } of clients) client.write(rest);
	for (const { said } of clients) {
		expect(await said).toMatch(/^HTTP\/1\.1 404 .*"code":9000004/s);
	}
	await once(service.process, 'exit');
	expect(service.process.exitCode).toBe(0);
	await rm(service.folder, { recursive: true });
});

/** A connection to a service that has got these bytes. */
async function connectTo(baseUrl: string, sent: string) {
	const { hostname, port } = new URL(baseUrl);
	const client = connect(Number(port), hostname);
	client.on('error', () => undefined);
	await once(client, 'connect');
	client.write(sent);
	// Until the service has surely read them.
	await sleep(100);
	return client;
}
