import type { INodeParameters } from 'n8n-workflow';

import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { success } from '../../support/scriptedService/scriptedAnswers';
import { asStarted } from '../../support/scriptedService/scriptedStore';
import { useProcessedData } from './processedData';

describe('Minimum Rows', () => {
	useProcessedData();
	const service = useScriptedService();

	const numbered = (count: number) => Array.from({ length: count }, (_row, n) => `{"n":${n}}`);

	const getData = async (options: INodeParameters, parameters: INodeParameters = {}) =>
		await runOn(service, { operation: 'getData', returnAll: true, ...parameters, options });

	test.each([{ output: 'items' }, { output: 'file' }])(
		'makes an ended batch with fewer rows an error with both numbers: %o',
		async (parameters) => {
			service.addBatch({ rows: numbered(3) });
			const { error, items } = await getData({ minRows: 4 }, parameters);
			expect(error?.message).toBe('Batch 1001 has 3 rows, fewer than 4 (Minimum Rows)');
			expect(items).toEqual([]);
			expect((await getData({ minRows: 3 }, parameters)).error).toBeUndefined();
		},
	);

	test('refuses a batch without rows, and without the option does not', async () => {
		service.addBatch();
		const { error } = await getData({ minRows: 1 });
		expect(error?.message).toBe('Batch 1001 has 0 rows, fewer than 1 (Minimum Rows)');
		expect((await getData({})).error).toBeUndefined();
	});

	test('says of a batch without rows where to look, and not that there are rows to get', async () => {
		service.script('start', () => success(asStarted(service.addBatch())));
		const { error } = await runOn(service, { operation: 'runAndGetData', options: { minRows: 1 } });
		expect(error?.message).toBe('Batch 1001 has 0 rows, fewer than 1 (Minimum Rows)');
		expect(error?.description).toBe(
			"No row was found. Look at the batch's page in the service's web console: which pages failed, and which selectors found nothing.",
		);
	});

	test('counts the rows of the batch: not what a limit or a deduplication leaves', async () => {
		service.addBatch({ rows: [...numbered(2), ...numbered(2)] });
		const limited = { returnAll: false, limit: 1 };
		expect((await getData({ minRows: 4 }, limited)).rows).toHaveLength(1);
		expect((await getData({ minRows: 4, deduplication: 'read' })).rows).toHaveLength(2);
		expect((await getData({ minRows: 5 }, limited)).error?.message).toContain('has 4 rows');
	});

	test('remembers no row of a batch that it refuses, with Only New Rows', async () => {
		service.addBatch({ rows: numbered(3) });
		const onlyNew = { onlyNew: true };
		expect((await getData({ minRows: 4 }, onlyNew)).error).toBeDefined();
		expect((await getData({ minRows: 3 }, onlyNew)).rows).toHaveLength(3);
		expect((await getData({ minRows: 3 }, onlyNew)).error).toBeUndefined();
	});

	test('asks for nothing that the service sends once only before it has counted', async () => {
		service.addBatch({ rows: numbered(3) });
		const once = { deduplication: 'service', deduplicationId: 'once' };
		expect((await getData({ ...once, minRows: 4 })).error?.message).toContain('has 3 rows');
		expect((await getData({ ...once, minRows: 3 })).rows).toHaveLength(3);
		const again = await getData({ ...once, minRows: 3 });
		expect([again.rows, again.error]).toEqual([[], undefined]);
	});

	test('leaves a batch alone that has not ended', async () => {
		service.addBatch({ status: 2, rows: numbered(1) });
		const running = await getData({ minRows: 4 }, { batch: 'id', batchId: '1001' });
		expect(running.rows).toHaveLength(1);
	});

	test('names the batch that was paid for, which can be read', async () => {
		service.script('start', () => success(asStarted(service.addBatch({ rows: numbered(1) }))));
		const { error } = await runOn(service, {
			operation: 'runAndGetData',
			options: { minRows: 2 },
		});
		expect(error?.message).toBe('Batch 1001 has 1 row, fewer than 2 (Minimum Rows)');
		expect(error?.description).toContain(
			'Batch 1001 has ended and is paid for: get its rows with Get Data (Batch: Specific Batch, By ID: 1001) instead of starting the task again.',
		);
	});
});
