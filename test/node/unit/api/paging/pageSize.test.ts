import { fc } from '../../../../support/fastCheck';
import { length } from '../../../../support/length';
import { readPages } from '../../../../../nodes/CloudScraping/api/paging/rows';
import type { FetchPage } from '../../../../../nodes/CloudScraping/api/paging/page';
import { allItems, listServer, numbers } from './listServer';

describe('the page size', () => {
	test.each(['clamp', 'clampAndEcho', 'refuse'] as const)(
		'goes on with the size that the service gives (%s)',
		async (oversize) => {
			const { fetchPage } = listServer({ items: numbers(50), maxSize: 7, oversize });
			const items = await allItems(readPages(fetchPage, { pageSize: 20, concurrency: 3 }));
			expect(items).toEqual(numbers(50));
		},
	);

	test('believes a smaller size that is echoed at once', async () => {
		const { fetchPage, asked } = listServer({
			items: numbers(30),
			maxSize: 7,
			oversize: 'clampAndEcho',
		});
		await allItems(readPages(fetchPage, { pageSize: 20, concurrency: 1 }));
		expect(asked.map(({ size }) => size)).toEqual([20, 7, 7, 7, 7]);
	});

	test.each([
		['clampAndEcho', 1],
		['clampAndEcho', 5],
		['refuse', 5],
	] as const)(
		'goes on with the size that the service gives from a later page on (%s, %i in flight)',
		async (oversize, concurrency) => {
			const service = { items: numbers(100), maxSize: 15, oversize, unlimited: 2 };
			const { fetchPage } = listServer(service);
			const items = await allItems(readPages(fetchPage, { pageSize: 20, concurrency }));
			expect(items).toEqual(numbers(100));
		},
	);

	test('uses no page that begins elsewhere, also where it holds all that are left', async () => {
		const { fetchPage, asked } = listServer({
			items: numbers(35),
			maxSize: 15,
			oversize: 'clampAndEcho',
			unlimited: 1,
		});
		const items = await allItems(readPages(fetchPage, { pageSize: 20, concurrency: 1 }));
		expect(items).toEqual(numbers(35));
		expect(asked.map(({ page, size }) => [page, size])).toEqual([
			[1, 20],
			[2, 20],
			[3, 10],
			[4, 10],
		]);
	});

	test('a cap that begins at the last page without a word, and is as large as what is left, is found', async () => {
		const { fetchPage } = listServer({
			items: numbers(26),
			maxSize: 6,
			oversize: 'clamp',
			unlimited: 1,
		});
		const items = await allItems(readPages(fetchPage, { pageSize: 20, concurrency: 1 }));
		expect(items).toEqual(numbers(26));
	});

	test('equal items do not make a last page begin elsewhere', async () => {
		const same = numbers(26).fill(7);
		const { fetchPage, asked } = listServer({ items: same });
		const items = await allItems(readPages(fetchPage, { pageSize: 20, concurrency: 1 }));
		expect(items).toEqual(same);
		expect(asked.map(({ size }) => size)).toEqual([20, 20, 1]);
	});

	test('a size that is echoed below what came is no size', async () => {
		const { fetchPage, asked } = listServer({ items: numbers(50) });
		const wrong: FetchPage<number> = async (page, size) => {
			const answer = await fetchPage(page, size);
			if ('refused' in answer) return answer;
			return { ...answer, pagination: { ...answer.pagination, size: 1 } };
		};
		const read = { pageSize: 10, concurrency: 1, lineCount: 50 };
		const items = await allItems(readPages(wrong, read));
		expect(items).toEqual(numbers(50));
		expect(asked).toHaveLength(5);
	});

	test('keeps to the limit when the service clamps', async () => {
		const { fetchPage } = listServer({ items: numbers(50), maxSize: 7, oversize: 'clamp' });
		const items = await allItems(readPages(fetchPage, { pageSize: 20, limit: 18, concurrency: 3 }));
		expect(items).toEqual(numbers(18));
	});

	test('halves a size that is refused, down to one', async () => {
		const { fetchPage, asked } = listServer({ items: numbers(3), maxSize: 1 });
		const read = { pageSize: 10, concurrency: 1, lineCount: 3 };
		expect(await allItems(readPages(fetchPage, read))).toEqual([0, 1, 2]);
		expect(asked.map(({ size }) => size)).toEqual([10, 5, 2, 1, 1, 1]);
	});

	test('throws the first refusal when every size is refused', async () => {
		const { fetchPage } = listServer({ items: numbers(3), maxSize: 0 });
		const read = allItems(readPages(fetchPage, { pageSize: 8, concurrency: 2 }));
		await expect(read).rejects.toThrow('size 8');
	});

	test('takes pages larger than asked for', async () => {
		const fixed = listServer({ items: numbers(50) });
		const fetchPage: FetchPage<number> = async (page) => await fixed.fetchPage(page, 20);
		expect(await allItems(readPages(fetchPage, { pageSize: 5, concurrency: 3 }))).toEqual(
			numbers(50),
		);
	});

	const changes = fc.record({
		maxSize: fc.integer({ min: 1, max: 30 }),
		unlimited: fc.integer({ min: 1, max: 12 }),
		delays: fc.array(fc.nat(4), { minLength: 1, maxLength: 9 }),
	});
	const options = fc.record({
		pageSize: fc.integer({ min: 1, max: 30 }),
		concurrency: fc.integer({ min: 1, max: 8 }),
		limit: fc.oneof(fc.constant(Infinity), fc.integer({ min: 30, max: 150 })),
	});

	test('may get smaller at any request', async () => {
		const oversize = fc.constantFrom('clampAndEcho' as const, 'refuse' as const);
		await fc.assert(
			fc.asyncProperty(
				changes,
				options,
				oversize,
				fc.nat(120),
				async (change, read, how, count) => {
					const { fetchPage } = listServer({ items: numbers(count), oversize: how, ...change });
					const items = await allItems(readPages(fetchPage, read));
					expect(items).toEqual(numbers(Math.min(count, read.limit)));
				},
			),
			{ numRuns: length({ full: 500, short: 60 }) },
		);
	});

	test('may get smaller without a word behind page 1: then its pages do not fit, or nothing is lost', async () => {
		let found = 0;
		await fc.assert(
			fc.asyncProperty(changes, options, fc.nat(120), async (change, read, count) => {
				const { fetchPage } = listServer({ items: numbers(count), oversize: 'clamp', ...change });
				let fits = true;
				const items: number[] = [];
				for await (const part of readPages(fetchPage, read)) {
					items.push(...part.items);
					fits &&= part.rows === part.places;
				}
				if (fits) expect(items).toEqual(numbers(Math.min(count, read.limit)));
				else found++;
			}),
			{ numRuns: length({ full: 1_000, short: 120 }) },
		);
		expect(found).toBeGreaterThan(5);
	});
});
