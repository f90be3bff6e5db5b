import type { INodeParameters } from 'n8n-workflow';

import { fastClock } from '../../support/engine/fastClock';
import { runOn, startNode } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { drip, html, refusal, reset, success } from '../../support/scriptedService/scriptedAnswers';
import type { Answer } from '../../support/scriptedService/scriptedAnswers';
import { onTheWire } from '../../support/scriptedService/scriptedStore';
import { retryOnFail } from './retryOnFail';

/** A service may answer a start with a run of somebody else that goes on already. */
describe('of the batches with which a start is answered', () => {
	const service = useScriptedService();
	let clock: ReturnType<typeof fastClock>;

	beforeEach(() => {
		clock = fastClock({ shortTimeOuts: true });
	});

	afterEach(() => {
		clock.restore();
	});

	const going = { status: 2, rows: ['{"n":1}'], lineCount: 5_000 };
	const parameters = {
		operation: 'runAndGetData',
		options: { stopAtRows: 1, pollInterval: 1 },
	};

	/** The start begins a run that the answer shows like this. */
	const begin = (shown: object = {}) =>
		service.script('start', () => success({ ...onTheWire(service.addBatch(going)), ...shown }));

	const stopsOwn = async () => {
		const { error, rows } = await runOn(service, parameters);
		expect(error).toBeUndefined();
		expect(rows).toEqual([{ n: 1 }]);
		expect(service.batches.at(-1)?.status).toBe(4);
	};

	const waiting = { createTime: 1_800_000_000_000, updateTime: 1_800_000_000_000, status: 1 };

	test.each([
		['', {}],
		[', also with Retry On Fail', retryOnFail],
	])('one that was listed before is waited for, and not stopped%s', async (_how, settings) => {
		const { batchID } = service.addBatch(going);
		service.script('start', success({ batchID, ...waiting }));
		const { error } = await runOn(service, parameters, { settings });
		expect(error?.message).toMatch(/^Batch 1001 of task .* could not be stopped at 5,000 rows/);
		expect(error?.description).toContain(
			"It was not stopped: the service had listed it before the start, so it may be someone else's.",
		);
		expect(service.sentTo('batchesBefore')).toHaveLength(1);
		expect(service.sentTo('start')).toHaveLength(1);
		expect(service.sentTo('stop')).toEqual([]);
	});

	test('one that has ended when the start is answered is read', async () => {
		service.script('start', () => success(onTheWire(service.addBatch({ rows: ['{"n":1}'] }))));
		const { rows, error } = await runOn(service, parameters);
		expect(error).toBeUndefined();
		expect(rows).toEqual([{ n: 1 }]);
	});

	test.each<[string, object]>([
		['counts, since its start took long', { captchaCount: 1, lineCount: '5000', useTime: 90 }],
		['no counts', { lineCount: undefined, captchaCount: null }],
		['a planned end while it waits', { status: 1, endTime: 4_000_000_000 }],
		['a planned start', { ...waiting, startTime: 1_800_000_900_000 }],
		['a time of creation without its seconds', { ...waiting, createTime: 1_799_999_940_000 }],
		['times of two zones', { createTime: 1_799_974_800_000, updateTime: 1_800_000_000_000 }],
		['a time of updates that is ahead', { ...waiting, updateTime: 1_800_000_060_000 }],
		['times that are none', { createTime: 5, startTime: 'now', updateTime: 9e9 }],
	])('a new one may have %s, and is stopped over its budget', async (_what, shown) => {
		service.addBatch();
		begin(shown);
		await stopsOwn();
	});

	test.each<[string, Answer]>([
		['fails', { status: 503 }],
		['is refused', refusal(9000002, 'not now')],
		['is turned away', refusal(9000003, 'no key')],
		['is no answer of the API', html(200, 'Welcome')],
		['is cut', reset],
		['does not come in time', drip],
	])('where the list before %s, it counts as new: asked once', async (_how, answer) => {
		service.script('batchesBefore', answer);
		begin();
		await stopsOwn();
		expect(service.sentTo('batchesBefore')).toHaveLength(1);
	});

	test('where it fails, one that was listed before an earlier start stays in doubt', async () => {
		const { batchID } = service.addBatch(going);
		service.script('start', success({ batchID }));
		service.script('batchesBefore', { status: 503 }, { skip: 1 });
		await runOn(service, parameters);
		const { error } = await runOn(service, parameters);
		expect(error?.description).toContain('had listed it before the start');
		expect(service.sentTo('stop')).toEqual([]);
	});

	test('a list before whose size is refused is asked for with smaller pages', async () => {
		const { batchID } = service.addBatch(going);
		service.rules.maxSize = 100;
		service.script('start', success({ batchID }));
		const { error } = await runOn(service, parameters);
		expect(error?.description).toContain('had listed it before the start');
		expect(service.sentTo('stop')).toEqual([]);
	});

	test('the list before is asked for by nothing that stops no run', async () => {
		await runOn(service, { operation: 'start' });
		expect(service.requests.map(({ endpoint }) => endpoint)).toEqual(['start']);
	});

	test('a cancel while it is listed starts nothing', async () => {
		const { run } = startNode({
			parameters: { taskId: service.taskID, ...parameters },
			credential: service.credential,
		});
		service.script('batchesBefore', () => {
			run.cancel();
			return undefined;
		});
		await run.catch(() => {});
		expect(service.requests.map(({ endpoint }) => endpoint)).toEqual(['batchesBefore']);
	});

	describe('that two executions of this process wait for', () => {
		/** Both starts are answered with the same run; it is listed before the second one. */
		const shareRun = async (...options: INodeParameters[]) => {
			const executions = [];
			const own = () => service.batches.at(-1);
			service.script('start', () => success(onTheWire(own() ?? service.addBatch(waiting))));
			for (const each of options) {
				executions.push(
					startNode({
						parameters: { taskId: service.taskID, ...parameters, options: each },
						credential: service.credential,
					}),
				);
				const asked = executions.length;
				await until(() => service.sentTo('start').length === asked);
				await until(() => service.requests.at(-1)?.endpoint === 'batches');
			}
			return executions;
		};

		const until = async (isSo: () => boolean) => {
			while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
		};

		const polled = async (times: number) => {
			const before = service.sentTo('batches').length;
			await until(() => service.sentTo('batches').length >= before + times);
		};

		const budget = { stopAtRows: 1, pollInterval: 1 };
		const noBudget = { pollInterval: 1 };

		const taskOf = async ({ run }: ReturnType<typeof startNode>) =>
			(await run).data.resultData.runData['Cloud Scraping']?.at(-1);

		test('is stopped when both want that', async () => {
			const executions = await shareRun(budget, budget);
			Object.assign(service.batches[0], going);
			for (const execution of executions) expect((await taskOf(execution))?.error).toBeUndefined();
			expect(service.sentTo('stop')).toHaveLength(1);
			expect(service.batches[0].status).toBe(4);
		});

		test.each([
			['first', [budget, noBudget]],
			['second', [noBudget, budget]],
		])('is not stopped when only the %s one wants that', async (_which, options) => {
			const executions = await shareRun(...options);
			Object.assign(service.batches[0], going);
			await polled(20);
			Object.assign(service.batches[0], { status: 3, endTime: Date.now() });
			const tasks = await Promise.all(executions.map(taskOf));
			expect(service.sentTo('stop')).toEqual([]);
			const [without, withBudget] = options[0] === noBudget ? tasks : tasks.reverse();
			expect(without?.error).toBeUndefined();
			expect(withBudget?.error).toHaveProperty(
				'description',
				'It was not stopped: another execution of this n8n process is waiting for its rows. Its status is successful. Get Data reads its rows by its ID.',
			);
		});

		test('is stopped when one is cancelled and the other one, too', async () => {
			const [first, second] = await shareRun(noBudget, noBudget);
			first.run.cancel();
			await polled(20);
			expect(service.sentTo('stop')).toEqual([]);
			second.run.cancel();
			await until(() => service.batches[0].status === 4);
			await Promise.allSettled([first.run, second.run]);
			expect(service.sentTo('stop')).toHaveLength(1);
		});
	});
});
