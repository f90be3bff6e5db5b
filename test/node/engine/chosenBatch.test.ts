import type { INodeParameters } from 'n8n-workflow';

import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { startScriptedService } from '../../support/scriptedService/scriptedService';
import { openBatchDropdown } from './batchDropdown';

describe('the chosen batch', () => {
	const service = useScriptedService();

	const getData = async (parameters: INodeParameters = {}) =>
		await runOn(service, { operation: 'getData', ...parameters });

	const byId = (value: unknown, mode = 'id') => ({
		batch: 'id',
		batchId: { __rl: true, mode, value: String(value) },
	});

	// Times are those of n8n's time zone, New York unless one is set.
	const rowsOf = (name: string) => ({ rows: [`{"of":"${name}"}`] });

	test('is the newest successful one, with a hint about a newer one that is running', async () => {
		service.addBatch(rowsOf('old'));
		service.addBatch(rowsOf('latest'));
		service.addBatch({ status: 4, ...rowsOf('stopped') });
		service.addBatch({ status: 2, ...rowsOf('running') });
		const { rows, hints } = await getData({ batch: 'latest' });
		expect(rows).toEqual([{ of: 'latest' }]);
		expect(hints).toContain(
			'A newer batch (1004) is still running. These rows are from batch 1002, the latest finished one. It ended at 2026-11-19 19:01:30.',
		);
	});

	test('times whose unit is not sure are not told', async () => {
		service.addBatch({ ...rowsOf('latest'), endTime: 1_763_600_000 });
		service.addBatch({ status: 2 });
		const { hints } = await getData();
		expect(hints).toContain(
			'A newer batch (1002) is still running. These rows are from batch 1001, the latest finished one.',
		);
	});

	test.each([
		['={{ $json.nope }}', 'Batch ID is empty: its expression returns nothing'],
		[
			'=http://a/console/batches/{{ $json.nope }}',
			'Batch ID is incomplete: its expression {{ $json.nope }} returns nothing',
		],
	])('of the expression %s is named as what it lacks', async (expression, message) => {
		const { error } = await getData(byId(expression));
		expect(error?.message).toBe(message);
	});

	test('is not that of a task whose address is given', async () => {
		const page = 'http://a/console/tasks/0b7e2f4a-3c1d-4e5f-8a9b-000000000001';
		const { error } = await getData(byId(page));
		expect(error?.message).toBe(
			`The batch ID must be a whole number, not "${page}", the address of a task`,
		);
	});

	test('may be a stopped one where that is allowed', async () => {
		service.addBatch(rowsOf('old'));
		service.addBatch({ status: 4, ...rowsOf('stopped') });
		const { rows, hints } = await getData({ options: { includeStopped: true } });
		expect(rows).toEqual([{ of: 'stopped' }]);
		expect(hints).toContain('Batch 1002 was stopped: rows may be missing.');
	});

	test('is searched on all pages of batches', async () => {
		service.addBatch(rowsOf('first'));
		for (let n = 0; n < 230; n++) service.addBatch({ status: 4 });
		expect((await getData()).rows).toEqual([{ of: 'first' }]);
		expect(service.sentTo('batches')).toHaveLength(3);
	});

	test.each<[string, number[], string]>([
		['there is none at all', [], 'It has no batches: start the task first.'],
		['one is waiting', [1], 'Batch 1001 is still waiting: wait until it has ended'],
		[
			'all are stopped',
			[4, 4],
			"Its newest batch 1002 was stopped: turn on the option 'Include Stopped'",
		],
	])('is an error when %s', async (_kind, statuses, description) => {
		for (const status of statuses) service.addBatch({ status });
		const { error } = await getData();
		expect(error?.message).toBe(`Task ${service.taskID} has no finished batch yet`);
		expect(error?.description).toContain(description);
		expect(service.sentTo('data')).toEqual([]);
	});

	test('is an error with advice that helps when the status of all is unknown', async () => {
		service.addBatch({ status: 9, endTime: 1_763_600_000_000 });
		for (const includeStopped of [false, true]) {
			const { error } = await getData({ options: { includeStopped } });
			expect(error?.description).toBe(
				'Its newest batch 1001 has ended with an unknown status: read it by its ID.',
			);
		}
	});

	test('may be any by its ID, while it is running with a hint', async () => {
		service.addBatch({ status: 2, ...rowsOf('running') });
		service.addBatch(rowsOf('latest'));
		const { rows, hints } = await getData(byId(1001));
		expect(rows).toEqual([{ of: 'running' }]);
		expect(hints).toContain(
			'Batch 1001 is still running: these are its rows so far. It began at 2026-11-19 19:00:01.',
		);
	});

	test('that does not exist is an error which names it', async () => {
		service.addBatch();
		const { error } = await getData(byId(42));
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: 'Task or batch not found',
			context: { itemIndex: 0 },
		});
		expect(error?.description).toContain('42');
		expect(service.sentTo('data')).toEqual([]);
	});

	test.each(['id', 'list'])('keeps all digits of a 64-bit ID (by %s)', async (mode) => {
		service.addBatch({ batchID: 9223372036854775806n, ...rowsOf('this') });
		service.addBatch({ batchID: 9223372036854775807n, ...rowsOf('next') });
		const { rows } = await getData({
			...byId('9223372036854775806', mode),
			options: { includeBatch: true },
		});
		expect(rows).toEqual([
			{ of: 'this', _batchId: '9223372036854775806', _taskId: service.taskID },
		]);
		expect(service.sentTo('data')[0].query.batchID).toBe('9223372036854775806');
	});

	test('of the operations that return batches keeps all digits, too', async () => {
		service.addBatch({ batchID: 9007199254740993n, status: 2 });
		for (const operation of ['listBatches', 'stop']) {
			const { rows } = await runOn(service, { operation });
			expect(rows).toEqual([expect.objectContaining({ batchID: '9007199254740993' })]);
		}
	});

	test('may have a status that nobody knows', async () => {
		service.addBatch({ status: 9, endTime: 0 });
		const { rows } = await runOn(service, { operation: 'listBatches' });
		expect(rows).toEqual([expect.objectContaining({ status: 9, statusName: 'unknown' })]);
		expect((await getData(byId(1001))).hints[1]).toContain('is of unknown status');
	});
});

