import { setTimeout as wait } from 'node:timers/promises';
import { executionEnded } from '../../../playground/execution.ts';
import type { Execution } from '../../../playground/execution.ts';
import { textAt } from '../../../playground/json.ts';
import type { JsonObject } from '../../../playground/json.ts';
import { packageName } from '../../support/n8n/n8n';
import { rowsInFiles } from '../../support/n8n/rowsInFiles';
import { cloudClient } from '../../support/service/cloudClient';
import type { Batch, CloudClient } from '../../support/service/cloudClient';
import { startService } from '../../support/service/startService';
import type { RunningService } from '../../support/service/startService';
import type { Site } from '../../support/service/startSite';
import {
	listOf,
	numberedTask,
	openedPages,
	openStep,
	pagesOf,
	rowsOf,
	startNumberedSite,
} from './numberedSite';
import { concurrency, startQueueMode } from './queueMode';
import type { QueueMode } from './queueMode';
import { activate, executionsOf, runOnWebhook, scrape } from './workflows';
import type { Listed } from './workflows';

const unfinished = ['new', 'running', 'waiting'];

/** n8n wants a minute at least between the polls of one schedule, but takes many schedules. */
const everyFiveSeconds = Array.from({ length: 12 }, (_schedule, index) => ({
	mode: 'custom',
	cronExpression: `${index * 5} * * * * *`,
}));

