import type { INodeParameters } from 'n8n-workflow';

import { fastClock } from '../../support/engine/fastClock';
import { runOn } from '../../support/engine/runNode';
import { shiftedClock } from '../../support/engine/shiftedClock';
import { shortTimeOuts } from '../../support/engine/shortTimeOuts';
import { useScriptedService } from '../../support/engine/useScriptedService';
import type { Answer } from '../../support/scriptedService/scriptedAnswers';
import { html, page, success } from '../../support/scriptedService/scriptedAnswers';
import type { ScriptedBatch } from '../../support/scriptedService/scriptedStore';
import { onTheWire } from '../../support/scriptedService/scriptedStore';

describe('a run that is waited for', () => {
	const service = useScriptedService();

	const run = async (parameters: INodeParameters = {}, options: INodeParameters = {}) =>
		await runOn(service, {
			operation: 'runAndGetData',
			...parameters,
			options: { pollInterval: 1, ...options },
		});

	const change = (changes: Partial<ScriptedBatch>) =>
		Object.assign(service.batches[service.batches.length - 1], changes);

	/** The run has ended when somebody asks for it. */
	const endWhenAsked = () => {
		service.script('batches', () => {
			change({ status: 3, endTime: Date.now(), rows: ['{"n":1}', '{"n":2}'] });
			return undefined;
		});
	};

	test('may be counted before it is listed', async () => {
		service.script('batches', page([], { total: 1 }), { times: 2 });
		endWhenAsked();
		const { rows, error } = await run();
		expect(error).toBeUndefined();
		expect(rows).toHaveLength(2);
	});

	test('may be missing from the list now and then, for as long as it lasts', async () => {
		service.script('batches', () => {
			const polls = service.sentTo('batches').length;
			if (polls > 40) change({ status: 3, endTime: Date.now(), rows: ['{"n":1}'] });
			return polls % 2 === 1 ? page([], { total: 0 }) : undefined;
		});
		const clock = fastClock({ shortTimeOuts: false });
		const { rows, error } = await run();
		clock.restore();
		expect(error).toBeUndefined();
		expect(rows).toEqual([{ n: 1 }]);
	});

	test('costs three pages a poll at most while it is not listed', async () => {
		for (let n = 0; n < 2_000; n++) service.addBatch();
		service.script('start', () => {
			const [batch] = service.batches.splice(
				service.batches.indexOf(service.addBatch({ status: 1 })),
				1,
			);
			return success(onTheWire(batch));
		});
		const clock = fastClock({ shortTimeOuts: false });
		const { error } = await run();
		clock.restore();
		expect(error?.message).toBe('Task or batch not found');
		expect(error?.description).toContain('Look for it with List Batches');
		const pages = service.sentTo('batches').map(({ query }) => Number(query.page));
		expect(pages).toEqual(Array.from(pages, (_page, index) => (index % 3) + 1));
	});

	test.each<[string, number, INodeParameters, { from: number; to: number }]>([
		['after five minutes', 20, {}, { from: 300_000, to: 345_000 }],
		['when the time is up, if that is sooner', 2, {}, { from: 120_000, to: 130_000 }],
		[
			'as well where its rows so far are wanted',
			2,
			{ onTimeout: 'return' },
			{ from: 120_000, to: 130_000 },
		],
	])(
		'that is listed no more may have been deleted: said %s',
		async (_when, timeout, options, { from, to }) => {
			service.script('batches', page([], { total: 0 }), { skip: 1 });
			const clock = fastClock({ shortTimeOuts: false });
			const begin = performance.now();
			const { error } = await run({ timeout }, options);
			const passed = performance.now() - begin;
			clock.restore();
			expect(passed).toBeGreaterThan(from);
			expect(passed).toBeLessThan(to);
			expect(error?.message).toBe('Task or batch not found');
			expect(error?.description).toContain(
				`The service no longer lists batch 1001 of task ${service.taskID} among its newest batches: it may have been deleted.`,
			);
			expect(error?.description).not.toContain('is still running');
		},
	);

	test('that is listed no more when it is to be stopped is tried for five minutes all the same', async () => {
		service.script('batches', page([], { total: 0 }), { skip: 1, times: 30 });
		const clock = fastClock({ shortTimeOuts: false });
		const { error, hints } = await run({ timeout: 1 }, { onTimeout: 'stopAndReturn' });
		clock.restore();
		expect(error).toBeUndefined();
		expect(hints.join()).toContain('Batch 1001 was stopped after 1 minute.');
	});

	test('is found behind a hundred runs that were started after it', async () => {
		service.script(
			'batches',
			() => {
				change({ status: 3, endTime: Date.now(), rows: ['{"n":1}'] });
				for (let n = 0; n < 100; n++) service.addBatch({ status: 2 });
				return undefined;
			},
			{ times: 1 },
		);
		expect((await run()).rows).toEqual([{ n: 1 }]);
	});

	test.each<[string, unknown]>([
		['no task', undefined],
		['null as its task', null],
	])('asks for the task that was started when the answer names %s', async (_kind, taskID) => {
		service.script('start', () =>
			success({ ...onTheWire(service.addBatch({ status: 1 })), taskID }),
		);
		endWhenAsked();
		const { rows } = await run({}, { includeBatch: true });
		expect(rows[0]).toEqual({ n: 1, _batchId: 1001, _taskId: service.taskID });
		expect(service.sentTo('batches').map(({ query }) => query.taskID)).toEqual([service.taskID]);
	});

	test('is stopped as the task that was started, whatever task the answers name', async () => {
		const clock = shiftedClock();
		const nameless = () => ({ ...onTheWire(change({})), taskID: null });
		service.script('start', () => {
			service.addBatch({ status: 1 });
			return success(nameless());
		});
		service.script('batches', () => {
			change({ rows: ['{"n":"so far"}'] });
			clock.pass(1);
			return page([nameless()], { total: 1 });
		});
		const { rows } = await run({ timeout: 1 }, { onTimeout: 'stopAndReturn' });
		clock.restore();
		expect(rows).toEqual([{ n: 'so far' }]);
		expect(service.sentTo('stop').map(({ body }) => body)).toEqual([{ taskID: service.taskID }]);
	});

	test('is not waited for longer than the time-out by a poll under way', async () => {
		const clock = shiftedClock();
		const timeOuts = shortTimeOuts(2_000);
		service.script('batches', () => {
			clock.pass(1);
			return { status: 503, headers: { 'retry-after': '30' } };
		});
		const { error } = await run({ timeout: 1 });
		const short = timeOuts.mock.calls.filter(([milliseconds]) => milliseconds < 60_000);
		timeOuts.mockRestore();
		clock.restore();
		expect(error?.message).toBe('The service could not handle the request');
		expect(error?.description).toContain('HTTP 503');
		expect(error?.description).toContain('whether it is still running is not known');
		expect(service.sentTo('batches')).toHaveLength(1);
		// The list before the start has one, too.
		expect(short).toHaveLength(2);
	});

	test('is looked at once more when the time is up', async () => {
		const clock = shiftedClock();
		service.script('start', () => {
			// Before the first poll.
			setTimeout(() => clock.pass(1), 300);
			return undefined;
		});
		endWhenAsked();
		const { rows, error } = await run({ timeout: 1 });
		clock.restore();
		expect(error).toBeUndefined();
		expect(rows).toHaveLength(2);
	});

	test.each<[string, Answer, string]>([
		['a web page', html(200, 'Moved'), 'not as a Cloud Scraping service'],
		[
			'fewer rows than it counts',
			page([], { total: 2 }),
			'counts 2 rows in batch 1001, but returned 0',
		],
	])(
		'can be read later, as the error says, when its rows are %s',
		async (_kind, answer, message) => {
			endWhenAsked();
			service.script('data', answer);
			const { error } = await run();
			expect(error?.message).toContain(message);
			expect(error?.description.match(/Batch 1001/g)).toHaveLength(1);
			expect(error?.description).toContain(
				'Batch 1001 has ended and is paid for: get its rows with Get Data (Batch: Specific Batch, By ID: 1001) instead of starting the task again.',
			);
		},
	);
});
