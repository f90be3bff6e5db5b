import { fastClock, useFastClock } from '../../support/engine/fastClock';
import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { cut, html, refusal, reset, success } from '../../support/scriptedService/scriptedAnswers';
import { onTheWire } from '../../support/scriptedService/scriptedStore';
import { budgetedRun, goOn, rows } from './budgetedRun';
import { retryOnFail } from './retryOnFail';

/** Only the list says whether a run that was to be stopped has ended, and how. */
describe('a stop that is wanted', () => {
	useFastClock();
	const service = useScriptedService();

	const { run, newest, atPoll } = budgetedRun(service);

	/** The service says that it has stopped the run, and does so when the node has looked `looks` times. */
	const endsLate = (looks: number) => {
		service.script('stop', () => {
			const stopped = newest();
			service.script(
				'batches',
				() => {
					Object.assign(stopped, { status: 4, endTime: Date.now(), rows, lineCount: 3 });
					return undefined;
				},
				{ skip: looks, times: 1 },
			);
			return success(onTheWire({ ...stopped, status: 4, endTime: Date.now() }));
		});
	};

	test('an answer that the run is stopped is no proof: the list is, and rows until then come out', async () => {
		atPoll(1, { status: 2, rows: rows.slice(1), lineCount: 2 });
		endsLate(4);
		const result = await run({ stopAtRows: 2 });
		expect(result.rows).toHaveLength(3);
		expect(service.sentTo('stop')).toHaveLength(1);
		expect(service.sentTo('batches')).toHaveLength(1 + 1 + 5);
	});

	test('the next item starts when the run before it is listed as stopped, not when the stop is answered', async () => {
		service.script('start', () => {
			expect(service.batches.every(({ status }) => status === 4)).toBe(true);
			return undefined;
		});
		service.script('batches', () => {
			if (newest().status === 1) Object.assign(newest(), { status: 2, rows, lineCount: 3 });
			return undefined;
		});
		endsLate(3);
		const options = { pollInterval: 1, stopAtRows: 3 };
		const { error } = await runOn(
			service,
			{ operation: 'runAndGetData', options },
			{ input: [{}, {}] },
		);
		expect(error).toBeUndefined();
		expect(service.sentTo('start')).toHaveLength(2);
		expect(service.sentTo('stop')).toHaveLength(2);
	});

	test('a stop that is answered as done and never carried out is an error, and no further run starts', async () => {
		service.script('batches', () => {
			Object.assign(newest(), { status: 2, rows, lineCount: 3 });
			return undefined;
		});
		service.script('stop', () => success(onTheWire({ ...newest(), status: 4, endTime: 5 })));
		const options = { pollInterval: 1, stopAtRows: 3 };
		const { rows: made } = await runOn(
			service,
			{ operation: 'runAndGetData', timeout: 1, options },
			{ input: [{}, {}], settings: goOn },
		);
		expect(service.sentTo('start')).toHaveLength(1);
		expect(service.sentTo('stop')).toHaveLength(1);
		expect(made[0].error).toContain('Batch 1001 of task');
		expect(made[0].error).toContain('could not be stopped at 3 rows (Stop at Rows: 3)');
		expect(made[1].error).toContain('was not started again');
	});

	/** The run has used up its budget at the first poll, and ends by itself so many seconds later. */
	const endsByItself = (seconds: number) => {
		atPoll(1, { status: 2, rows, lineCount: 3 });
		const begin = performance.now();
		service.script('batches', () => {
			if (performance.now() - begin < seconds * 1_000) return undefined;
			const five = [...rows, '{"n":4}', '{"n":5}'];
			Object.assign(newest(), { status: 3, endTime: 5, rows: five, lineCount: 5 });
			return undefined;
		});
	};

	describe.each<[string, () => void, string]>([
		[
			'beside a run of somebody else',
			() => service.addBatch({ status: 2 }),
			'batch 1001 of the task is running, too, and a stop could hit that one',
		],
		[
			'whose stop is refused',
			() => service.script('stop', refusal(9000002, 'not now')),
			'the stop failed (The service refused the request)',
		],
		[
			'whose stop is accepted and not carried out for more than a minute',
			() => service.script('stop', () => success(onTheWire(newest()))),
			'the service has accepted a stop, but has not ended it yet',
		],
	])('a run %s that ends by itself beyond its budget', (_which, prevent, why) => {
		test.each([
			['fails the node', {}],
			['fails its item, and no further one is started', goOn],
			['fails every try of the node', retryOnFail],
		])('%s', async (_what, settings) => {
			prevent();
			endsByItself(90);
			const { error, rows: made } = await runOn(
				service,
				{ operation: 'runAndGetData', timeout: 1, options: { pollInterval: 1, stopAtRows: 3 } },
				{ input: [{}, {}, {}], settings },
			);
			const failure = error ?? made[0];
			expect(error?.message ?? made[0].error).toMatch(
				/^Batch \d+ of task .* could not be stopped at 5 rows \(Stop at Rows: 3\), and has ended by itself$/,
			);
			expect(failure.description).toContain(
				`It was not stopped: ${why}. Its status is successful. Get Data reads its rows by its ID.`,
			);
			expect(service.sentTo('start')).toHaveLength(1);
			for (const { error: refused } of made.slice(1)) {
				expect(refused).toContain('was not started again');
			}
		});
	});

	test('a run that ends while its stop is carried out is no error, though it counts as successful', async () => {
		service.script('stop', () => success(onTheWire(newest())));
		endsByItself(5);
		const result = await run({ stopAtRows: 3 });
		expect(result.rows).toHaveLength(5);
		expect(result.hints).toContain('Batch 1001 has ended at 5 rows (Stop at Rows: 3).');
	});

	test.each([
		['is lost', reset, /the stop failed \(.*\)/],
		['is that of a gateway', html(502, 'Bad Gateway'), /the stop failed \(.*\)/],
		['is cut', cut(success({})), /the stop failed \(.*\)/],
	])(
		'a run whose stop %s, and that ends by itself soon, is an error, and starts no other',
		async (_which, answer, why) => {
			service.script('stop', answer);
			endsByItself(5);
			const { rows: made } = await runOn(
				service,
				{ operation: 'runAndGetData', options: { pollInterval: 1, stopAtRows: 3 } },
				{ input: [{}, {}], settings: goOn },
			);
			expect(made[0].error).toMatch(/could not be stopped at 5 rows .* and has ended by itself$/);
			expect(made[0].description).toMatch(why);
			expect(made[1].error).toContain('was not started again');
			expect(service.sentTo('start')).toHaveLength(1);
		},
	);

	test('a run that is stopped is read when it has ended', async () => {
		atPoll(1, { status: 2, rows: rows.slice(1), lineCount: 2 });
		service.script('stop', () => success(onTheWire({ ...newest(), status: 2 })));
		atPoll(3, { status: 4, endTime: Date.now(), rows, lineCount: 3 });
		expect((await run({ stopAtRows: 2 })).rows).toHaveLength(3);
	});

	test('a stop that is accepted and not carried out is sent again after a minute, and is an error in the end', async () => {
		service.script('batches', () => {
			Object.assign(newest(), { status: 2, rows, lineCount: 3 });
			return undefined;
		});
		service.script('stop', () => success(onTheWire(newest())));
		const clock = fastClock({ shortTimeOuts: false });
		const { rows: made } = await runOn(
			service,
			{ operation: 'runAndGetData', timeout: 1, options: { pollInterval: 1, stopAtRows: 3 } },
			{ input: [{}, {}], settings: goOn },
		);
		clock.restore();
		expect(service.sentTo('start')).toHaveLength(1);
		const times = service.sentTo('stop').map(({ at }) => at);
		expect(times.length).toBeGreaterThan(2);
		for (const [index, time] of times.slice(1).entries()) {
			expect(time - times[index]).toBeGreaterThan(60_000);
		}
		expect(made[0].error).toContain('Batch 1001 of task');
		expect(made[0].description).toContain(
			'It was not stopped: the service has accepted a stop, but has not ended it yet.',
		);
	});
});
