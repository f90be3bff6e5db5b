import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { page, refusal } from '../../support/scriptedService/scriptedAnswers';

describe('paging', () => {
	const service = useScriptedService();

	const numbered = (count: number, from = 0) =>
		Array.from({ length: count }, (_row, index) => `{"n":${from + index}}`);

	/** The values of the rows that the node returns. */
	const getData = async (options: INodeParameters, limit?: number) => {
		const { rows, error, hints } = await runOn(service, {
			operation: 'getData',
			...(limit === undefined ? { returnAll: true } : { limit }),
			options,
		});
		return { error, hints, numbers: rows.map(({ n }) => n) };
	};

	const lieAbout = (total: number) =>
		service.script('data', ({ query }) => {
			const [number, size] = [Number(query.page), Number(query.size)];
			const rows = numbered(10).slice((number - 1) * size, number * size);
			return page(rows, { page: number, size, total });
		});

	const upTo = (count: number) => Array.from({ length: count }, (_row, n) => n);

	test('asks for pages of one size, once each', async () => {
		service.addBatch({ rows: numbered(23) });
		const { numbers } = await getData({ pageSize: 5 });
		expect(numbers).toEqual(upTo(23));
		const asked = service.sentTo('data').map(({ query }) => [Number(query.page), query.size]);
		expect(asked.sort()).toEqual([1, 2, 3, 4, 5].map((number) => [number, '5']));
	});

	test('asks for no more rows than the limit', async () => {
		service.addBatch({ rows: numbered(100) });
		expect((await getData({ pageSize: 10 }, 25)).numbers).toEqual(upTo(25));
		const pages = service.sentTo('data').map(({ query }) => Number(query.page));
		expect(Math.max(...pages)).toBe(3);
	});

	test('a limit below the page size asks for that many rows', async () => {
		service.addBatch({ rows: numbered(100) });
		expect((await getData({}, 3)).numbers).toEqual(upTo(3));
		expect(service.sentTo('data').map(({ query }) => query.size)).toEqual(['3']);
	});

	test.each([1, 4])('has up to %i pages in flight', async (concurrency) => {
		service.addBatch({ rows: numbered(60) });
		// The first page alone says how many there are.
		service.script('data', async ({ query }) => {
			while (query.page !== '1' && service.mostAtOnce() < concurrency) await wait(5);
			await wait(20);
			return undefined;
		});
		const { numbers } = await getData({ pageSize: 5, concurrency });
		expect(numbers).toEqual(upTo(60));
		expect(service.mostAtOnce()).toBe(concurrency);
	});

	test('keeps row order with 5 pages in flight that are answered in any order', async () => {
		service.addBatch({ rows: numbered(100) });
		service.script('data', async ({ query }) => {
			await wait((Number(query.page) * 7) % 25);
			return undefined;
		});
		expect((await getData({ pageSize: 4 })).numbers).toEqual(upTo(100));
	});

	test.each(['clamp', 'clampAndEcho', 'refuse'] as const)(
		'loses no row when the service allows smaller pages only (%s)',
		async (oversize) => {
			service.rules.oversize = oversize;
			service.rules.maxSize = 7;
			service.addBatch({ rows: numbered(50) });
			expect((await getData({ pageSize: 20 })).numbers).toEqual(upTo(50));
		},
	);

	test('a service that refuses every size is an error with its own words', async () => {
		service.script('data', refusal(9000001, 'size must be even'));
		service.addBatch({ rows: numbered(5) });
		const { error } = await getData({ pageSize: 4 });
		expect(error?.message).toBe('A parameter is out of range');
		expect(error?.description).toContain('size must be even');
		expect(service.sentTo('data').map(({ query }) => query.size)).toEqual(['4', '2', '1']);
	});

	test('reads what appears while it reads', async () => {
		const batch = service.addBatch({ status: 2, rows: numbered(10) });
		service.script(
			'data',
			() => {
				batch.rows.push(...numbered(5, batch.rows.length));
				return undefined;
			},
			{ times: 4 },
		);
		const { numbers } = await runOn(service, {
			operation: 'getData',
			batch: 'id',
			batchId: { __rl: true, mode: 'id', value: '1001' },
			returnAll: true,
			options: { pageSize: 4, concurrency: 2 },
		}).then(({ rows }) => ({ numbers: rows.map(({ n }) => n) }));
		expect(numbers).toEqual(upTo(30));
	});

	/** A cache that does not look at the page: each is page 1, as often as it answers. */
	const cachePage1 = (times?: number) =>
		service.script(
			({ endpoint, query }) => endpoint === 'data' && query.page === '2',
			({ query }) => page(numbered(Number(query.size)), { size: Number(query.size), total: 15 }),
			{ times },
		);

	test('a full page that has the rows of an earlier one is an error, or a hint', async () => {
		service.addBatch({ rows: numbered(15) });
		cachePage1();
		const { error, numbers } = await getData({ pageSize: 5 });
		expect(numbers).toEqual([]);
		expect(error?.message).toContain('came on the wrong pages');
		expect(error?.description).toContain('Page 2 has the same rows as page 1');
		expect(
			service
				.sentTo('data')
				.map(({ query }) => query.page)
				.sort()
				.join(''),
		).toMatch(/^1223/);
		const { hints } = await getData({ pageSize: 5, onMissingRows: 'return' });
		expect(hints.join()).toContain('came on the wrong pages');
	});

	test('a page that has the rows of an earlier one once is asked for again', async () => {
		service.addBatch({ rows: numbered(15) });
		cachePage1(1);
		expect((await getData({ pageSize: 5 })).numbers).toEqual(upTo(15));
	});

	test('pages of equal rows are pages', async () => {
		service.addBatch({ rows: Array.from({ length: 15 }, () => '{"n":1}') });
		expect((await getData({ pageSize: 5 })).numbers).toHaveLength(15);
		expect(service.sentTo('data').length).toBeLessThanOrEqual(4);
	});

	test('stops at pages that repeat', async () => {
		service.addBatch({ rows: numbered(4) });
		service.script('data', ({ query }) => {
			const number = Number(query.page);
			return page(numbered(2), { page: number, size: 2, total: number * 2 + 2 });
		});
		const { error } = await getData({ pageSize: 2 });
		expect(error?.message).toBe('The list does not end');
		expect(service.sentTo('data').length).toBeLessThan(1_100);
	});

	test('an answer for another page is an error', async () => {
		service.addBatch({ rows: numbered(10) });
		service.script(
			({ query }) => query.page === '2',
			page(numbered(2), { page: 1, size: 2, total: 10 }),
		);
		const { error } = await getData({ pageSize: 2 });
		expect(error?.message).toBe('The service sent page 1 when page 2 was asked for');
	});

	test('rows that are missing are an error, not a shorter result', async () => {
		service.addBatch({ rows: numbered(10) });
		service.script(
			({ query }) => Number(query.page) >= 3,
			({ query }) => page([], { page: Number(query.page), size: 2, total: 10 }),
		);
		const { error, numbers } = await getData({ pageSize: 2 });
		expect(error?.message).toBe('The service counts 10 rows in batch 1001, but returned 4');
		expect(error?.description).toContain('Page 3 has 0 rows instead of 2');
		expect(error?.description).toContain('On Missing Rows');
		expect(numbers).toEqual([]);
	});

	test.each([
		['too high', 12],
		['too low', 7],
		['zero', 0],
	])('a total that is %s is an error that names both numbers', async (_how, total) => {
		service.addBatch({ rows: numbered(10) });
		lieAbout(total);
		const { error, numbers } = await getData({ pageSize: 5 });
		expect(error?.message).toBe(`The service counts ${total} rows in batch 1001, but returned 10`);
		expect(numbers).toEqual([]);
	});

	test.each([12, 7, 0])(
		"with 'Return Available Rows' a total of %i costs no row of ten",
		async (total) => {
			service.addBatch({ rows: numbered(10) });
			lieAbout(total);
			const { hints, numbers } = await getData({ pageSize: 5, onMissingRows: 'return' });
			expect(numbers).toEqual(upTo(10));
			expect(hints.join()).toContain(
				`The service counts ${total} rows in batch 1001, but returned 10`,
			);
		},
	);

	test('a row left out of the first ones that a limit asks for is an error', async () => {
		service.addBatch({ rows: numbered(100) });
		service.script('data', ({ query }) => {
			const [number, size] = [Number(query.page), Number(query.size)];
			const rows = numbered(size, (number - 1) * size).filter((row) => row !== '{"n":3}');
			return page(rows, { page: number, size, total: 100 });
		});
		const { error } = await getData({}, 20);
		expect(error?.message).toMatch(
			/^The service counts \d+ rows on the pages read from batch 1001, but returned \d+$/,
		);
	});

	test('gives up the pages in flight when a page has failed: none is tried again', async () => {
		service.addBatch({ rows: numbered(100) });
		service.script(({ query }) => query.page === '2', refusal(9000004, 'broken page'));
		// The pages in flight fail in a way that would be tried again.
		service.script(
			({ query }) => Number(query.page) > 2,
			async () => {
				await wait(100);
				return { status: 503, headers: { 'retry-after': '0' } };
			},
		);
		const { error } = await getData({ pageSize: 10 });
		await wait(300);
		expect(error?.message).toBe('Task or batch not found');
		const asked = service.sentTo('data').map(({ query }) => query.page);
		expect(new Set(asked).size).toBe(asked.length);
	});

	test('lists more batches than fit on a page, each once, while new ones are started', async () => {
		for (let n = 0; n < 250; n++) service.addBatch();
		service.script('batches', () => {
			service.addBatch({ status: 2 });
			return undefined;
		});
		const { rows } = await runOn(service, { operation: 'listBatches', returnAll: true });
		const ids = rows.map(({ batchID }) => batchID);
		expect(new Set(ids).size).toBe(ids.length);
		const oldest = service.batches.slice(0, 250).map(({ batchID }) => batchID);
		expect(ids).toEqual(expect.arrayContaining(oldest));
	});

	test('the limit of List Batches counts the batches that the status keeps', async () => {
		for (let n = 0; n < 30; n++) service.addBatch({ status: n % 3 === 0 ? 4 : 3 });
		const { rows } = await runOn(service, {
			operation: 'listBatches',
			limit: 5,
			options: { status: [4, 1] },
		});
		expect(rows.map(({ batchID, statusName }) => [batchID, statusName])).toEqual(
			[1028, 1025, 1022, 1019, 1016].map((id) => [id, 'stopped']),
		);
	});
});
