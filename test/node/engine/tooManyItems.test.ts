import { runOn } from '../../support/engine/runNode';
import { page } from '../../support/scriptedService/scriptedAnswers';
import { startScriptedService } from '../../support/scriptedService/scriptedService';
import { useProcessedData } from './processedData';

const rows = page(['{}', '{}'], { page: 1, size: 2, total: 500_001 });

test('more rows than n8n can hold are refused after the first page', async () => {
	const service = await startScriptedService();
	service.addBatch({ rows: ['{}'] });
	service.script('data', rows);
	const { error } = await runOn(service, {
		operation: 'getData',
		returnAll: true,
		options: { pageSize: 2 },
	});
	expect(error?.message).toBe('The batch has 500,001 rows, too many for items');
	expect(error?.description).toContain('Output: File');
	expect(service.sentTo('data')).toHaveLength(1);
	await service.stop();
});

test('where duplicates are dropped, items count, not the rows of the batch', async () => {
	const service = await startScriptedService();
	service.addBatch({ rows: ['{}'] });
	service.script('data', rows);
	const { error, items } = await runOn(service, {
		operation: 'getData',
		limit: 1,
		options: { pageSize: 2, deduplication: 'read', onMissingRows: 'return' },
	});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	await service.stop();
});

describe('across executions', () => {
	/** A batch of which the service makes up each page; \`total\` is what it says with it. */
	const readHuge = async (
		{ row, total }: { row: (n: number) => string; total: (page: number) => number },
		{ keyFields = [], ...parameters }: { keyFields?: string[]; limit?: number },
		pageSize = 500,
	) => {
		const service = await startScriptedService();
		service.addBatch({ fields: [{ id: 'n', name: 'N' }], rows: ['{}'], lineCount: 0 });
		service.script('data', ({ query }) => {
			const number = Number(query.page);
			const rows = Array.from({ length: pageSize }, (_row, n) => row(number * pageSize + n));
			return page(rows, { page: number, size: pageSize, total: total(number) });
		});
		const { error } = await runOn(service, {
			operation: 'getData',
			...parameters,
			options: { deduplication: 'history', keyFields, pageSize },
		});
		const requests = service.sentTo('data').length;
		await service.stop();
		return { error, requests };
	};

	const small = (n: number) => `{"n":${n}}`;

	useProcessedData();

	test('two million rows are refused after the first page, whatever the limit', async () => {
		const { error, requests } = await readHuge(
			{ row: small, total: () => 2_000_000 },
			{ limit: 50 },
		);
		expect(error?.message).toBe(
			'The batch has 2,000,000 rows, too many to compare with those of other executions',
		);
		expect(error?.description).toContain('At most 100,000');
		expect(error?.description).toContain('Output: File');
		// The pages that travel while the first one is used.
		expect(requests).toBeLessThanOrEqual(6);
	});

	test('with key columns fewer are taken, and what comes counts, not what was said first', async () => {
		const total = (number: number) => number * 500 + 1;
		const { error, requests } = await readHuge({ row: small, total }, { keyFields: ['N'] });
		expect(error?.message).toContain('The batch has 25,001 rows, too many');
		expect(requests).toBeLessThanOrEqual(56);
	});

	test('rows of a megabyte each are refused before they take all memory', async () => {
		const text = 'x'.repeat(1_000_000);
		const row = (n: number) => `{"n":${n},"text":"${text}"}`;
		const { error, requests } = await readHuge({ row, total: () => 10_000 }, {}, 20);
		expect(error?.message).toContain('too large to compare');
		expect(error?.description).toContain('At most 100 MB');
		expect(requests).toBeLessThanOrEqual(11);
	});
});
