import { copyFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { DatabaseFile, watchDatabase } from '../../service/src/store/sqlite/databaseFile.ts';
import { startService, type RunningService } from '../support/inProcess/startService';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// The file of the database is removed, or another one put in its place, while the service runs.

let site: Site;
let service: RunningService;
let client: CloudClient;

beforeEach(async () => {
	site = await startSite(() => '<p>text</p>');
	const read = [step('navigate', { url: site.baseUrl }), extract({ Text: 'p' })];
	const tasks = {
		once: task('once', read),
		always: task('always', [loop({ loopType: 'count', times: 100_000 }, read)]),
	};
	service = await startService({ tasks });
	client = cloudClient(service);
});
afterEach(async () => {
	vi.useRealTimers();
	await service.stop();
	await site.stop();
});

const data = () => join(service.folder, 'service.db');

const start = (name: string) =>
	client.call('/cloud/start', { body: { taskID: uuidOf(name), nodeCount: 1, jobCount: 1 } });

const lost = (path = data()) =>
	`The database ${path} was removed or replaced while the service runs: what is stored now is lost when it ends. Restart the service, then start the task again.`;

async function remove(): Promise<void> {
	const files = await readdir(service.folder);
	for (const file of files.filter((name) => name.startsWith('service.db'))) {
		await rm(join(service.folder, file), { force: true });
	}
}

async function replace(): Promise<void> {
	await copyFile(data(), `${data()}.copy`);
	await rename(`${data()}.copy`, data());
}

test.each([
	['removed', remove],
	['replaced', replace],
])('%s: what runs ends with the reason, no task starts; reading goes on', async (_how, change) => {
	const batch = await client.start(uuidOf('always'));
	await client.waitFor(batch, ({ lineCount }) => lineCount > 0);
	await change();
	await service.logged({ msg: 'batch cannot go on, stopped', reason: lost() });
	const ended = await client.waitFor(batch, ({ endTime }) => endTime > 0);
	expect(ended.status).toBe(4);
	expect(await client.rowsOf(ended)).toHaveLength(ended.lineCount);
	const refused = { httpStatus: 500, code: 9000002, msg: lost(), data: null };
	expect(await start('once')).toEqual(refused);
});

test('after a restart, the service begins with an empty one', async () => {
	await client.run(uuidOf('once'));
	await remove();
	await service.end();
	service = await startService({ folder: service.folder });
	client = cloudClient(service);
	expect((await client.batches(uuidOf('once'))).list).toEqual([]);
	expect((await client.run(uuidOf('once'))).rows).toEqual([{ Text: 'text' }]);
});

test('moved away and back: tasks start again', async () => {
	await rename(data(), `${data()}.away`);
	expect(await start('once')).toMatchObject({ msg: lost() });
	await rename(`${data()}.away`, data());
	expect((await client.run(uuidOf('once'))).rows).toEqual([{ Text: 'text' }]);
});

test('the log says so within seconds, once, also while nothing runs', async () => {
	const path = join(service.folder, 'watched.db');
	await writeFile(path, 'first');
	vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
	const said: unknown[] = [];
	const log = pino(
		{},
		{
			write(line: string) {
				const { msg, reason } = JSON.parse(line) as Record<string, unknown>;
				said.push({ msg, reason });
			},
		},
	);
	const end = watchDatabase(new DatabaseFile(path), log);
	vi.advanceTimersByTime(5_000);
	expect(said).toEqual([]);
	await rename(path, `${path}.away`);
	vi.advanceTimersByTime(60_000);
	const removed = { msg: 'no task starts', reason: lost(path) };
	expect(said).toEqual([removed]);
	await writeFile(path, 'second');
	vi.advanceTimersByTime(5_000);
	expect(said).toEqual([removed]);
	await rename(`${path}.away`, path);
	vi.advanceTimersByTime(60_000);
	expect(said).toEqual([removed, { msg: 'database is back', reason: undefined }]);
	end();
	await rm(path);
	vi.advanceTimersByTime(60_000);
	expect(said).toHaveLength(2);
});
