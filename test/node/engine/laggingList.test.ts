import { randomUUID } from 'node:crypto';

import { useFastClock } from '../../support/engine/fastClock';
import { logLine } from '../../support/engine/n8nLog';
import { runOn, startNode } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { refusal, reset, page, success } from '../../support/scriptedService/scriptedAnswers';
import type { Answer } from '../../support/scriptedService/scriptedAnswers';
import { asStarted, onTheWire } from '../../support/scriptedService/scriptedStore';
import type { ScriptedBatch } from '../../support/scriptedService/scriptedStore';
import { budgetedRun, rows } from './budgetedRun';

/** A list that is older than a stop does not show what the stop has done, nor who has started since. */
describe('a stop that the list does not show yet', () => {
	useFastClock();
	const service = useScriptedService(() => ({ taskIDs: [randomUUID()] }));

	const { run, newest, atPoll } = budgetedRun(service);

	/**
	 * The first stop is carried out and answered so; the list shows it after so many seconds, and by then
	 * somebody else has started a run, which any further stop would hit.
	 */
	const lagsBehindStop = (
		seconds: number,
		answer: (own: ScriptedBatch) => Answer | Promise<Answer>,
	) => {
		const carryOut = () => {
			const own = newest();
			const before = onTheWire({ ...own });
			Object.assign(own, { status: 4, endTime: Date.now(), updateTime: Date.now() });
			const stoppedAt = performance.now();
			service.script('batches', () => {
				const passed = performance.now() - stoppedAt;
				if (passed >= 2_000 && service.batches.length === 1) service.addBatch({ status: 2 });
				return passed < seconds * 1_000 ? page([before], { total: 1 }) : undefined;
			});
			return answer(own);
		};
		service.script('stop', carryOut, { times: 1 });
	};

	const statuses = () => service.batches.map(({ status }) => status);

	const answers: Array<[string, number, (own: ScriptedBatch) => Answer]> = [
		['its answer is lost', 8, () => reset],
		['it is answered as failed', 50, () => ({ status: 503 })],
		['"nothing runs" is the answer', 8, () => refusal(9000002, 'nothing runs')],
		['"not found" is the answer', 8, () => refusal(9000004, 'no run to stop')],
		['no batch is the answer', 50, () => success(null)],
		['an end is the answer', 90, (own) => success(onTheWire(own))],
		['an end time is the answer', 90, (own) => success(onTheWire({ ...own, status: 2 }))],
		[
			'nothing but the end is the answer',
			90,
			({ batchID }) => success({ batchID: String(batchID), status: 4 }),
		],
	];

	test.each(answers)('is sent once when %s and the list lags %i s', async (_how, lag, answer) => {
		atPoll(1, { status: 2, rows, lineCount: 3 });
		lagsBehindStop(lag, answer);
		const result = await run({ stopAtRows: 3 });
		expect(result.error).toBeUndefined();
		expect(result.rows).toHaveLength(3);
		expect(result.hints).toContain('Batch 1001 was stopped at 3 rows (Stop at Rows: 3).');
		expect(service.sentTo('stop')).toHaveLength(1);
		expect(statuses()).toEqual([4, 2]);
	});

	test.each(answers)('is sent once after a cancel when %s', async (_how, lag, answer) => {
		lagsBehindStop(lag, answer);
		const { run: execution } = startNode({
			parameters: { taskId: service.taskID, operation: 'runAndGetData' },
			credential: service.credential,
		});
		while (service.batches.length === 0) await new Promise(setImmediate);
		execution.cancel();
		await execution.catch(() => {});
		expect(await logLine(`Batch 1001 of task ${service.taskID} was stopped.`)).toBeDefined();
		expect(service.sentTo('stop')).toHaveLength(1);
		expect(statuses()).toEqual([4, 2]);
	});

	/**
	 * The list is so many seconds older than what it tells: when the run that a stop has ended is listed so,
	 * somebody else's has gone on for long.
	 */
	const lags = (seconds: number) => {
		let [begunAt, stoppedAt] = [0, Infinity];
		service.script('start', () => {
			begunAt = performance.now();
			const own = service.addBatch({ status: 2, rows, lineCount: 3 });
			return success(asStarted(own));
		});
		service.script('batches', () => {
			const seen = performance.now() - seconds * 1_000;
			if (performance.now() > stoppedAt + 2_000 && service.batches.length === 1) {
				service.addBatch({ status: 2 });
			}
			const [own, other] = service.batches;
			const listed = [
				...(other && seen > stoppedAt + 2_000 ? [onTheWire(other)] : []),
				...(seen < begunAt ? [] : [onTheWire({ ...own, status: seen < stoppedAt ? 2 : 4 })]),
			];
			return page(listed, { total: listed.length });
		});
		return {
			stop: () => (stoppedAt = Math.min(stoppedAt, performance.now())),
		};
	};

	const parameters = (timeout: number) => ({
		operation: 'runAndGetData',
		timeout,
		options: { pollInterval: 1, stopAtRows: 3 },
	});

	test.each(answers.filter(([, lag]) => lag < 90))(
		'is sent once when %s and the list lags behind everything by 100 s',
		async (_how, _lag, answer) => {
			const list = lags(100);
			service.script('stop', () => {
				Object.assign(newest(), { status: 4 });
				list.stop();
				return answer(newest());
			});
			const result = await runOn(service, parameters(10));
			expect(result.error).toBeUndefined();
			expect(service.sentTo('stop')).toHaveLength(1);
			expect(statuses()).toEqual([4, 2]);
		},
	);

	test('is sent again after twice the time that the list has lagged behind', async () => {
		const list = lags(100);
		service.script('stop', reset, { times: 1 });
		service.script('stop', () => {
			list.stop();
			return undefined;
		});
		const result = await runOn(service, parameters(15));
		expect(result.error).toBeUndefined();
		const [first, second, ...more] = service.sentTo('stop').map(({ at }) => at);
		expect(second - first).toBeGreaterThan(200_000);
		expect(second - first).toBeLessThan(260_000);
		expect(more).toEqual([]);
	});

	test('is not sent a second time by a cancel while its answer is awaited', async () => {
		let cancel = () => {};
		const cancelled = new Promise<void>((resolve) => (cancel = resolve));
		atPoll(1, { status: 2, rows, lineCount: 3 });
		lagsBehindStop(8, async () => {
			await cancelled;
			return reset;
		});
		const { run: execution } = startNode({
			parameters: {
				taskId: service.taskID,
				operation: 'runAndGetData',
				options: { pollInterval: 1, stopAtRows: 3 },
			},
			credential: service.credential,
		});
		while (service.sentTo('stop').length === 0) await new Promise(setImmediate);
		execution.cancel();
		cancel();
		await execution.catch(() => {});
		expect(await logLine(`Batch 1001 of task ${service.taskID} was stopped.`)).toBeDefined();
		expect(service.sentTo('stop')).toHaveLength(1);
		expect(statuses()).toEqual([4, 2]);
	});

	test('is waited for in other items as well: theirs would hit the run that has begun since', async () => {
		const own = [1, 2].map(() => service.addBatch({ status: 2, rows, lineCount: 3 }));
		const stopFirst = () => {
			const before = own.map((batch) => onTheWire({ ...batch })).reverse();
			Object.assign(own[1], { status: 4, endTime: Date.now() });
			const other = service.addBatch({ status: 2 });
			const stoppedAt = performance.now();
			service.script('batches', () => {
				const passed = performance.now() - stoppedAt;
				if (passed >= 50_000) Object.assign(other, { status: 3, endTime: Date.now() });
				return passed < 20_000 ? page(before, { total: 2 }) : undefined;
			});
			return success(onTheWire(own[1]));
		};
		service.script('stop', stopFirst, { times: 1 });
		const parameters = {
			operation: 'getData',
			batch: 'id',
			batchId: '={{ $json.batchID }}',
			options: { waitForEnd: true, pollInterval: 1, stopAtRows: 3 },
		};
		const input = own.map(({ batchID }) => ({ batchID: String(batchID) }));
		const result = await runOn(service, parameters, { input });
		expect(result.error).toBeUndefined();
		expect(service.sentTo('stop')).toHaveLength(2);
		expect(statuses()).toEqual([4, 4, 3]);
	});

	/** The stop is answered as done, is not, and the run is listed as `next` says from then on. */
	const goesOn = (
		answered: Partial<ScriptedBatch>,
		next: (passed: number) => Partial<ScriptedBatch>,
	) => {
		atPoll(1, { status: 2, rows, lineCount: 3, createTime: 1, updateTime: 1 });
		const answer = () => {
			const stoppedAt = performance.now();
			service.script('batches', () => {
				Object.assign(newest(), next(performance.now() - stoppedAt));
				return undefined;
			});
			return success(onTheWire({ ...newest(), status: 4, ...answered }));
		};
		service.script('stop', answer, { times: 1 });
	};

	const untimed = { updateTime: 0, endTime: 0 };

	test.each<[string, Partial<ScriptedBatch>, (passed: number) => Partial<ScriptedBatch>]>([
		['a later update', { endTime: 50 }, () => ({ updateTime: 51 })],
		['more rows, without times', untimed, () => ({ updateTime: 0, lineCount: 4 })],
		['more captchas, without times', untimed, () => ({ updateTime: 0, captchaCount: 1 })],
	])('is sent again, after a minute, where the list shows %s', async (_what, answered, next) => {
		goesOn(answered, next);
		const result = await run({ stopAtRows: 3 });
		expect(result.error).toBeUndefined();
		const [first, second, ...more] = service.sentTo('stop').map(({ at }) => at);
		expect(second - first).toBeGreaterThan(60_000);
		expect(second - first).toBeLessThan(75_000);
		expect(more).toEqual([]);
		expect(statuses()).toEqual([4]);
	});

	test.each<[string, Partial<ScriptedBatch>, (passed: number) => Partial<ScriptedBatch>]>([
		['the same', { endTime: 50 }, () => ({})],
		[
			'more rows at an earlier time',
			{ endTime: 50, lineCount: 3 },
			() => ({ updateTime: 49, lineCount: 9 }),
		],
		[
			'more rows than an answer that counts none',
			{ ...untimed, lineCount: 0 },
			(passed) => ({ updateTime: 0, lineCount: 3 + Math.floor(passed / 1_000) }),
		],
	])(
		'is not sent again where the list shows %s, and is an error',
		async (_what, answered, next) => {
			goesOn(answered, next);
			const begin = performance.now();
			const { error } = await run({ stopAtRows: 3 });
			expect(performance.now() - begin).toBeGreaterThan(300_000);
			expect(service.sentTo('stop')).toHaveLength(1);
			expect(error?.message).toContain('could not be stopped at');
			expect(error?.description).toContain(
				'It was not stopped: the service has accepted a stop, but has not ended it yet.',
			);
		},
	);

	test.each<[string, Answer]>([
		['the key was turned away', refusal(9000003, 'revoked')],
		['a parameter was refused', refusal(9000001, 'odd')],
		['no service has seen it', { status: 404, body: 'Not found' }],
		['it was redirected', { status: 307, headers: { location: '/' } }],
	])('is sent again at once where %s: nothing was stopped', async (_why, answer) => {
		atPoll(1, { status: 2, rows, lineCount: 3 });
		service.script('stop', answer, { times: 1 });
		const begin = performance.now();
		const result = await run({ stopAtRows: 3 });
		expect(result.error).toBeUndefined();
		expect(performance.now() - begin).toBeLessThan(10_000);
		expect(service.sentTo('stop')).toHaveLength(2);
	});

	test('is not asked of a cache: every GET says so', async () => {
		atPoll(1, { status: 2, rows, lineCount: 3 });
		await run({ stopAtRows: 3 });
		const gets = service.requests.filter(({ method }) => method === 'GET');
		expect(gets.length).toBeGreaterThan(2);
		for (const { headers } of gets) expect(headers['cache-control']).toBe('no-cache');
	});
});