describe('the batch dropdown', () => {
	const service = useScriptedService();

	const open = async (filter?: string, taskId = service.taskID) => {
		const setup = { parameters: { taskId }, credential: service.credential };
		return (await openBatchDropdown(setup, filter)).results;
	};

	test('shows time, status, rows and ID, newest first', async () => {
		service.addBatch({ createTime: Date.UTC(2026, 0, 5, 12, 0, 1), lineCount: 7 });
		service.addBatch({ batchID: 9007199254740993n, status: 2, createTime: 0 });
		expect(await open()).toEqual([
			{ name: 'no time · running · 0 rows · 9007199254740993', value: '9007199254740993' },
			{ name: '2026-01-05 07:00:01 · successful · 7 rows · 1001', value: '1001' },
		]);
	});

	test('filters by any part of the label, over all pages', async () => {
		for (let n = 0; n < 150; n++) service.addBatch({ lineCount: n === 3 ? 4711 : 1 });
		expect(await open('4711 ROWS')).toEqual([
			{ name: expect.stringContaining('4711') as string, value: '1004' },
		]);
	});

	/** Opens the dropdown and scrolls to its end. */
	const scroll = async (filter?: string) => {
		const setup = {
			parameters: { operation: 'getData', taskId: service.taskID },
			credential: service.credential,
		};
		const pages: string[][] = [];
		let token: string | undefined;
		do {
			const { results, paginationToken } = await openBatchDropdown(setup, filter, token);
			pages.push(results.map(({ value }) => String(value)));
			token = paginationToken;
		} while (token !== undefined);
		return pages;
	};

	test('shows a page of batches, and the next one when the user scrolls', async () => {
		for (let n = 0; n < 250; n++) service.addBatch();
		const pages = await scroll();
		expect(pages.map(({ length }) => length)).toEqual([100, 100, 50]);
		expect(pages.flat()).toEqual(Array.from({ length: 250 }, (_batch, n) => String(1250 - n)));
		expect(service.requests).toHaveLength(3);
	});

	test.each(['refuse', 'clamp'] as const)(
		'shows each batch of a service that gives 40 at most (%s)',
		async (oversize) => {
			Object.assign(service.rules, { maxSize: 40, oversize });
			for (let n = 0; n < 90; n++) service.addBatch();
			expect((await scroll()).flat()).toHaveLength(90);
		},
	);

	test('looks through some pages for a filter that matches little, and goes on from there', async () => {
		for (let n = 0; n < 1_200; n++) service.addBatch({ lineCount: n === 3 ? 4711 : 1 });
		const pages = await scroll('4711 rows');
		expect(pages).toEqual([[], [], ['1004']]);
		expect(service.requests).toHaveLength(12);
	});

	test('asks for the task first', async () => {
		for (const none of [' ', `${service.baseUrl}/console/batches/1001`])
			await expect(open('', none)).rejects.toThrow('Enter the task ID first');
		expect(service.requests).toEqual([]);
	});

	test('shows the error of the service', async () => {
		await expect(open('', 'nobody')).rejects.toThrow('Task or batch not found');
	});
});

test('a batch ID that was rounded as a number reads no other batch', async () => {
	const service = await startScriptedService();
	service.addBatch({ batchID: 2n ** 53n, rows: ['{}'] });
	const { error } = await runOn(
		service,
		{
			operation: 'getData',
			batch: 'id',
			batchId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		},
		{ input: [{ id: 2 ** 53 + 1 }] },
	);
	expect(error?.message).toBe(
		'The batch ID 9007199254740992 was rounded: it is too large for a number',
	);
	expect(service.requests).toEqual([]);
	await service.stop();
});

describe('identifiers are values', () => {
	test.each([
		'../../admin',
		'a/b?c=d&e=f#g',
		'%2e%2e%2f',
		'tab\tbell\u0007line\r\nx-header: 1',
		'задача 任务 🕷',
		"'; DROP TABLE batches; --",
	])('%j', async (taskId) => {
		const service = await startScriptedService({ taskIDs: [taskId] });
		service.addBatch({ rows: ['{}'] });
		service.addBatch({ status: 2 });
		const options = { deduplication: 'service', deduplicationId: taskId };
		const operations = [
			{ operation: 'listBatches' },
			{ operation: 'getData', options },
			{ operation: 'stop' },
			{ operation: 'start' },
		];
		// As an expression of the input: so that a text that starts with "=" is none either.
		for (const parameters of operations) {
			const { error } = await runOn(
				service,
				{ ...parameters, taskId: '={{ $json.task }}' },
				{ input: [{ task: taskId }] },
			);
			expect(error).toBeUndefined();
		}
		await service.stop();
		for (const { path, query, body, endpoint } of service.requests) {
			expect(path).toBe(`/cloud/${endpoint}`);
			if (endpoint !== 'data') expect(query.taskID ?? body.taskID).toBe(taskId);
			else expect(query.deduplicationID).toBe(taskId);
		}
	});
});
