import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { runOn } from '../../support/engine/runNode';
import { shiftedClock } from '../../support/engine/shiftedClock';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { refusal, success } from '../../support/scriptedService/scriptedAnswers';
import type { ScriptedBatch } from '../../support/scriptedService/scriptedStore';
import { asStarted } from '../../support/scriptedService/scriptedStore';
import { retryOnFail } from './retryOnFail';

describe('hints', () => {
	const hundreds = Array.from({ length: 300 }, (_task, n) => `task-${n}`);
	const service = useScriptedService(() => ({ taskIDs: ['a', 'b', 'empty', ...hundreds] }));

	const numbered = (count: number) => Array.from({ length: count }, (_row, n) => `{"n":${n}}`);

	/** A column for each item of the task without rows, which its batch does not have. */
	const columns = "={{ $json.task === 'empty' ? ['x' + $itemIndex] : [] }}";

	/** The hints of an execution with one item for each of these tasks. */
	const hintsOf = async (
		tasks: string[],
		parameters: INodeParameters = {},
		settings: Partial<INode> = {},
	) => {
		const input: IDataObject[] = tasks.map((task) => ({ task }));
		const { hints } = await runOn(
			service,
			{ operation: 'getData', returnAll: true, ...parameters, taskId: '={{ $json.task }}' },
			{ input, settings },
		);
		return hints;
	};

	test('say how many rows a batch has given', async () => {
		service.addBatch({ rows: numbered(1_204) });
		expect(await hintsOf(['a'])).toEqual(['Batch 1001: 1,204 rows.']);
	});

	test('say that a limit has cut the rows', async () => {
		service.addBatch({ rows: [...numbered(1_203), '{"n":0}'] });
		const limit = { returnAll: false, limit: 50 };
		expect(await hintsOf(['a'], limit)).toEqual(['Batch 1001: 50 of 1,204 rows (Limit).']);
		const options = { deduplication: 'read' };
		expect(await hintsOf(['a'], { ...limit, limit: 1_203, options })).toEqual([
			'Batch 1001: 1,203 of 1,204 rows (Limit).',
		]);
	});

	test('say of how many rows some are duplicates or came out before', async () => {
		const six = ['0', '1', '2', '0', '1', '2'].map((n) => `{"n":${n}}`);
		service.addBatch({ rows: six });
		const options = { deduplication: 'read' };
		const only = 'Batch 1001: 3 of 6 rows, 3 duplicates within the batch left out.';
		expect(await hintsOf(['a'], { options })).toEqual([only]);
		const file = { output: 'file', fileFormat: 'csv', binaryPropertyName: 'data' };
		expect(await hintsOf(['a'], { ...file, options })).toEqual([only]);
		expect(await hintsOf(['a', 'a'], { options })).toEqual([
			'2 batches: 6 of 12 rows, 6 duplicates within a batch left out.',
		]);
		const limited = { returnAll: false, limit: 3, options };
		service.batches[0].rows = ['{"n":0}', ...six];
		expect(await hintsOf(['a'], limited)).toEqual([
			'Batch 1001: 3 of 7 rows (Limit), 1 duplicate within the batch left out.',
		]);
	});

	test('say how many of the rows are duplicates, where the service counts them among all that came', async () => {
		service.addBatch({ rows: numbered(5), duplicatedCount: 3 });
		expect(await hintsOf(['a'])).toEqual(['Batch 1001: 5 rows, 3 of them duplicates.']);
		expect(await hintsOf(['a', 'a'])).toEqual(['2 batches: 10 rows, 6 of them duplicates.']);
		expect(await hintsOf(['a'], { returnAll: false, limit: 4 })).toEqual([
			'Batch 1001: 4 of 5 rows (Limit).',
		]);
		expect(await hintsOf(['a'], { options: { deduplication: 'read' } })).toEqual([
			'Batch 1001: 5 rows.',
		]);
		service.addBatch({ rows: numbered(5), duplicatedCount: 1 });
		expect(await hintsOf(['a'])).toEqual(['Batch 1002: 5 rows, 1 of them a duplicate.']);
		// It does not give those that it counts.
		service.addBatch({ rows: numbered(5), lineCount: 8, duplicatedCount: 3 });
		expect(await hintsOf(['a'])).toEqual(['Batch 1003: 5 rows.']);
	});

	test.each<[string, Partial<ScriptedBatch>, string]>([
		['its times', { startTime: 1_795_000_000_000, endTime: 1_795_000_010_400 }, 'ran 10 s, waited'],
		[
			'them in seconds',
			{ startTime: 1_795_000_000, endTime: 1_795_000_071 },
			'ran 1 min 11 s, waited',
		],
		['how long it took', { startTime: 0, endTime: 1, useTime: 10 }, 'ran 10 s, waited'],
		[
			'times of one moment',
			{ startTime: 1_795_000_000_000, endTime: 1_795_000_000_400 },
			'ran less than 1 s, waited',
		],
		['nothing of it', { startTime: 0, endTime: 1, useTime: 0 }, 'waited'],
	])(
		'say how long a batch ran, and apart from that how long it was waited for, where the service says %s',
		async (_what, times, said) => {
			const clock = shiftedClock();
			service.script(
				'batches',
				() => {
					Object.assign(service.batches[0], { status: 3, rows: numbered(1_204), ...times });
					clock.pass(3.2);
					return undefined;
				},
				{ times: 1 },
			);
			const parameters = { operation: 'runAndGetData', options: { pollInterval: 1 } };
			const hints = await hintsOf(['a'], parameters);
			clock.restore();
			expect(hints).toEqual([
				expect.stringMatching(new RegExp(`^Batch 1001: ${said} 3 min 1[0-9] s, 1,204 rows\\.$`)),
			]);
		},
	);

	test('of twenty runs are one sum', async () => {
		service.script('start', ({ body }) =>
			success(asStarted(service.addBatch({ taskID: String(body.taskID), rows: numbered(60) }))),
		);
		const tasks = Array.from({ length: 20 }, () => 'a');
		const parameters = { operation: 'runAndGetData', returnAll: false };
		expect(await hintsOf(tasks, parameters)).toEqual(['20 batches: 1,000 of 1,200 rows (Limit).']);
	});

	test('are three at most: a sum, what needs attention, and in the last one all the others', async () => {
		service.addBatch({ taskID: 'a', rows: numbered(2) });
		service.addBatch({ taskID: 'b', rows: ['{"n":1}', '{"n":1}'] });
		for (let n = 0; n < 9; n++) service.addBatch({ taskID: 'b', status: 2, endTime: 0 });
		const tasks = ['b', ...Array.from({ length: 9 }, () => 'a')];
		const options = { deduplication: 'read', preview: true };
		expect(await hintsOf(tasks, { options })).toEqual([
			'10 batches: 19 of 20 rows, 1 duplicate within a batch left out.',
			'A newer batch (1011) is still running. These rows are from batch 1002, the latest finished one. It ended at 2026-11-19 19:01:30.',
			expect.stringContaining("With 'Truncate Long Values', rows are compared"),
		]);
		service.addBatch({ taskID: 'empty' });
		tasks.push(...Array.from({ length: 10 }, () => 'empty'));
		expect(await hintsOf(tasks, { options: { ...options, fields: columns } })).toEqual([
			"20 batches: 19 of 20 rows, 1 duplicate within a batch left out, 10 without rows. To make a batch without rows an error, set the option 'Minimum Rows' to 1.",
			expect.stringContaining('A newer batch (1011) is still running'),
			expect.stringMatching(/^Batch 1012 has no column "x10": .* column "x19": .* 'Truncate Long/),
		]);
	});

	test('never hide that rows may be missing', async () => {
		for (const taskID of ['a', 'b']) {
			service.addBatch({ taskID, rows: numbered(2), lineCount: 5 });
		}
		service.addBatch({ taskID: 'empty' });
		const options = { onMissingRows: 'return', fields: columns };
		const tasks = ['a', 'b', 'a', 'b', 'empty', 'empty', 'empty', 'empty'];
		const [sum, lost, more] = await hintsOf(tasks, { options });
		expect(sum).toMatch(/^8 batches: 8 rows, 4 without rows\. /);
		expect(lost).toBe(
			'2 batches gave fewer rows than the service counts: 1001, 1002 (2 instead of 5).',
		);
		for (const column of ['x4', 'x5', 'x6', 'x7']) expect(more).toContain(`"${column}"`);
	});

	test('name every batch that was stopped by its budget', async () => {
		for (const [taskID, lineCount] of [
			['a', 12],
			['b', 12],
			['empty', 15],
		] as const) {
			const rows = numbered(lineCount);
			service.addBatch({ taskID, status: 2, endTime: 0, rows, lineCount });
		}
		const parameters = {
			batch: 'id',
			batchId: "={{ { a: '1001', b: '1002', empty: '1003' }[$json.task] }}",
			options: { waitForEnd: true, pollInterval: 1, stopAtRows: 12 },
		};
		const late =
			"'Stop at Rows': the batch is checked at each poll ('Poll Interval'), and stopping takes a moment.";
		expect(await hintsOf(['a', 'b', 'empty'], parameters)).toEqual([
			'3 batches: 39 rows.',
			`2 batches were stopped: 1001, 1002 at 12 rows (Stop at Rows: 12). Batch 1003 was stopped at 15 rows (Stop at Rows: 12). It went beyond ${late}`,
		]);
	});

	test('name every batch that is still running, or was not the latest, whatever else is said', async () => {
		for (const taskID of ['a', 'b', 'empty']) {
			service.addBatch({ taskID, rows: numbered(1) });
			service.addBatch({ taskID, status: 2, endTime: 0, startTime: 0, rows: numbered(2) });
		}
		const tasks = ['a', 'b', 'empty', 'a'];
		expect(await hintsOf(tasks, { options: { preview: true, deduplication: 'read' } })).toEqual([
			'4 batches: 4 rows.',
			'3 batches have not ended, and the rows are from the latest finished ones instead: 1002 still running (rows from 1001, which ended at 2026-11-19 19:00:30); 1004 still running (rows from 1003, which ended at 2026-11-19 19:02:30); 1006 still running (rows from 1005, which ended at 2026-11-19 19:04:30).',
		]);
		const batchId = "={{ { a: '1002', b: '1004', empty: '1006' }[$json.task] }}";
		expect(await hintsOf(tasks, { batch: 'id', batchId })).toEqual([
			'4 batches: 8 rows.',
			'3 batches have not ended, and these are their rows so far: 1002, 1004, 1006 still running.',
		]);
	});

	test('of hundreds of batches name each', async () => {
		for (const taskID of hundreds) service.addBatch({ taskID, status: 4, rows: numbered(1) });
		const hints = await hintsOf(hundreds, { options: { includeStopped: true } });
		const ids = service.batches.map(({ batchID }) => batchID).join(', ');
		expect(hints).toEqual([
			'300 batches: 300 rows.',
			`300 batches were stopped, and rows may be missing: ${ids}.`,
		]);
	});

	test('never hide that a run goes on after its time-out', async () => {
		service.script('start', ({ body }) =>
			success(asStarted(service.addBatch({ taskID: String(body.taskID), status: 2, endTime: 0 }))),
		);
		const clock = shiftedClock();
		service.script('batches', ({ query }) => {
			if (query.size === '50') clock.pass(2);
			return undefined;
		});
		const parameters = { operation: 'runAndGetData', timeout: 1, options: { onTimeout: 'return' } };
		const hints = await hintsOf(['a', 'b', 'a', 'b'], parameters);
		clock.restore();
		expect(hints[1]).toBe(
			'4 batches have not ended: 1001, 1002, 1003, 1004 still running after 1 minute.',
		);
	});

	test('count batches without rows, and name the option that makes them an error', async () => {
		service.addBatch({ taskID: 'a', rows: numbered(2) });
		service.addBatch({ taskID: 'b' });
		const advice = "To make a batch without rows an error, set the option 'Minimum Rows' to 1.";
		expect(await hintsOf(['a', 'b', 'b'])).toEqual([
			`3 batches: 2 rows, 2 without rows. ${advice}`,
		]);
		expect(await hintsOf(['b'])).toEqual([
			`Batch 1002: 0 rows. Nothing was found. If that seems wrong, look at the batch's page in the service's web console. ${advice}`,
		]);
	});

	test('do not name it for a batch that may still find rows', async () => {
		service.addBatch({ status: 2, endTime: 0 });
		const [first, ...others] = await hintsOf(['a'], { batch: 'id', batchId: '1001' });
		expect(first).toBe('Batch 1001: 0 rows. It is still running: rows may come later.');
		expect(others.join()).not.toContain('Minimum Rows');
	});

	test('do not count batches as without rows that the service has sent before', async () => {
		service.addBatch({ taskID: 'a', rows: numbered(2) });
		const options = { deduplication: 'service', deduplicationId: 'x' };
		expect(await hintsOf(['a', 'a'], { options })).toEqual(['2 batches: 2 rows.']);
	});

	test('are shown also when some items fail', async () => {
		service.addBatch({ taskID: 'a', rows: numbered(2) });
		const settings: Partial<INode> = { onError: 'continueRegularOutput' };
		expect(await hintsOf(['a', 'lost', 'a'], {}, settings)).toEqual(['2 batches: 4 rows.']);
	});

	test('are those of all items after a retry, once each', async () => {
		service.addBatch({ taskID: 'a', rows: numbered(2) });
		service.addBatch({ taskID: 'b', rows: numbered(3) });
		service.script(({ query }) => query.batchID === '1002', refusal(9000001, 'no'), { times: 1 });
		expect(await hintsOf(['a', 'b'], {}, retryOnFail)).toEqual(['2 batches: 5 rows.']);
		// The first item was read in the first try alone.
		expect(service.sentTo('data')).toHaveLength(3);
	});
});
