import type { INodeParameters } from 'n8n-workflow';

import { fastClock, useFastClock } from '../../support/engine/fastClock';
import { runOn } from '../../support/engine/runNode';
import { success } from '../../support/scriptedService/scriptedAnswers';
import { startScriptedService } from '../../support/scriptedService/scriptedService';
import type { ScriptedService } from '../../support/scriptedService/scriptedService';
import type { ScriptedBatch } from '../../support/scriptedService/scriptedStore';
import { onTheWire } from '../../support/scriptedService/scriptedStore';

const goOn = { onError: 'continueRegularOutput' } as const;

describe('a stop that is answered', () => {
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
				? { operation: 'runAndGetData', timeout: 1 }
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
		expect(made[0].error).toContain('Batch 1001 of task');
		expect(made[0].error).toContain('could not be stopped at 3 rows (Stop at Rows: 3)');
		expect(made[1].error).toContain('is not started again');
	});
});
