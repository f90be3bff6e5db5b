import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { text } from 'node:stream/consumers';
import { startService as startHere } from '../support/inProcess/startService';
import { cloudClient } from '../support/service/cloudClient';
import { migrations } from '../../service/src/store/sqlite/migrations.ts';
import { openSqlite } from '../../service/src/store/sqlite/openSqlite.ts';
import { spawnService, startService } from '../support/service/startService';
import { startSite } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

let folder: string;
let data: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-versions-'));
	data = join(folder, 'service.db');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs SQL in the database while no service has it. */
function inDatabase(sql: string): void {
	const database = new DatabaseSync(data);
	database.exec(sql);
	database.close();
}

const rowOf = (id: string, taskID: string, rest: string) =>
	`(${id}, '${taskID}', 'us', 1, 1, ${rest}, 'x', '[]')`;

const columns =
	'(id, task_id, region, node_count, job_count, status, create_time, update_time, line_count, request_id, fields)';

/** The tables as they were before the database had a version. */
function makeOldDatabase(sql: string): void {
	inDatabase(`${migrations[0]?.sql}; ${sql}`);
}

test('a database without a version is taken over: its batches stay, and new ones come before them', async () => {
	const site = await startSite(() => '<p>x</p>');
	const idle = task('idle', [step('navigate', { url: site.baseUrl }), extract({ Text: 'p' })]);
	const old = ['911783313163404113', '911783319606463368'];
	makeOldDatabase(
		`INSERT INTO batches ${columns} VALUES
			${rowOf(old[0] ?? '', idle.taskID, '3, 1, 1, 7')}, ${rowOf(old[1] ?? '', idle.taskID, '3, 2, 2, 0')}`,
	);
	const listed = async (env: Record<string, string>) => {
		const service = await startHere({ folder, tasks: { idle }, env });
		await cloudClient(service).run(idle.taskID);
		const { list } = await cloudClient(service).batches(idle.taskID);
		await service.end();
		return list.map(({ batchID }) => batchID);
	};
	const [small, ...others] = await listed({});
	expect(others).toEqual([...old].reverse());
	expect(Number.isSafeInteger(Number(small))).toBe(true);

	const [large, ...all] = await listed({ SERVICE_LARGE_IDS: 'true' });
	expect(all).toEqual([small, ...others]);
	expect(BigInt(large ?? 0)).toBeGreaterThan(BigInt(old[1] ?? 0));

	const [last, ...before] = await listed({});
	expect(before).toEqual([large, ...all]);
	expect(Number(last)).toBeGreaterThan(Number(small));
	await site.stop();
});

test('a database of a newer version is refused, and left as it is', async () => {
	inDatabase('PRAGMA user_version = 1000');
	for (let start = 0; start < 2; start += 1) {
		const service = spawnService({ SERVICE_PORT: '0', SERVICE_DATA: data });
		service.stdout.resume();
		const ended = once(service, 'exit');
		const said = await text(service.stderr);
		await ended;
		expect(service.exitCode).toBe(1);
		expect(said).toMatch(
			/^The database .+ is of a newer version of the service: it has version 1000, this service knows \d+\. Start the newer one, or set SERVICE_DATA to another file\.\n$/,
		);
	}
});

test('a batch whose task is refused by this version ends with a reason; the others go on', async () => {
	let isHanging = true;
	const site = await startSite(async () => {
		if (isHanging) await new Promise(() => {});
		return '<p>x</p>';
	});
	const tasks = Object.fromEntries(
		['refused', 'unreadable', 'good'].map((name) => [
			name,
			task(name, [step('navigate', { url: site.baseUrl }), extract({ Text: 'p' })]),
		]),
	);
	const first = await startService({ folder, tasks });
	const batches = [];
	for (const name of Object.keys(tasks)) batches.push(await cloudClient(first).start(uuidOf(name)));
	const [refused, unreadable, good] = batches;
	await first.kill();
	inDatabase(
		`UPDATE started_tasks SET task = json_set(task, '$.page', 'gopher') WHERE batch_id = ${refused?.batchID};
		UPDATE started_tasks SET task = '{' WHERE batch_id = ${unreadable?.batchID}`,
	);

	isHanging = false;
	const again = await startService({ folder });
	const client = cloudClient(again);
	if (!refused || !unreadable || !good) throw new Error('A batch was not started.');
	const ended = await client.waitFor(good, ({ status }) => status >= 3);
	expect(ended).toMatchObject({ status: 3, lineCount: 1 });
	for (const batch of [refused, unreadable]) {
		const { list } = await client.batches(batch.taskID);
		expect(list).toMatchObject([{ status: 4 }]);
		expect(list[0]?.endTime).toBeGreaterThan(0);
	}
	const reason =
		'This version of the service refuses the task as it was started: /page must be "http" or "browser", but is "gopher"';
	expect(again.log).toContainEqual(
		expect.objectContaining({ level: 50, batchID: refused.batchID, database: data, reason }),
	);
	await again.kill();
	const store = openSqlite(data, { log: pino({ level: 'silent' }) });
	expect((await store.batches.get(BigInt(refused.batchID))).endReason).toBe(reason);
	await store.close();
	await site.stop();
});

test('identifiers are numbers that plain JSON.parse reads exactly', async () => {
	const site = await startSite(() => '<p>x</p>');
	const pages = loop({ loopType: 'list', listType: 'urlList', urls: [site.baseUrl] }, [
		step('navigate', { useLoopItem: true }),
		extract({ Text: 'p' }),
	]);
	const service = await startHere({ folder, tasks: { pages: task('pages', [pages]) } });
	const headers = {
		authorization: `Bearer ${service.apiKey}`,
		'x-cp-request-id': '7b2f2f5e-4a3c-4b0e-9a57-0d4f5f1d7c11',
	};
	const { batch } = await cloudClient(service).run(uuidOf('pages'));
	const list = await fetch(
		`${service.baseUrl}/cloud/batches?page=1&size=10&orderBy=0&taskID=${batch.taskID}`,
		{ headers },
	);
	const { data: listed } = (await list.json()) as { data: { list: { batchID: number }[] } };
	const rows = await fetch(
		`${service.baseUrl}/cloud/data?page=1&size=10&preview=false&batchID=${listed.list[0]?.batchID}`,
		{ headers },
	);
	expect(await rows.json()).toMatchObject({ code: 0, data: { pagination: { total: 1 } } });
	await service.end();
	await site.stop();
});
