import { fc } from '../../../../support/fastCheck';
import { length } from '../../../../support/length';
import { readPages } from '../../../../../nodes/CloudScraping/api/paging/rows';
import type { CountedPage } from '../../../../../nodes/CloudScraping/api/paging/rows';
import type { FetchPage } from '../../../../../nodes/CloudScraping/api/paging/page';
import { allItems, listServer, numbers } from './listServer';

describe('pages that do not hold what is counted', () => {
	test.each([
		['the first page', 250, range(5, 15)],
		['a later page', 350, range(120, 125)],
		['the last page', 250, range(210, 213)],
		['the end of a page', 250, range(95, 100)],
		['every page', 1_000, Array.from({ length: 40 }, (_item, n) => n * 25)],
		['a whole page', 400, range(100, 200)],
		['the only page', 80, range(10, 13)],
	])(
		'a page that is short because items are left out doubles none (%s)',
		async (_which, count, out) => {
			const leftOut = new Set(out);
			const { fetchPage } = listServer({ items: numbers(count), leftOut });
			const items = await allItems(readPages(fetchPage, { pageSize: 100, concurrency: 5 }));
			expect(items).toEqual(numbers(count).filter((item) => !leftOut.has(item)));
		},
	);

	test('a limit is reached over pages that are short', async () => {
		const { fetchPage } = listServer({ items: numbers(200), leftOut: new Set([3, 4, 5]) });
		const read = readPages(fetchPage, { pageSize: 100, limit: 50, concurrency: 5 });
		expect(await allItems(read)).toEqual([0, 1, 2, ...range(6, 53)]);
	});

	test('returns what the service has, and says how much is missing, whatever it leaves out', async () => {
		const server = fc.record({
			count: fc.integer({ min: 1, max: 120 }),
			out: fc.uniqueArray(fc.nat(119), { maxLength: 30 }),
			delays: fc.array(fc.nat(4), { minLength: 1, maxLength: 9 }),
		});
		const options = fc.record({
			pageSize: fc.integer({ min: 1, max: 60 }),
			concurrency: fc.integer({ min: 1, max: 8 }),
		});
		await fc.assert(
			fc.asyncProperty(server, options, async ({ count, out, delays }, read) => {
				const leftOut = new Set(out.filter((item) => item < count));
				const there = numbers(count).filter((item) => !leftOut.has(item));
				const { fetchPage } = listServer({ items: numbers(count), leftOut, delays });
				const parts = await allParts(readPages(fetchPage, read));
				const items = parts.flatMap((part) => part.items);
				// Behind 20 empty pages nothing more is looked for.
				expect(items).toEqual(there.slice(0, items.length));
				if (items.length < there.length) expect(parts.at(-20)?.rows).toBe(0);
				expect(sum(parts.map(({ places, rows }) => places - rows)) > 0).toBe(leftOut.size > 0);
			}),
			{ numRuns: length({ full: 500, short: 60 }) },
		);
	});

	test.each([0, 10, 25])('reads on behind a total of %i that is too low', async (total) => {
		const { fetchPage } = listServer({ items: numbers(30) });
		const low: FetchPage<number> = async (page, size) => {
			const answer = await fetchPage(page, size);
			if ('refused' in answer) return answer;
			return { ...answer, pagination: { ...answer.pagination, total } };
		};
		const parts = await allParts(readPages(low, { pageSize: 5, concurrency: 2 }));
		expect(parts.flatMap(({ items }) => items)).toEqual(numbers(30));
		expect(sum(parts.map(({ places }) => places))).toBe(total);
	});

	test('says which pages lack items, each asked for twice, and gives up behind 20 that are empty', async () => {
		const asked: number[] = [];
		const fetchPage: FetchPage<number> = async (page, size) => {
			asked.push(page);
			const list = page === 1 ? [0, 1] : [];
			return await Promise.resolve({ list, pagination: { page, size, total: 1_000_000 } });
		};
		const parts = await allParts(readPages(fetchPage, { pageSize: 2, concurrency: 1 }));
		expect(parts).toHaveLength(21);
		expect(parts.map(({ rows, places }) => places - rows)).toEqual([0, ...numbers(20).fill(2)]);
		expect(asked).toHaveLength(41);
	});
});

async function allParts<T>(read: AsyncIterable<CountedPage<T>>): Promise<Array<CountedPage<T>>> {
	const parts: Array<CountedPage<T>> = [];
	for await (const part of read) parts.push(part);
	return parts;
}

const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);

function range(first: number, end: number): number[] {
	return numbers(end).slice(first);
}
