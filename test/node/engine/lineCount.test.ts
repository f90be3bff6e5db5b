import type { INodeExecutionData } from 'n8n-workflow';

import { ActiveTrigger } from '../../support/engine/activeTrigger';
import { logLine } from '../../support/engine/n8nLog';
import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { page } from '../../support/scriptedService/scriptedAnswers';

// A batch says that it has more rows than the list of its rows counts: a replica that lags, or a service
// that has deleted them.

describe('a batch of ten rows', () => {
	const service = useScriptedService(() => ({ taskIDs: ['shop', 'a', 'b', 'c'] }));

	const all = Array.from({ length: 10 }, (_row, n) => `{"n":${n}}`);

	/** Shows so many of them, and counts as many, for so many answers. */
	const lag = (shown: number, times: number) => {
		service.script('data', page(all.slice(0, shown), { total: shown }), { times });
	};

	const getData = async (options = {}) => {
		service.addBatch({ rows: all });
		return await runOn(service, { operation: 'getData', returnAll: true, options });
	};

	test.each([0, 4, 9])('gives all of them when %i were shown first', async (shown) => {
		lag(shown, 1);
		const { rows, hints } = await getData();
		expect(rows).toHaveLength(10);
		expect(hints).toEqual(['Batch 1001: 10 rows.']);
		expect(service.sentTo('data')).toHaveLength(2);
	});

	test('none of which come is an error', async () => {
		lag(0, 99);
		const { error } = await getData();
		expect(error?.message).toBe('The service counts 10 rows in batch 1001, but returned 0');
		expect(error?.description).toContain('On Missing Rows');
	});

	test('none of which come may be what the user wants', async () => {
		lag(0, 99);
		const { rows, hints } = await getData({ onMissingRows: 'return' });
		expect(rows).toEqual([]);
		expect(hints).toEqual([
			'Batch 1001: 0 rows.',
			'The service counts 10 rows in batch 1001, but returned 0.',
		]);
	});

	test('some of which come is no error: the specification leaves open what is counted', async () => {
		lag(4, 99);
		const { rows, hints } = await getData();
		expect(rows).toHaveLength(4);
		expect(hints).toEqual([
			'Batch 1001: 4 rows.',
			'The service counts 10 rows in batch 1001, but returned 4.',
		]);
	});

	test('its rows missing is said before anything else, whatever the other items say', async () => {
		for (const taskID of ['a', 'b', 'c']) {
			service.addBatch({ taskID, rows: all });
			service.addBatch({ taskID, status: 2 });
		}
		service.addBatch({ taskID: service.taskID, rows: all });
		service.script(({ query }) => query.batchID === '1007', page(all.slice(0, 4), { total: 4 }));
		const { hints } = await runOn(
			service,
			{ operation: 'getData', returnAll: true, taskId: '={{ $json.task }}' },
			{ input: ['a', 'b', 'c', service.taskID].map((task) => ({ task })) },
		);
		expect(hints).toEqual([
			'4 batches: 34 rows.',
			'The service counts 10 rows in batch 1007, but returned 4.',
			expect.stringMatching(/^3 batches have not ended, .* 1002 .* 1004 .* 1006 /),
		]);
	});

	test.each([
		[150, 100],
		[6, 5],
		[3, 0],
	])(
		'of which %i are listed where it counts %i says so, and is no error',
		async (came, lineCount) => {
			const listed = Array.from({ length: came }, (_row, n) => `{"n":${n}}`);
			service.addBatch({ rows: listed, lineCount });
			const { rows, hints } = await runOn(service, { operation: 'getData', returnAll: true });
			expect(rows).toHaveLength(came);
			expect(hints).toEqual([
				`Batch 1001: ${came} rows.`,
				`The service counts ${lineCount} rows in batch 1001, but returned ${came}.`,
			]);
		},
	);

	test('which lists more than it counts says nothing while it runs, or where it does not count', async () => {
		service.addBatch({ rows: all, lineCount: 4, status: 2, endTime: 0 });
		const { hints } = await runOn(service, {
			operation: 'getData',
			returnAll: true,
			batch: 'id',
			batchId: '1001',
		});
		expect(hints.join()).not.toContain('The service counts');
		for (const lineCount of [undefined, '', -1, 'many']) {
			const answer = service.addBatch({ rows: all });
			Object.assign(answer, { lineCount });
			expect((await runOn(service, { operation: 'getData', returnAll: true })).hints).toEqual([
				`Batch ${answer.batchID}: 10 rows.`,
			]);
		}
	});

	test('of which a limit cuts off the rows beyond what it counts is not read to its end', async () => {
		service.addBatch({ rows: all, lineCount: 8 });
		const limited = await runOn(service, { operation: 'getData', limit: 5 });
		expect(limited.hints).toEqual(['Batch 1001: 5 of 10 rows (Limit).']);
	});

	test('which were all sent before for the deduplication ID: says so', async () => {
		const options = { deduplication: 'service', deduplicationId: 'k' };
		await getData(options);
		const { rows, hints } = await runOn(service, {
			operation: 'getData',
			returnAll: true,
			options,
		});
		expect(rows).toEqual([]);
		expect(hints).toEqual([
			'Batch 1001: 0 rows. All rows were sent before for the deduplication ID "k".',
		]);
	});

	describe('for the trigger', () => {
		const rowsOf = (items: INodeExecutionData[] | null) => items?.map(({ json }) => json.n) ?? [];

		const watching = async () => {
			const parameters = { taskId: service.taskID, output: 'rows' };
			const trigger = new ActiveTrigger(parameters, service.credential);
			await trigger.poll();
			service.addBatch({ rows: all });
			return trigger;
		};

		test('whose rows lag behind through three polls fires with all of them', async () => {
			const trigger = await watching();
			// Each of them asks three times.
			lag(0, 9);
			for (let n = 0; n < 3; n++) expect(await trigger.poll()).toBeNull();
			expect(rowsOf(await trigger.poll())).toHaveLength(10);
			expect(await trigger.poll()).toBeNull();
		});

		test('some of whose rows lag behind fires with all of them, and only then', async () => {
			const trigger = await watching();
			const isFirst = ({ query }: { query: Record<string, string> }) => query.batchID === '1001';
			// Each poll asks twice.
			service.script(isFirst, page(all.slice(0, 6), { total: 6 }), { times: 8 });
			service.addBatch({ rows: ['{"n":"other"}'] });
			expect(rowsOf(await trigger.poll())).toEqual(['other']);
			for (let n = 0; n < 3; n++) expect(await trigger.poll()).toBeNull();
			expect(rowsOf(await trigger.poll())).toHaveLength(10);
			expect(await trigger.poll()).toBeNull();
		});

		test('whose rows do not come in five polls fires with those that there are, and a note', async () => {
			const trigger = await watching();
			lag(4, 99);
			for (let n = 0; n < 4; n++) expect(await trigger.poll()).toBeNull();
			const items = await trigger.poll();
			const error = 'The service counts 10 rows in batch 1001, but returned 4.';
			expect(items?.map(({ json }) => json.n ?? json.error)).toEqual([0, 1, 2, 3, error]);
			expect(items?.at(-1)?.json).toMatchObject({
				batchID: 1001,
				statusName: 'successful',
				description: expect.stringContaining('read it by its ID') as unknown,
			});
			expect(await trigger.poll()).toBeNull();
			expect(trigger.staticData).not.toContain('"unread":{"');
			expect(await logLine(`Batch 1001 is not read again: ${error}`)).toBeDefined();
		});

		test('which lists more than it counts fires at once with all of them, and says so in the log', async () => {
			const trigger = await watching();
			Object.assign(service.batches[0], { lineCount: 7 });
			expect(rowsOf(await trigger.poll())).toHaveLength(10);
			expect(
				await logLine('The service counts 7 rows in batch 1001, but returned 10.'),
			).toBeDefined();
			expect(await trigger.poll()).toBeNull();
		});

		test('fires at once with its batch: its rows are not looked at', async () => {
			const parameters = { taskId: service.taskID, output: 'batch' };
			const trigger = new ActiveTrigger(parameters, service.credential);
			await trigger.poll();
			service.addBatch({ rows: all });
			lag(4, 99);
			expect(await trigger.poll()).toHaveLength(1);
		});
	});
});
