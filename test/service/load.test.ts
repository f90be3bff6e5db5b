import { setTimeout as sleep } from 'node:timers/promises';
import { browserMissing } from '../../service/src/pages/browser/findBrowser.ts';
import { cloudClient, type Batch, type CloudClient } from '../support/service/cloudClient';
import { length } from '../support/length';
import { startService, type RunningService } from '../support/service/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';
import { measurable, memoryOf } from './memory';

const taskCount = length({ full: 50, short: 10 });
const readerCount = length({ full: 200, short: 40 });
const agents = 20;
const urlsPerTask = 20;
const rowsPerPage = 5;

let site: Site;
let service: RunningService;
let client: CloudClient;
const load = { now: 0, most: 0 };
/** Resolves once all agents are at work at the same time: until then, no page answers. */
const allAtWork = Promise.withResolvers<void>();

const nameOf = (index: number) => `task ${index}`;
const pathOf = (index: number, url: number) => `/${index}/${url}`;

beforeAll(async () => {
	site = await startSite(async ({ url: { pathname } }) => {
		load.now += 1;
		load.most = Math.max(load.most, load.now);
		if (load.now === agents) allAtWork.resolve();
		await allAtWork.promise;
		await sleep(5);
		load.now -= 1;
		return Array.from({ length: rowsPerPage }, (_, row) => `<p>${pathname} ${row}</p>`).join('');
	});
	const tasks: Record<string, unknown> = {};
	for (let index = 0; index < taskCount; index += 1) {
		const urls = Array.from(
			{ length: urlsPerTask },
			(_, url) => `${site.baseUrl}${pathOf(index, url)}`,
		);
		const eachPage = loop({ loopType: 'list', listType: 'urlList', urls }, [
			step('navigate', { useLoopItem: true }),
			extract({ Text: {} }, 'p'),
		]);
		tasks[index] = task(nameOf(index), [eachPage], { requestsPerHost: 4 });
	}
	service = await startService({
		tasks,
		env: { SERVICE_AGENTS: String(agents), ...measurable },
	});
	client = cloudClient(service);
});

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

/** Reads a batch page by page while it runs, each page until it is full or the batch has ended. */
async function readWhileRunning(batch: Batch, size: number): Promise<string[]> {
	const rows: string[] = [];
	for (;;) {
		const { list: listed } = await client.batches(batch.taskID, { size: 10 });
		const ended = listed.find(({ batchID }) => batchID === batch.batchID)?.status === 3;
		const page = Math.floor(rows.length / size) + 1;
		const { list, pagination } = await client.data(batch.batchID, { page, size });
		// What was there before is still there.
		const known = rows.splice((page - 1) * size);
		expect(list.slice(0, known.length)).toEqual(known);
		rows.push(...list);
		if (ended && rows.length === pagination.total) return rows;
		if (list.length < size) await sleep(500);
	}
}

async function round(): Promise<void> {
	const batches = await Promise.all(
		Array.from({ length: taskCount }, (_, index) =>
			client.start(uuidOf(nameOf(index)), { jobCount: 5, nodeCount: 4 }),
		),
	);
	const readers = Array.from({ length: readerCount }, async (_, reader) => {
		const index = reader % taskCount;
		const batch = batches[index];
		if (!batch) throw new Error('There is a batch for every task.');
		const rows = await readWhileRunning(batch, 7 + reader);
		const expected = Array.from({ length: urlsPerTask * rowsPerPage }, (_row, row) =>
			JSON.stringify({
				[batch.fields[0]?.id ?? '']:
					`${pathOf(index, Math.floor(row / rowsPerPage))} ${row % rowsPerPage}`,
			}),
		);
		expect(rows).toEqual(expected);
	});
	await Promise.all(readers);
}

test(`${taskCount} tasks at once, read by ${readerCount} readers: every row, at its place, in flat memory`, async () => {
	const memory = [];
	for (let count = 0; count < 3; count += 1) {
		await round();
		memory.push(await memoryOf(service));
	}
	expect(load.most).toBe(agents);
	const [, warm = 0, last = 0] = memory;
	expect(last - warm).toBeLessThan(2);
	const warnings = service.log.filter(({ level }) => Number(level) >= 40);
	expect(warnings.filter(({ msg }) => !String(msg).includes(browserMissing))).toEqual([]);
});
