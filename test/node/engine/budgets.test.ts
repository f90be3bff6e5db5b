import { fastClock, useFastClock } from '../../support/engine/fastClock';
import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { refusal, reset } from '../../support/scriptedService/scriptedAnswers';
import { budgetedRun, goOn, rows } from './budgetedRun';
import { retryOnFail } from './retryOnFail';

describe('budgets of a run', () => {
	useFastClock();
	const service = useScriptedService();

	const { run, newest, atPoll } = budgetedRun(service);

	test.each([
		[{ stopAtRows: 3 }, { lineCount: 3 }, '3 rows (Stop at Rows: 3).'],
		[
			{ stopAtCaptchas: 20 },
			{ captchaCount: 1204 },
			"1,204 captcha credits (Stop at Captcha Credits: 20). It went beyond 'Stop at Captcha Credits': the batch is checked at each poll ('Poll Interval'), and stopping takes a moment.",
		],
		[
			{ stopAtProxyUsage: 2.5 },
			{ ipProxyUsage: 2.5 },
			'2.5 proxy credits (Stop at Proxy Credits: 2.5).',
		],
	])('%j stops the run and returns its rows so far', async (budget, counts, said) => {
		atPoll(1, { status: 2, rows, lineCount: 3, ...counts });
		const result = await run(budget);
		expect(result.rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
		expect(service.sentTo('stop').map(({ body }) => body)).toEqual([{ taskID: service.taskID }]);
		expect(newest().status).toBe(4);
		expect(result.hints).toContain(`Batch 1001 was stopped at ${said}`);
	});

	test('a run below its budgets ends by itself', async () => {
		atPoll(1, { status: 2, rows, lineCount: 3 });
		atPoll(2, { status: 3, endTime: Date.now() });
		const result = await run({ stopAtRows: 4, stopAtCaptchas: 1, stopAtProxyUsage: 1 });
		expect(result.rows).toHaveLength(3);
		expect(service.sentTo('stop')).toEqual([]);
		expect(result.hints).toEqual([
			expect.stringMatching(/^Batch 1001: waited (less than 1|\d) s, 3 rows\.$/),
		]);
	});

	test('a run that has ended is not stopped, however much it has cost, and that is said', async () => {
		atPoll(1, { status: 3, endTime: Date.now(), rows, lineCount: 3 });
		const result = await run({ stopAtRows: 1 });
		expect(result.rows).toHaveLength(3);
		expect(service.sentTo('stop')).toEqual([]);
		expect(result.hints).toContain('Batch 1001 has ended at 3 rows (Stop at Rows: 1).');
	});

	test('beside a run of somebody else nothing is stopped, and after five minutes that is an error', async () => {
		service.addBatch({ status: 2 });
		atPoll(1, { status: 2, rows, lineCount: 3 });
		const clock = fastClock({ shortTimeOuts: false });
		const begin = performance.now();
		const { error } = await run({ stopAtRows: 3 });
		const passed = performance.now() - begin;
		clock.restore();
		expect(service.sentTo('stop')).toEqual([]);
		expect(error?.message).toBe(
			`Batch 1002 of task ${service.taskID} could not be stopped at 3 rows (Stop at Rows: 3), and is still running`,
		);
		expect(error?.description).toContain(
			'It was not stopped: batch 1001 of the task is running, too, and a stop could hit that one.',
		);
		expect(passed).toBeGreaterThan(300_000);
		expect(passed).toBeLessThan(330_000);
	});

	test('a stop that is not possible for four minutes comes then', async () => {
		const other = service.addBatch({ status: 2 });
		atPoll(1, { status: 2, rows, lineCount: 3 });
		const clock = fastClock({ shortTimeOuts: false });
		const begin = performance.now();
		service.script('batches', () => {
			if (performance.now() - begin > 240_000) Object.assign(other, { status: 3 });
			return undefined;
		});
		const result = await run({ stopAtRows: 3 });
		clock.restore();
		expect(service.batches.map(({ status }) => status)).toEqual([3, 4]);
		expect(result.hints).toContain('Batch 1002 was stopped at 3 rows (Stop at Rows: 3).');
	});

	test('where the run may take longer than five minutes, its stop is wanted as long', async () => {
		const other = service.addBatch({ status: 2 });
		atPoll(1, { status: 2, rows, lineCount: 3 });
		const clock = fastClock({ shortTimeOuts: false });
		const begin = performance.now();
		service.script('batches', () => {
			if (performance.now() - begin > 420_000) Object.assign(other, { status: 3 });
			return undefined;
		});
		const options = { pollInterval: 1, stopAtRows: 3 };
		await runOn(service, { operation: 'runAndGetData', timeout: 9, options });
		clock.restore();
		expect(service.batches.map(({ status }) => status)).toEqual([3, 4]);
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

	test.each([
		['is left alone', 1],
		['cannot be stopped', 0],
	])(
		'no further run of the task is started when one that was to be stopped %s',
		async (_when, others) => {
			for (let other = 0; other < others; other++) service.addBatch({ status: 2 });
			service.script('stop', refusal(9000002, 'not now'));
			service.script('batches', () => {
				Object.assign(newest(), { status: 2, rows, lineCount: 3 });
				return undefined;
			});
			const clock = fastClock({ shortTimeOuts: false });
			const result = await runOn(
				service,
				{ operation: 'runAndGetData', timeout: 1, options: { pollInterval: 1, stopAtRows: 3 } },
				{ input: [{}, {}, {}], settings: goOn },
			);
			clock.restore();
			expect(service.sentTo('start')).toHaveLength(1);
			expect(result.rows.at(-1)?.error).toMatch(
				/^Task .* was not started again: batch \d+ should have been stopped, but could not be$/,
			);
		},
	);

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
			expect(said).toMatch(
				failOnStopped ? /was stopped$/ : /Someone stopped batch \d+: rows may be missing/,
			);
		}
		expect(service.sentTo('stop')).toEqual([]);
	});

	test('Retry On Fail does not take its own stop for someone else’s', async () => {
		atPoll(1, { status: 2, rows, lineCount: 3 });
		service.script('data', refusal(9000004, 'hiccup'), { times: 1 });
		const options = { pollInterval: 1, stopAtRows: 3, failOnStopped: true };
		const parameters = { operation: 'runAndGetData', options };
		const result = await runOn(service, parameters, { settings: retryOnFail });
		expect(result.error).toBeUndefined();
		expect(result.rows).toHaveLength(3);
		expect(result.hints).toContain('Batch 1001 was stopped at 3 rows (Stop at Rows: 3).');
	});

	test('a stop that fails is tried again at the next poll', async () => {
		atPoll(1, { status: 2, rows, lineCount: 3 });
		service.script('stop', { status: 503 }, { times: 1 });
		const result = await run({ stopAtRows: 3 });
		expect(service.sentTo('stop')).toHaveLength(2);
		expect(result.rows).toHaveLength(3);
		expect(newest().status).toBe(4);
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
		const clock = fastClock({ shortTimeOuts: false });
		const { error } = await run({ stopAtRows: 3 });
		clock.restore();
		expect(error?.message).toBe('The service refused the request');
		expect(error?.description).toContain(
			`Batch 1001 of task ${service.taskID} could not be stopped at 3 rows (Stop at Rows: 3), and is still running.`,
		);
		expect(error?.description).toContain('The service says: not now');
	});

	test('a count that the service does not say is not taken for none', async () => {
		service.script('start', { body: '{"code":0,"data":{"batchID":7}}' });
		service.addBatch({ batchID: 7, rows, captchaCount: undefined });
		const { hints } = await run({ stopAtCaptchas: 5 });
		expect(hints.join('\n')).toContain(
			"The service does not say how many captcha credits batch 7 has used: 'Stop at Captcha Credits' could not be checked.",
		);
	});

	test.each([
		...[0, -1, '', 'many'].map((limit) => [limit, 'must be a number of at least 1']),
		...['={{ $json.nothing }}', '={{ null }}'].map((limit) => [limit, 'is empty']),
	])('the budget %j is refused before anything starts: it %s', async (limit, why) => {
		const { error } = await run({ stopAtRows: limit });
		expect(error?.message).toContain(`Stop at Rows ${why}`);
		expect(service.requests).toEqual([]);
	});
});
