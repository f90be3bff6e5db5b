import { fc } from '../../../../support/fastCheck';
import { length } from '../../../../support/length';
import { readPages } from '../../../../../nodes/CloudScraping/api/paging/rows';
import { PagingError } from '../../../../../nodes/CloudScraping/api/paging/page';
import type { FetchPage } from '../../../../../nodes/CloudScraping/api/paging/page';
import { allItems, listServer, numbers } from './listServer';

describe('readPages', () => {
	test('reads nothing of an empty list with one request', async () => {
		const { fetchPage, asked } = listServer({ items: [] });
		expect(await allItems(readPages(fetchPage, { pageSize: 10, concurrency: 5 }))).toEqual([]);
		expect(asked).toEqual([{ page: 1, size: 10 }]);
	});

	test.each([
		[1, 1],
		[9, 1],
		[10, 1],
		[11, 2],
		[100, 10],
		[101, 11],
	])('reads %i items in %i requests of 10', async (count, requests) => {
		const { fetchPage, asked } = listServer({ items: numbers(count) });
		const read = { pageSize: 10, concurrency: 5, lineCount: count };
		const items = await allItems(readPages(fetchPage, read));
		expect(items).toEqual(numbers(count));
		expect(asked).toHaveLength(requests);
		expect(asked.every(({ size }) => size === 10)).toBe(true);
	});

	test('asks for one page more when nothing but the total says that a full page is the last', async () => {
		const { fetchPage, asked } = listServer({ items: numbers(20) });
		await allItems(readPages(fetchPage, { pageSize: 10, concurrency: 5 }));
		expect(asked.map(({ page }) => page)).toEqual([1, 2, 3]);
	});

	test('says where items come from', async () => {
		const { fetchPage } = listServer({ items: numbers(5) });
		const places: unknown[] = [];
		for await (const part of readPages(fetchPage, { pageSize: 2, concurrency: 1 })) {
			places.push(part);
		}
		const counts = { total: 5, counted: 5, hasGrown: false };
		expect(places).toEqual([
			{ items: [0, 1], page: 1, rows: 2, places: 2, end: 2, ...counts },
			{ items: [2, 3], page: 2, rows: 2, places: 2, end: 4, ...counts },
			{ items: [4], page: 3, rows: 1, places: 1, end: 6, ...counts },
		]);
	});

	test.each([
		[1, [1]],
		[10, [10]],
		[25, [10, 10, 10]],
		[1000, [10, 10, 10, 10]],
	])('asks for no page behind a limit of %i', async (limit, sizes) => {
		const { fetchPage, asked } = listServer({ items: numbers(35) });
		const read = readPages(fetchPage, { pageSize: 10, limit, concurrency: 5 });
		expect(await allItems(read)).toEqual(numbers(Math.min(limit, 35)));
		expect(asked.map(({ size }) => size)).toEqual(sizes);
	});

	test.each([1, 5])('keeps order with %i pages in flight and no more', async (concurrency) => {
		const { fetchPage, mostOpen } = listServer({
			items: numbers(200),
			delays: [5, 1, 9, 2, 3, 7, 2],
		});
		const items = await allItems(readPages(fetchPage, { pageSize: 5, concurrency }));
		expect(items).toEqual(numbers(200));
		expect(mostOpen()).toBe(concurrency);
	});

	test('asks for the first page alone: only then is the number of pages known', async () => {
		const { fetchPage, asked } = listServer({ items: numbers(100) });
		const read = readPages(fetchPage, { pageSize: 10, concurrency: 5 });
		await read.next();
		expect(asked).toEqual([{ page: 1, size: 10 }]);
		await read.return(undefined);
	});

	test('reads what appears while it reads', async () => {
		const { fetchPage, list } = listServer({ items: numbers(10), growth: [3, 3, 3, 3] });
		const items = await allItems(readPages(fetchPage, { pageSize: 5, concurrency: 1 }));
		expect(list).toHaveLength(22);
		expect(items).toEqual(numbers(22));
	});

	test('ends a list that grows as fast as it is read', async () => {
		const { fetchPage, asked } = listServer({
			items: numbers(10),
			growth: Array.from({ length: 5_000 }, () => 5),
		});
		const read = allItems(readPages(fetchPage, { pageSize: 5, concurrency: 5 }));
		await expect(read).rejects.toThrow(new PagingError('The list does not end', ''));
		expect(asked.length).toBeLessThan(1_100);
	});

	test('ends pages that repeat while the total grows', async () => {
		let requests = 0;
		const fetchPage: FetchPage<string> = async (page, size) => {
			requests++;
			return await Promise.resolve({
				list: ['a', 'b'],
				pagination: { page, size, total: page * 2 + 2 },
			});
		};
		const read = allItems(readPages(fetchPage, { pageSize: 2, concurrency: 1 }));
		await expect(read).rejects.toThrow('The list does not end');
		expect(requests).toBeLessThan(1_100);
	});

	test.each([1, 5])('equal items of a list that grows are items (%i a page)', async (pageSize) => {
		const fetchPage: FetchPage<string> = async (page, size) => {
			const total = Math.min(100, (page + 1) * size);
			const list = Array.from({ length: Math.min(size, total - (page - 1) * size) }, () => 'same');
			return await Promise.resolve({ list, pagination: { page, size, total } });
		};
		const items = await allItems(readPages(fetchPage, { pageSize, concurrency: 1 }));
		expect(items).toHaveLength(100);
	});

	test('equal pages are no repetition while the total stays', async () => {
		const items = Array.from({ length: 100 }, () => 7);
		const { fetchPage } = listServer({ items });
		expect(await allItems(readPages(fetchPage, { pageSize: 10, concurrency: 5 }))).toEqual(items);
	});

	test('an answer for another page is an error', async () => {
		const { fetchPage } = listServer({ items: numbers(10) });
		const read = allItems(
			readPages(async (page, size) => await fetchPage(Math.min(page, 2), size), {
				pageSize: 2,
				concurrency: 1,
			}),
		);
		await expect(read).rejects.toThrow('The service sent page 2 when page 3 was asked for');
	});

	test('no echo is no error', async () => {
		const { fetchPage } = listServer({ items: numbers(7) });
		const silent: FetchPage<number> = async (page, size) => {
			const answer = await fetchPage(page, size);
			if ('refused' in answer) return answer;
			const { total } = answer.pagination;
			return { ...answer, pagination: { total, page: undefined, size: undefined } };
		};
		expect(await allItems(readPages(silent, { pageSize: 3, concurrency: 2 }))).toEqual(numbers(7));
	});

	test('a page that is empty at first has its items when it is asked for again', async () => {
		const { fetchPage } = listServer({ items: numbers(30) });
		let isLagging = true;
		const lagging: FetchPage<number> = async (page, size) => {
			const answer = await fetchPage(page, size);
			if (page !== 2 || !isLagging || 'refused' in answer) return answer;
			isLagging = false;
			return { list: [], pagination: { ...answer.pagination, total: 10 } };
		};
		const items = await allItems(readPages(lagging, { pageSize: 10, concurrency: 1 }));
		expect(items).toEqual(numbers(30));
	});

	test('a page that fails ends the read, whatever becomes of the pages in flight', async () => {
		const { fetchPage } = listServer({ items: numbers(100), delays: [0, 2, 3, 4, 5] });
		const failing: FetchPage<number> = async (page, size) => {
			const answer = await fetchPage(page, size);
			if (page >= 3) throw new Error(`page ${page}`);
			return answer;
		};
		const read = allItems(readPages(failing, { pageSize: 10, concurrency: 5 }));
		await expect(read).rejects.toThrow('page 3');
	});

	test.each([
		['has been read', Infinity, Infinity],
		['fails', 3, Infinity],
		['is left', Infinity, 2],
	])('no page is on its way any more when the list %s', async (_kind, failing, parts) => {
		const { fetchPage } = listServer({ items: numbers(100), delays: [1, 5, 5, 5] });
		const signals: AbortSignal[] = [];
		const read = readPages<number>(
			async (page, size, signal) => {
				if (signal) signals.push(signal);
				if (page === failing) throw new Error('broken page');
				return await fetchPage(page, size);
			},
			{ pageSize: 10, concurrency: 4 },
		);
		let left = parts;
		const reading = (async () => {
			for await (const { items } of read) if (items.length > 0 && --left === 0) break;
		})();
		await reading.catch(() => {});
		expect(signals.length).toBeGreaterThan(3);
		expect(signals.every(({ aborted }) => aborted)).toBe(true);
	});

	test('returns the rows of the service in order, whatever the service does', async () => {
		const server = fc.record({
			items: fc.nat(120).map(numbers),
			maxSize: fc.integer({ min: 1, max: 40 }),
			oversize: fc.constantFrom('clamp' as const, 'clampAndEcho' as const, 'refuse' as const),
			growth: fc.array(fc.nat(6), { maxLength: 12 }),
			delays: fc.array(fc.nat(4), { minLength: 1, maxLength: 9 }),
		});
		const options = fc.record({
			pageSize: fc.integer({ min: 1, max: 60 }),
			concurrency: fc.integer({ min: 1, max: 8 }),
			limit: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 150 })),
		});
		await fc.assert(
			fc.asyncProperty(server, options, async (behaviour, read) => {
				const { fetchPage, list } = listServer(behaviour);
				const items = await allItems(readPages(fetchPage, read));
				const { length } = behaviour.items;
				expect(items).toEqual(numbers(items.length));
				expect(items.length).toBeGreaterThanOrEqual(Math.min(length, read.limit));
				expect(items.length).toBeLessThanOrEqual(Math.min(list.length, read.limit));
				if (behaviour.growth.length === 0 || read.concurrency === 1) {
					expect(items).toHaveLength(Math.min(list.length, read.limit));
				}
			}),
			{ numRuns: length({ full: 500, short: 60 }) },
		);
	});
});

test('reads what appears while pages are in flight, whichever of them was counted first', async () => {
	const rows = Array.from({ length: 150 }, (_, index) => index);
	const totals: Record<number, number[]> = { 1: [130], 2: [150], 3: [140, 150], 4: [150] };
	const fetchPage = async (page: number, size: number) => {
		const total = totals[page].shift() ?? NaN;
		const list = rows.slice((page - 1) * size, Math.min(page * size, total));
		return await Promise.resolve({ list, pagination: { page, size, total } });
	};
	const read: number[] = [];
	for await (const { items } of readPages(fetchPage, { pageSize: 50, concurrency: 3 })) {
		read.push(...items);
	}
	expect(read).toEqual(rows);
});
