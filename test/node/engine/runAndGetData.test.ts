import type { INodeParameters } from 'n8n-workflow';
import { vi } from 'vitest';

import { fastClock, useFastClock } from '../../support/engine/fastClock';
import { runOn } from '../../support/engine/runNode';
import { shiftedClock } from '../../support/engine/shiftedClock';
import { useScriptedService } from '../../support/engine/useScriptedService';
import type { Answer } from '../../support/scriptedService/scriptedAnswers';
import { html, page, refusal, reset, success } from '../../support/scriptedService/scriptedAnswers';
import type { ScriptedBatch } from '../../support/scriptedService/scriptedStore';
import { asStarted } from '../../support/scriptedService/scriptedStore';
import { retryOnFail } from './retryOnFail';

describe('Run Task and Get Data', () => {
	const { pauses } = useFastClock();
	const service = useScriptedService();

	const run = async (parameters: INodeParameters = {}, options: INodeParameters = {}) =>
		await runOn(service, {
			operation: 'runAndGetData',
			...parameters,
			options: { pollInterval: 1, ...options },
		});

	const startedBatch = () => service.batches[service.batches.length - 1];

	/** Changes the started batch before the `nth` poll is answered. */
	const atPoll = (nth: number, change: (batch: ScriptedBatch) => void) => {
		service.script(
			'batches',
			() => {
				change(startedBatch());
				return undefined;
			},
			{ skip: nth - 1, times: 1 },
		);
	};

	const end = (batch: ScriptedBatch, status = 3) =>
		Object.assign(batch, { status, endTime: Date.now(), rows: ['{"n":1}', '{"n":2}'] });

	/** The run has ended when it is first looked at. */
	const endAtOnce = (change: Partial<ScriptedBatch> = {}) => {
		service.script('start', () => {
			const rows = ['{"n":1}', '{"n":2}'];
			return success(asStarted(service.addBatch({ rows, ...change })));
		});
	};

	test('starts, waits until this very batch has ended, and returns its rows', async () => {
		service.addBatch({ rows: ['{"of":"an older batch"}'] });
		atPoll(1, (batch) => {
			Object.assign(batch, { status: 2, startTime: Date.now() });
			service.addBatch({ rows: ['{"of":"a newer batch"}'] });
		});
		atPoll(2, () => end(service.batches[1]));
		const { items, hints } = await run({ nodeCount: 2, jobCount: 3, region: 'jp' });
		expect(items).toEqual([
			{ json: { n: 1 }, pairedItem: { item: 0 } },
			{ json: { n: 2 }, pairedItem: { item: 0 } },
		]);
		expect(service.sentTo('start').map(({ body }) => body)).toEqual([
			{ taskID: service.taskID, nodeCount: 2, jobCount: 3, region: 'jp' },
		]);
		expect(service.sentTo('data').map(({ query }) => query.batchID)).toEqual(['1002']);
		expect(hints).toEqual([
			expect.stringMatching(
				/^Batch 1002: ran (less than 1|\d+) s, (waited (less than 1|\d+) s, )?2 rows\.$/,
			),
		]);
	});

	test('polls after half a second, one and two, and then as often as it is told', async () => {
		atPoll(5, (batch) => end(batch));
		await run({}, { pollInterval: 7 });
		expect(service.sentTo('batches')).toHaveLength(5);
		const waited = pauses().filter((milliseconds) => milliseconds > 0);
		expect(waited).toEqual([500, 500, 1_000, 7_000, 7_000]);
	});

	test('polls a batch that was started before as often as it is told, from the first time on', async () => {
		service.addBatch({ status: 2 });
		atPoll(3, (batch) => end(batch));
		await runOn(service, {
			operation: 'getData',
			batch: 'id',
			batchId: '1001',
			options: { waitForEnd: true, pollInterval: 7 },
		});
		expect(pauses().filter((milliseconds) => milliseconds > 0)).toEqual([7_000, 7_000]);
	});

	test('looks once for a batch that has ended at once', async () => {
		endAtOnce();
		const { rows } = await run();
		expect(rows).toEqual([{ n: 1 }, { n: 2 }]);
		expect(service.sentTo('batches')).toHaveLength(1);
	});

	test.each([
		[9, 77, "Batch 1001 ended with the status 'unknown'."],
		[
			4,
			77,
			"Someone stopped batch 1001: rows may be missing. 'Fail If Stopped by Someone Else' makes that an error.",
		],
	])('takes status %i with an end time as the end', async (status, endTime, said) => {
		endAtOnce({ status, endTime });
		const { rows, hints } = await run();
		expect(rows).toHaveLength(2);
		expect(hints[1]).toBe(said);
	});

	test('goes on waiting at an unknown status without an end time', async () => {
		atPoll(1, (batch) => Object.assign(batch, { status: 9, endTime: 0 }));
		atPoll(2, (batch) => end(batch));
		expect((await run()).rows).toHaveLength(2);
		expect(service.sentTo('batches')).toHaveLength(2);
	});

	test('survives polls that fail for a passing reason', async () => {
		const random = vi.spyOn(Math, 'random').mockReturnValue(0);
		const busy = { status: 503, headers: { 'retry-after': '0' } };
		service.script('batches', busy, { times: 4 });
		service.script('batches', reset, { times: 4 });
		atPoll(1, (batch) => end(batch));
		const { rows, error } = await run();
		random.mockRestore();
		expect(error).toBeUndefined();
		expect(rows).toHaveLength(2);
		expect(service.sentTo('start')).toHaveLength(1);
	});

	test.each([408, 429, 500, 503])(
		'survives more than ten polls in a row that fail with HTTP %i',
		async (status) => {
			const clock = fastClock({ shortTimeOuts: false });
			service.script('batches', { status }, { times: 48 });
			atPoll(1, (batch) => end(batch));
			const { rows, error } = await run();
			clock.restore();
			expect(error).toBeUndefined();
			expect(rows).toHaveLength(2);
		},
	);

	test.each<[string, Answer]>([
		['a page of maintenance', html(200, 'Back soon')],
		['a page of a proxy', html(403, 'Forbidden')],
		['a task that is not found', refusal(9000004, 'no such task')],
		['another page', page([], { page: 0, size: 20, total: 1 })],
	])('survives a poll that is answered by %s', async (_kind, answer) => {
		service.script('batches', answer, { times: 1 });
		atPoll(1, (batch) => end(batch));
		const { rows, error } = await run();
		expect(error).toBeUndefined();
		expect(rows).toHaveLength(2);
	});

	test.each<[string, Answer, string, string]>([
		[
			'is another page',
			page([], { page: 0, total: 1 }),
			'The service sent page 0',
			'is still running',
		],
		['is a web page', html(200, 'Moved'), 'not as a Cloud Scraping service', 'is still running'],
		[
			'finds no task',
			refusal(9000004, 'no such task'),
			'Task or batch not found',
			'is still running',
		],
		['lists no batch', page([], { total: 0 }), 'Task or batch not found', 'does not list batch'],
	])('ends when every answer of five minutes %s', async (_kind, answer, message, description) => {
		const clock = fastClock({ shortTimeOuts: false });
		service.script('batches', answer);
		const begin = performance.now();
		const { error } = await run();
		const passed = performance.now() - begin;
		clock.restore();
		expect(error?.message).toContain(message);
		expect(error?.description).toMatch(/batch 1001/i);
		expect(error?.description).toContain(description);
		expect(passed).toBeGreaterThan(300_000);
		expect(passed).toBeLessThan(345_000);
	});

	test('ends when the service refuses a poll for good, and says that the run goes on', async () => {
		service.script('batches', refusal(9000003, 'key revoked'));
		const { error } = await run();
		expect(error?.message).toBe('API key rejected');
		expect(error?.description).toContain('Batch 1001 was started, and goes on as far as is known');
		expect(service.sentTo('batches')).toHaveLength(2);
	});

	describe('when the time is up', () => {
		let clock: ReturnType<typeof shiftedClock>;

		beforeEach(() => {
			clock = shiftedClock();
			atPoll(1, (batch) => {
				Object.assign(batch, { status: 2, rows: ['{"n":"so far"}'] });
				clock.pass(3);
			});
		});

		afterEach(() => {
			clock.restore();
		});

		test('fails and leaves the run alone', async () => {
			const { error } = await run({ timeout: 3 });
			expect(error).toMatchObject({
				name: 'NodeOperationError',
				message: 'The batch did not finish within 3 minutes',
				context: { itemIndex: 0 },
			});
			expect(error?.description).toContain('Batch 1001 is still running');
			expect(service.sentTo('stop')).toEqual([]);
			expect(service.sentTo('data')).toEqual([]);
		});

		test('returns the rows so far where that is wanted', async () => {
			const { rows, hints } = await run({ timeout: 3 }, { onTimeout: 'return' });
			expect(rows).toEqual([{ n: 'so far' }]);
			expect(hints).toContain('Batch 1001 is still running after 3 minutes.');
			expect(service.sentTo('stop')).toEqual([]);
		});

		test.each(['error', 'return'])(
			'says which budgets nobody watches any more (%s)',
			async (atEnd) => {
				const options = { onTimeout: atEnd, stopAtRows: 5_000, stopAtCaptchas: 9 };
				const { hints, error } = await run({ timeout: 3 }, options);
				expect([error?.description, ...hints].join()).toContain(
					"No longer watched: 'Stop at Rows' (5,000), 'Stop at Captcha Credits' (9).",
				);
			},
		);

		test('stops the task and returns the rows so far where that is wanted', async () => {
			const { rows, hints } = await run({ timeout: 3 }, { onTimeout: 'stopAndReturn' });
			expect(rows).toEqual([{ n: 'so far' }]);
			expect(hints).toContain('Batch 1001 was stopped after 3 minutes.');
			expect(service.sentTo('stop').map(({ body }) => body)).toEqual([{ taskID: service.taskID }]);
			expect(startedBatch().status).toBe(4);
		});

		test('a stop of its own is not that of someone else', async () => {
			const options = { onTimeout: 'stopAndReturn', failOnStopped: true };
			const { rows, error } = await run({ timeout: 3 }, options);
			expect(error).toBeUndefined();
			expect(rows).toEqual([{ n: 'so far' }]);
		});

		test('a run within the time is no matter of time', async () => {
			atPoll(1, (batch) => end(batch));
			const { rows } = await run({ timeout: 4 });
			expect(rows).toHaveLength(2);
		});
	});

	test('a run that someone else stops returns its rows, or fails where that is wanted', async () => {
		endAtOnce({ status: 4 });
		expect((await run()).rows).toHaveLength(2);
		const { error, rows } = await run({}, { failOnStopped: true });
		expect(error?.message).toBe('Batch 1002 was stopped');
		expect(rows).toEqual([]);
	});

	test('returns rows as Get Data does', async () => {
		endAtOnce({
			fields: [{ id: 'n', name: 'Number' }],
			rows: ['{"n":1,"x":"a"}', '{"n":1,"x":"a"}', '{"n":2,"x":"b"}', '{"n":3,"x":"c"}'],
		});
		const options = {
			fields: ['Number'],
			deduplication: 'read',
			includeBatch: true,
			pageSize: 1,
			preview: true,
		};
		const { rows } = await run({ returnAll: false, limit: 2 }, options);
		expect(rows).toEqual([
			{ Number: 1, _batchId: 1001, _taskId: service.taskID },
			{ Number: 2, _batchId: 1001, _taskId: service.taskID },
		]);
		expect(service.sentTo('data')[0].query).toMatchObject({ size: '1', preview: 'true' });
	});

	test('is not started again by Retry On Fail, because of a column named "error"', async () => {
		endAtOnce({ rows: ['{"error":"none"}'] });
		const { rows } = await runOn(
			service,
			{ operation: 'runAndGetData' },
			{ settings: retryOnFail },
		);
		expect(rows).toEqual([{ error: 'none' }]);
		expect(service.sentTo('start')).toHaveLength(1);
	});

	test('is not started again by Retry On Fail, when reading fails', async () => {
		endAtOnce();
		service.script('data', refusal(9000002, 'not yet'), { times: 1 });
		const { rows } = await runOn(
			service,
			{ operation: 'runAndGetData' },
			{ settings: retryOnFail },
		);
		expect(rows).toHaveLength(2);
		expect(service.sentTo('start')).toHaveLength(1);
	});

	test.each<[string, INodeParameters, INodeParameters, string]>([
		['timeout 0', { timeout: 0 }, {}, 'Timeout (Minutes) must be a number of at least 1, not 0'],
		['timeout of a text', { timeout: '={{ "x" }}' }, {}, 'Timeout (Minutes) must be a number'],
		['poll interval 0.5', {}, { pollInterval: 0.5 }, 'Poll Interval (Seconds) must be a number'],
		[
			'another time-out',
			{},
			{ onTimeout: 'wait' },
			'On Timeout must be one of error, return, stopAndReturn',
		],
		['limit 0', { limit: 0 }, {}, 'Limit must be a whole number of at least 1, not 0'],
		['blank key columns', { onlyNew: true, keyFields: [' ,'] }, {}, 'Key Columns must name at'],
		['no deduplication ID', {}, { deduplication: 'service' }, 'The deduplication ID is empty'],
		['nodeCount 1.5', { nodeCount: 1.5 }, {}, 'Max Concurrent Agents must be a whole number'],
	])('bad input costs nothing: %s', async (_kind, parameters, options, message) => {
		const { error } = await run(parameters, options);
		expect(error?.message).toContain(message);
		expect(service.requests).toEqual([]);
	});
});
