import type { INode, INodeParameters } from 'n8n-workflow';

import { fastClock, useFastClock } from '../../support/engine/fastClock';
import { runOn } from '../../support/engine/runNode';
import { page, refusal, reset, success } from '../../support/scriptedService/scriptedAnswers';
import { startScriptedService } from '../../support/scriptedService/scriptedService';
import type { ScriptedService } from '../../support/scriptedService/scriptedService';
import type { ScriptedBatch } from '../../support/scriptedService/scriptedStore';
import { onTheWire } from '../../support/scriptedService/scriptedStore';
import { retryOnFail } from './retryOnFail';

describe('budgets of a run', () => {
	let service: ScriptedService;
	useFastClock();

	beforeEach(async () => {
		service = await startScriptedService();
	});

	afterEach(async () => {
		await service.stop();
	});

	const run = async (options: INodeParameters, batchId?: string) =>
		await runOn(service, {
			...(batchId === undefined
				? { operation: 'runAndGetData' }
				: { operation: 'getData', batch: 'id', batchId }),
			options: {
				...(batchId !== undefined && { waitForEnd: true }),
				pollInterval: 1,
				...options,
			},
		});

	const newest = () => service.batches[service.batches.length - 1];

	/** Changes the newest batch before the `nth` poll is answered. */
	const atPoll = (nth: number, change: Partial<ScriptedBatch>) =>
		service.script(
			'batches',
			() => {
				Object.assign(newest(), change);
				return undefined;
			},
			{ skip: nth - 1, times: 1 },
		);

	const rows = ['{"n":1}', '{"n":2}', '{"n":3}'];

	test.each([
		[{ stopAtRows: 3 }, { lineCount: 3 }, '3 rows (Stop at Rows: 3)'],
		[
			{ stopAtCaptchas: 20 },
			{ captchaCount: 1204 },
			'1,204 captcha credits (Stop at Captchas: 20)',
		],
		[
			{ stopAtProxyUsage: 2.5 },
			{ ipProxyUsage: 2.5 },
			'2.5 proxy credits (Stop at Proxy Usage: 2.5)',
		],
	])('%j stops the run and returns its rows so far', async (budget, counts, said) => {
		atPoll(1, { status: 2, rows, lineCount: 3, ...counts });
		const result = await run(budget);
		expect(result.rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
		expect(service.sentTo('stop').map(({ body }) => body)).toEqual([{ taskID: service.taskID }]);
		expect(newest().status).toBe(4);
		expect(result.hints).toContain(`Batch 1001 was stopped at ${said}.`);
	});

	test('a run below its budgets ends by itself', async () => {
		atPoll(1, { status: 2, rows, lineCount: 3 });
		atPoll(2, { status: 3, endTime: Date.now() });
		const result = await run({ stopAtRows: 4, stopAtCaptchas: 1, stopAtProxyUsage: 1 });
		expect(result.rows).toHaveLength(3);
		expect(service.sentTo('stop')).toEqual([]);
		expect(result.hints).toEqual([expect.stringMatching(/^Batch 1001: ran \d s, 3 rows\.$/)]);
	});

	test('a run that has ended is not stopped, however much it has cost, and that is said', async () => {
		atPoll(1, { status: 3, endTime: Date.now(), rows, lineCount: 3 });
		const result = await run({ stopAtRows: 1 });
		expect(result.rows).toHaveLength(3);
		expect(service.sentTo('stop')).toEqual([]);
		expect(result.hints).toContain('Batch 1001 has ended at 3 rows (Stop at Rows: 1).');
	});

	test('beside another run of the task nothing is stopped, and that is said', async () => {
		service.addBatch({ status: 2 });
		atPoll(1, { status: 2, rows, lineCount: 3 });
		const clock = fastClock({ shortTimeOuts: false });
		const result = await run({ stopAtRows: 3 });
		clock.restore();
		expect(result.rows).toHaveLength(3);
		expect(service.sentTo('stop')).toEqual([]);
		expect(result.hints.join('\n')).toContain(
			'Batch 1002 is running at 3 rows (Stop at Rows: 3). It was not stopped: batch 1001 of the task is running, too, and a stop could hit that one.',
		);
	});

	test('a stop that is not possible yet comes at a later poll', async () => {
		const other = service.addBatch({ status: 2 });
		atPoll(1, { status: 2, rows, lineCount: 3 });
		atPoll(4, { lineCount: 3 });
		service.script(
			'batches',
			() => {
				Object.assign(other, { status: 3, endTime: Date.now() });
				return undefined;
			},
			{ skip: 3, times: 1 },
		);
		const clock = fastClock({ shortTimeOuts: false });
		const result = await run({ stopAtRows: 3 });
		clock.restore();
		expect(service.batches.map(({ status }) => status)).toEqual([3, 4]);
		expect(result.hints).toContain('Batch 1002 was stopped at 3 rows (Stop at Rows: 3).');
	});

	test('a look that fails for a passing reason does not give the budget up', async () => {
		atPoll(1, { status: 2, rows, lineCount: 3 });
		service.script('batches', { status: 503 }, { skip: 1, times: 4 });
		const clock = fastClock({ shortTimeOuts: false });
		const result = await run({ stopAtRows: 3 });
		clock.restore();
		expect(newest().status).toBe(4);
		expect(result.hints).toContain('Batch 1001 was stopped at 3 rows (Stop at Rows: 3).');
	});

	test.each<[string, Partial<INode>, number]>([
		['is left alone', {}, 1],
		['cannot be stopped', { onError: 'continueRegularOutput' }, 0],
	])(
		'no further run of the task is started when one that was to be stopped %s',
		async (_when, settings, others) => {
			for (let other = 0; other < others; other++) service.addBatch({ status: 2 });
			service.script('stop', refusal(9000002, 'not now'));
			service.script('batches', () => {
				Object.assign(newest(), { status: 2, rows, lineCount: 3 });
				return undefined;
			});
			const clock = fastClock({ shortTimeOuts: false });
			const result = await runOn(
				service,
				{ operation: 'runAndGetData', options: { pollInterval: 1, stopAtRows: 3 } },
				{ input: [{}, {}, {}], settings },
			);
			clock.restore();
			expect(service.sentTo('start')).toHaveLength(1);
			const said = result.error?.message ?? result.rows.at(-1)?.error;
			expect(said).toMatch(
				/^Task .* is not started again: batch \d+ goes on, though it was to be stopped$/,
			);
		},
	);

	test('no further run is started while it is not known whether the one that was to be stopped goes on', async () => {
		service.addBatch({ status: 2 });
		service.script('batches', () => {
			Object.assign(newest(), { status: 2, rows, lineCount: 3 });
			return service.sentTo('data').length > 0 ? page([], { total: 0 }) : undefined;
		});
		const clock = fastClock({ shortTimeOuts: false });
		const { error } = await runOn(
			service,
			{ operation: 'runAndGetData', options: { pollInterval: 1, stopAtRows: 3 } },
			{ input: [{}, {}] },
		);
		clock.restore();
		expect(service.sentTo('start')).toHaveLength(1);
		expect(error?.message).toContain('batch 1002 goes on, though it was to be stopped');
	});

	test('a run that is stopped is read when it has ended', async () => {
		atPoll(1, { status: 2, rows: rows.slice(1), lineCount: 2 });
		service.script('stop', () => success(onTheWire({ ...newest(), status: 2 })));
		atPoll(3, { status: 4, endTime: Date.now(), rows, lineCount: 3 });
		expect((await run({ stopAtRows: 2 })).rows).toHaveLength(3);
	});

	test('a stop whose answer is lost is known by what became of the run', async () => {
		atPoll(1, { status: 2, rows, lineCount: 3 });
		service.script('stop', () => {
			Object.assign(newest(), { status: 4, endTime: Date.now() });
			return reset;
		});
		const result = await run({ stopAtRows: 3, failOnStopped: true });
		expect(result.rows).toHaveLength(3);
		expect(result.hints).toContain('Batch 1001 was stopped at 3 rows (Stop at Rows: 3).');
	});

	test('someone else who stops the run just before is said, or an error where that is wanted', async () => {
		for (const failOnStopped of [false, true]) {
			atPoll(1, { status: 2, rows, lineCount: 3 });
			atPoll(2, { status: 4, endTime: Date.now() });
			const { hints, error } = await run({ stopAtRows: 3, failOnStopped });
			const said = error?.message ?? hints.join(' ');
			expect(said).toMatch(failOnStopped ? /was stopped$/ : /not as successful: it is stopped/);
		}
		expect(service.sentTo('stop')).toEqual([]);
	});

	test('Retry On Fail does not take its own stop for someone else’s', async () => {
		atPoll(1, { status: 2, rows, lineCount: 3 });
		service.script('data', refusal(9000002, 'hiccup'), { times: 1 });
		const options = { pollInterval: 1, stopAtRows: 3, failOnStopped: true };
		const parameters = { operation: 'runAndGetData', options };
		const result = await runOn(service, parameters, { settings: retryOnFail });
		expect(result.error).toBeUndefined();
		expect(result.rows).toHaveLength(3);
		expect(result.hints).toContain('Batch 1001 was stopped at 3 rows (Stop at Rows: 3).');
	});

	test('a stop that is never carried out is said, and nothing is started beside that run', async () => {
		const clock = fastClock({ shortTimeOuts: false });
		service.script('batches', () => {
			Object.assign(newest(), { status: 2, rows, lineCount: 3 });
			if (service.sentTo('stop').length > 0) clock.passMinutes(0.5);
			return undefined;
		});
		service.script('stop', () => success(onTheWire(newest())));
		const result = await runOn(
			service,
			{ operation: 'runAndGetData', options: { pollInterval: 1, stopAtRows: 3 } },
			{ input: [{}, {}], settings: { onError: 'continueRegularOutput' } },
		);
		clock.restore();
		expect(service.sentTo('start')).toHaveLength(1);
		expect(service.sentTo('stop')).toHaveLength(1);
		expect(result.hints.join(' ')).toContain(
			'Batch 1001 is still running, though the service has accepted its stop at 3 rows (Stop at Rows: 3) and 1 minute ago.',
		);
	});

	test('a stop that fails is tried again at the next poll', async () => {
		atPoll(1, { status: 2, rows, lineCount: 3 });
		service.script('stop', { status: 503 }, { times: 1 });
		const result = await run({ stopAtRows: 3 });
		expect(service.sentTo('stop')).toHaveLength(2);
		expect(result.rows).toHaveLength(3);
		expect(newest().status).toBe(4);
	});

	test('once the run that was to be stopped has ended, its task is started again', async () => {
		service.addBatch({ status: 2 });
		service.script('batches', () => {
			const goesOn = service.sentTo('data').length === 0;
			for (const batch of service.batches) {
				Object.assign(batch, { status: goesOn ? 2 : 3, endTime: 5, rows, lineCount: 3 });
			}
			return undefined;
		});
		const clock = fastClock({ shortTimeOuts: false });
		const result = await runOn(
			service,
			{ operation: 'runAndGetData', options: { pollInterval: 1, stopAtRows: 3 } },
			{ input: [{}, {}] },
		);
		clock.restore();
		expect(result.error).toBeUndefined();
		expect(service.sentTo('start')).toHaveLength(2);
		expect(service.sentTo('stop')).toEqual([]);
	});

	test('Get Data stops the batch that it waits for, also when it is found over the budget', async () => {
		service.addBatch({ status: 2, rows, lineCount: 3 });
		const result = await run({ stopAtRows: 2 }, '1001');
		expect(result.rows).toHaveLength(3);
		expect(newest().status).toBe(4);
	});

	test('a stop that the service refuses is an error that names the batch', async () => {
		atPoll(1, { status: 2, rows, lineCount: 3 });
		service.script('stop', refusal(9000002, 'not now'));
		const { error } = await run({ stopAtRows: 3 });
		expect(error?.message).toBe('The service refused the request');
		expect(error?.description).toContain('Batch 1001');
	});

	test('a count that the service does not say is not taken for none', async () => {
		service.script('start', { body: '{"code":0,"data":{"batchID":7,"status":3,"endTime":5}}' });
		service.addBatch({ batchID: 7, rows });
		const { hints } = await run({ stopAtCaptchas: 5 });
		expect(hints.join('\n')).toContain(
			'The service does not say how many captcha credits batch 7 has used: "Stop at Captchas" could not be watched.',
		);
	});

	test.each([0, -1, '', 'many', null, '={{ $json.nothing }}', '={{ null }}'])(
		'the budget %j is refused before anything starts',
		async (limit) => {
			const { error } = await run({ stopAtRows: limit });
			expect(error?.message).toContain('Stop at Rows must be a number from 1');
			expect(service.requests).toEqual([]);
		},
	);
});
