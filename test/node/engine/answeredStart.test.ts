import { fastClock } from '../../support/engine/fastClock';
import { runOn } from '../../support/engine/runNode';
import { success } from '../../support/scriptedService/scriptedAnswers';
import { startScriptedService } from '../../support/scriptedService/scriptedService';
import type { ScriptedService } from '../../support/scriptedService/scriptedService';
import { onTheWire } from '../../support/scriptedService/scriptedStore';
import { retryOnFail } from './retryOnFail';

/** A service may answer a start with a run of somebody else that goes on already. */
describe('of the batches with which a start is answered', () => {
	let service: ScriptedService;

	beforeEach(async () => {
		service = await startScriptedService();
	});

	afterEach(async () => {
		await service.stop();
	});

	/** Times of an answer, one of which is so many seconds before the others. */
	const before = (time: 'createTime' | 'startTime', seconds: number) => {
		const now = 1_800_000_000_000;
		return { createTime: now, startTime: now, updateTime: now, [time]: now - seconds * 1_000 };
	};

	describe.each([
		['', {}],
		[' with Retry On Fail', retryOnFail],
	])('%s one that is not new is waited for, and not stopped', (_how, settings) => {
		test.each<[string, object, string]>([
			['has rows', { status: 2, lineCount: '5000' }, 'it had 5,000 rows'],
			['has duplicated rows', { duplicatedCount: 4 }, 'it had 4 duplicated rows'],
			['has solved captchas', { status: 2, captchaCount: 1 }, 'it had 1 captchas'],
			['has used a proxy', { status: 2, ipProxyUsage: 0.5 }, 'it had 0.5 proxy usage'],
			['has taken time', { status: 2, useTime: 90 }, 'it was 90 s old'],
			['was made before', { status: 2, ...before('createTime', 60) }, 'it was 60 s old'],
			['waits since then', { status: 1, ...before('createTime', 60) }, 'it was 60 s old'],
			['was started before', { status: 2, ...before('startTime', 60) }, 'it was 60 s old'],
			[
				'was started long after it was made',
				{ status: 2, createTime: 1_800_000_000, startTime: 1_800_000_060, updateTime: 0 },
				'it was 60 s old',
			],
		])('where it %s', async (_which, answer, why) => {
			const other = service.addBatch({ status: 2, rows: ['{"n":1}'], lineCount: 5_000 });
			service.script('start', success({ batchID: other.batchID, ...answer }));
			const parameters = {
				operation: 'runAndGetData',
				options: { stopAtRows: 1, pollInterval: 1 },
			};
			const { error } = await runOn(service, parameters, { settings });
			expect(error?.message).toMatch(/^Batch 1001 of task .* could not be stopped at 5,000 rows/);
			expect(error?.description).toContain(why);
			expect(service.sentTo('start')).toHaveLength(1);
			expect(service.sentTo('stop')).toEqual([]);
		});
	});

	test('one that has ended when the start is answered is read', async () => {
		service.script('start', () => success(onTheWire(service.addBatch({ rows: ['{"n":1}'] }))));
		const { rows, error } = await runOn(service, { operation: 'runAndGetData' });
		expect(error).toBeUndefined();
		expect(rows).toEqual([{ n: 1 }]);
	});

	test.each<[string, object]>([
		['counts as text', { status: 1, lineCount: '0', endTime: '0' }],
		['no counts', {}],
		['the status running', { status: 2, startTime: 5, lineCount: 0 }],
		['null for all that it does not know', { status: 1, lineCount: null, endTime: null }],
		['a planned end while it waits', { status: 1, endTime: 4_000_000_000 }],
		['a planned end while it runs', { status: 2, endTime: 4_000_000_000_000 }],
		['a planned start', { status: 1, ...before('createTime', 0), startTime: 1_800_000_900_000 }],
		['times that differ by seconds', { status: 2, ...before('createTime', 4) }],
		['times that differ by a year', { status: 2, ...before('createTime', 31_536_000) }],
		['times that are none', { status: 2, createTime: 5, startTime: 'now', updateTime: 9e9 }],
		['times in two units', { createTime: 1_800_000_000, updateTime: 1_800_000_000_500 }],
		['used a second', { status: 2, useTime: 1 }],
	])('a new one may have %s, and is stopped over its budget', async (_what, batch) => {
		const own = service.addBatch({ status: 2, rows: ['{"n":1}'], lineCount: 5_000 });
		service.script('start', success({ batchID: own.batchID, ...batch }));
		const options = { stopAtRows: 1, pollInterval: 1 };
		const { error } = await runOn(service, { operation: 'runAndGetData', options });
		expect(error).toBeUndefined();
		expect(own.status).toBe(4);
	});

	test('a new one may be as old as the request for it took', async () => {
		const own = service.addBatch({ status: 2, rows: ['{"n":1}'], lineCount: 5_000 });
		const clock = fastClock({ shortTimeOuts: false });
		service.script('start', () => {
			clock.passMinutes(1);
			return success({ batchID: own.batchID, status: 2, ...before('createTime', 60) });
		});
		const options = { stopAtRows: 1, pollInterval: 1 };
		const { error } = await runOn(service, { operation: 'runAndGetData', options });
		clock.restore();
		expect(error).toBeUndefined();
		expect(own.status).toBe(4);
	});
});