describe('n8n in queue mode, with a main and two workers', () => {
	let site: Site;
	let service: RunningService;
	let client: CloudClient;
	let n8n: QueueMode;
	let credential: string;

	beforeAll(async () => {
		site = await startNumberedSite();
		service = await startService({
			tasks: { numbered: numberedTask },
			env: { SERVICE_AGENTS: '40' },
		});
		client = cloudClient(service);
		n8n = await startQueueMode(2);
		const stored = await n8n.api.post('/rest/credentials', {
			name: 'Service',
			type: 'cloudScrapingApi',
			data: { baseUrl: service.baseUrl, apiKey: service.apiKey },
		});
		credential = textAt(stored, 'id');
	}, 600_000);

	afterAll(async () => {
		await n8n?.stop();
		await service?.stop();
		await site?.stop();
	});

	beforeEach(() => {
		site.requests.length = 0;
		service.log.length = 0;
	});

	it('runs 200 executions on both workers: each starts its task once and gets each row once', async () => {
		const files = { output: 'file', options: { rowsPerFile: 20 } };
		const intoItems = await activate(n8n.api, runOnWebhook('items', credential, {}));
		const intoFiles = await activate(n8n.api, runOnWebhook('files', credential, files));
		const itemRuns = namesOf('item', 100);
		const fileRuns = namesOf('file', 100);
		await Promise.all([call('items', itemRuns), call('files', fileRuns)]);

		const itemExecutions = await allEnded(intoItems, 100);
		const fileExecutions = await allEnded(intoFiles, 100);
		const given: unknown[] = [];
		for (const { runs } of itemExecutions) given.push(runs[scrape][0].items);
		for (const execution of fileExecutions)
			given.push(await rowsInFiles(n8n.api, execution, scrape));
		const all = [...itemRuns, ...fileRuns];
		expect(sorted(given)).toEqual(sorted(all.map(rowsOf)));

		expect([...itemExecutions, ...fileExecutions].map(({ status }) => status)).toEqual(
			all.map(() => 'success'),
		);
		expect(startsSent()).toBe(200);
		expect(openedPages(site)).toEqual(pagesOf(all));
		const taken = n8n.workers.map((worker) => worker.taken().length);
		expect(taken[0] + taken[1]).toBe(200);
		expect(Math.min(...taken)).toBeGreaterThan(20);
	}, 600_000);

	it('starts no task a second time when a worker dies, and says which executions it took along', async () => {
		const workflow = await activate(n8n.api, runOnWebhook('killed', credential, {}));
		const runs = namesOf('killed', 30);
		const [doomed, other] = n8n.workers;
		const takenBefore = doomed.taken().length;
		await call('killed', runs, 3_000);
		// Both workers are full; ten executions are still in the queue.
		while (startsSent() < 2 * concurrency) await wait(50);
		const lost = doomed.taken().slice(takenBefore);
		expect(lost).toHaveLength(concurrency);
		await doomed.n8n.program.kill();

		const executions = await allEnded(workflow, 30);
		const failed = executions.filter(({ status }) => status !== 'success');
		expect(failed.map(({ id }) => id).sort()).toEqual(lost.sort());
		for (const { status, error } of failed) {
			expect(status).toBe('error');
			expect(error?.message).toContain('failed to be processed too many times');
		}
		for (const execution of executions.filter(({ status }) => status === 'success')) {
			const items = execution.runs[scrape][0].items;
			expect(items).toEqual(rowsOf(String(items[0].Run)));
		}
		expect(other.taken().length).toBeGreaterThanOrEqual(2 * concurrency);

		// The service knows nothing of the dead worker: its runs went on, once, and their rows are there.
		expect(startsSent()).toBe(30);
		const batches = await allBatchesEnded();
		const rows = await Promise.all(batches.slice(0, 30).map((batch) => client.rowsOf(batch)));
		expect(sorted(rows)).toEqual(sorted(runs.map(rowsOf)));
		expect(openedPages(site)).toEqual(pagesOf(runs));
		await n8n.addWorker();
	}, 600_000);

	it('stops the task on the service when a user stops an execution that a worker has taken', async () => {
		const workflow = await activate(n8n.api, runOnWebhook('cancelled', credential, {}));
		await call('cancelled', ['cancelled'], 5_000);
		while (site.requests.length === 0) await wait(100);
		const [{ id }] = await executionsOf(n8n.api, workflow);
		await n8n.api.post(`/rest/executions/${id}/stop`, {});
		const [execution] = await allEnded(workflow, 1);
		expect(execution.status).toBe('canceled');
		const [batch] = await allBatchesEnded();
		expect(batch.status).toBe(4);
		expect(openedPages(site)).toEqual(pagesOf(['cancelled']).slice(0, 1));
	});

	it('remembers across workers which rows were given out', async () => {
		const options = { deduplication: 'history' };
		const workflow = await activate(n8n.api, runOnWebhook('new', credential, { options }));
		const takenBefore = n8n.workers.map((worker) => worker.taken().length);
		const isMissing = () =>
			n8n.workers.some((worker, index) => worker.taken().length === takenBefore[index]);
		const runs = ['first', 'second'];
		const given: unknown[] = [];
		// Until each worker has had its turn, and so the memory of another one.
		for (let count = 0; count < 3 || isMissing(); count += 1) {
			await call('new', [runs[count % 2]]);
			const [newest] = await allEnded(workflow, count + 1);
			given.push(newest.runs[scrape][0].items);
		}
		expect(given).toEqual([rowsOf('first'), rowsOf('second'), ...given.slice(2).map(() => [])]);
	}, 240_000);

	it('fires each batch once, and loses no execution, when the main stops or dies and starts again', async () => {
		const triggered = await activate(n8n.api, {
			name: 'Triggered',
			nodes: [
				{
					id: 'trigger',
					name: 'Trigger',
					type: `${packageName}.cloudScrapingTrigger`,
					typeVersion: 1,
					position: [0, 0],
					parameters: { taskId: numberedTask.taskID, pollTimes: { item: everyFiveSeconds } },
					credentials: { cloudScrapingApi: { id: credential, name: 'Service' } },
				},
			],
			connections: {},
			settings: {},
		});
		const workflow = await activate(n8n.api, runOnWebhook('restarted', credential, {}));
		await polls(2);

		const fromOutside: Batch[] = [];
		let isOver = false;
		const starting = (async () => {
			for (let count = 0; !isOver; count += 1) {
				const value = listOf(site, `outside-${count}`, 500);
				const actionParams = [{ id: openStep, value }];
				fromOutside.push(await client.start(numberedTask.taskID, { actionParams }));
				await wait(1_000);
			}
		})();
		for (const how of ['stop', 'kill'] as const) {
			await call('restarted', namesOf(how, 5), 4_000);
			await polls(2);
			await n8n.restartMain(how);
			await polls(2);
		}
		isOver = true;
		await starting;

		const executions = await allEnded(workflow, 10);
		expect(executions.map(({ status }) => status)).toEqual(executions.map(() => 'success'));
		const batches = await allBatchesEnded();
		await polls(3);
		const expected = batches.slice(0, fromOutside.length + 10).map(({ batchID }) => batchID);
		const fired: JsonObject[] = [];
		for (const { id } of await executionsOf(n8n.api, triggered)) {
			const { runs } = await executionEnded(n8n.api, id);
			fired.push(...runs.Trigger[0].items);
		}
		expect(fired.map(({ batchID }) => String(batchID)).sort()).toEqual(expected.sort());
	}, 600_000);

	/** Calls a workflow once for each run, as programs outside would: some at the same time. */
	async function call(path: string, runs: string[], delay = 0): Promise<void> {
		const left = [...runs];
		const callers = Array.from({ length: 10 }, async () => {
			for (let run = left.shift(); run !== undefined; run = left.shift()) {
				expect(await callOnce(path, { list: listOf(site, run, delay) })).toBe(200);
			}
		});
		await Promise.all(callers);
	}

	/** n8n activates workflows in the background; until then it does not know their addresses. */
	async function callOnce(path: string, body: JsonObject): Promise<number> {
		for (;;) {
			const { status } = await fetch(`${n8n.main.url}/webhook/${path}`, {
				method: 'POST',
				headers: { connection: 'close', 'content-type': 'application/json' },
				body: JSON.stringify(body),
			});
			if (status !== 404) return status;
			await wait(200);
		}
	}

	/** Waits until so many executions of a workflow have ended, and reads them. */
	async function allEnded(workflowId: string, count: number): Promise<Execution[]> {
		let listed: Listed[] = [];
		const areAll = () =>
			listed.length === count && listed.every(({ status }) => !unfinished.includes(status));
		while (!areAll()) {
			await wait(1_000);
			listed = await executionsOf(n8n.api, workflowId);
		}
		const executions = [];
		for (const { id } of listed) executions.push(await executionEnded(n8n.api, id));
		return executions;
	}

	async function allBatchesEnded(): Promise<Batch[]> {
		for (;;) {
			const list = await allBatches();
			if (list.every(({ status }) => status >= 3)) return list;
			await wait(500);
		}
	}

	/** On a slow machine there are more than a page has. */
	async function allBatches(): Promise<Batch[]> {
		const batches: Batch[] = [];
		for (let page = 1; ; page += 1) {
			const { list, pagination } = await client.batches(numberedTask.taskID, { page });
			batches.push(...list);
			if (list.length === 0 || batches.length >= pagination.total) return batches;
		}
	}

	/** Waits until the trigger has asked so many times more. */
	async function polls(count: number): Promise<void> {
		const asked = () =>
			service.log.filter(({ url }) => String(url).startsWith('/cloud/batches?page=1')).length;
		const before = asked();
		while (asked() < before + count) await wait(200);
	}

	const startsSent = () => service.log.filter(({ url }) => url === '/cloud/start').length;
});

function namesOf(kind: string, count: number): string[] {
	return Array.from({ length: count }, (_name, index) => `${kind}-${index}`);
}

function sorted(values: unknown[]): string[] {
	return values.map((value) => JSON.stringify(value)).sort();
}
