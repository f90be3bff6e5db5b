import { fc } from '../../../../support/fastCheck';
import { length } from '../../../../support/length';
import type { FetchPage } from '../../../../../nodes/CloudScraping/api/paging/page';
import { readUnseenPages } from '../../../../../nodes/CloudScraping/api/paging/unseen';
import { allItems, listServer, numbers } from './listServer';
import type { Asked } from './listServer';

interface DeduplicatingServer {
	items: number[];
	/** Duplicates are dropped before or after pages are cut. */
	reading: 'beforePaging' | 'afterPaging';
	maxSize?: number;
	oversize?: 'clamp' | 'clampAndEcho' | 'refuse';
	/** Requests that are answered before `maxSize` holds. */
	unlimited?: number;
	/** Items that were sent in an earlier read. */
	sentBefore?: number[];
}

/** A service that never sends an item twice for one deduplication ID (section 4.4). */
function deduplicatingServer({
	items,
	reading,
	maxSize = Infinity,
	oversize = 'refuse',
	unlimited = 0,
	sentBefore = [],
}: DeduplicatingServer) {
	const sent = new Set(sentBefore);
	const order: number[] = [];
	let asked = 0;
	const send = (page: number[]) =>
		page.filter((item) => {
			if (sent.has(item)) return false;
			sent.add(item);
			order.push(item);
			return true;
		});
	const most = () => (asked++ < unlimited ? Infinity : maxSize);
	const plainAsked: Asked[] = [];
	const fetchPlain: FetchPage<number> = async (page, size) => {
		plainAsked.push({ page, size });
		return await listServer({ items, maxSize: most(), oversize }).fetchPage(page, size);
	};
	const fetchUnseen: FetchPage<number> = async (page, size) => {
		const unsent = [...new Set(items)].filter((item) => !sent.has(item));
		const list = reading === 'afterPaging' ? items : unsent;
		const answer = await listServer({ items: list, maxSize: most(), oversize }).fetchPage(
			page,
			size,
		);
		return 'refused' in answer ? answer : { ...answer, list: send(answer.list) };
	};
	return { fetchUnseen, fetchPlain, plainAsked, order };
}

describe.each(['beforePaging', 'afterPaging'] as const)('readUnseenPages, %s', (reading) => {
	const withDuplicates = [0, 0, 1, 2, 1, 3, 3, 3, 4, 5, 6, 0, 7, 8, 9];

	test('reads each item once', async () => {
		const { fetchUnseen, fetchPlain } = deduplicatingServer({ items: withDuplicates, reading });
		const items = await allItems(readUnseenPages(fetchUnseen, fetchPlain, { pageSize: 4 }));
		expect(items).toEqual(numbers(10));
	});

	test('reads only what was not sent in an earlier read', async () => {
		const sentBefore = [0, 1, 2, 3, 4, 5];
		const { fetchUnseen, fetchPlain } = deduplicatingServer({
			items: withDuplicates,
			reading,
			sentBefore,
		});
		const items = await allItems(readUnseenPages(fetchUnseen, fetchPlain, { pageSize: 4 }));
		expect(items).toEqual([6, 7, 8, 9]);
	});

	test('reads nothing of an empty list', async () => {
		const { fetchUnseen, fetchPlain } = deduplicatingServer({ items: [], reading });
		expect(await allItems(readUnseenPages(fetchUnseen, fetchPlain, { pageSize: 4 }))).toEqual([]);
	});

	test('loses nothing where the service begins to make pages smaller on the way, in its order', async () => {
		const { fetchUnseen, fetchPlain } = deduplicatingServer({
			items: numbers(40),
			reading,
			maxSize: 7,
			oversize: 'clamp',
			unlimited: 3,
		});
		const items = await allItems(readUnseenPages(fetchUnseen, fetchPlain, { pageSize: 10 }));
		expect(items).toEqual(numbers(40));
	});

	test('loses nothing and takes nothing beyond the limit, whatever the service allows', async () => {
		const server = fc.record({
			items: fc.array(fc.nat(40), { maxLength: 80 }),
			sentBefore: fc.array(fc.nat(40), { maxLength: 20 }),
			maxSize: fc.integer({ min: 1, max: 20 }),
			oversize: fc.constantFrom('clamp' as const, 'clampAndEcho' as const, 'refuse' as const),
			unlimited: fc.constantFrom(0, 0, 1, 2, 3, 5),
		});
		const pageSize = fc.integer({ min: 1, max: 25 });
		const limit = fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 60 }));
		await fc.assert(
			fc.asyncProperty(server, pageSize, limit, async (behaviour, pageSize, limit) => {
				const { fetchUnseen, fetchPlain, order } = deduplicatingServer({ ...behaviour, reading });
				const read = readUnseenPages(fetchUnseen, fetchPlain, { pageSize, limit });
				const items = await allItems(read);
				const before = new Set(behaviour.sentBefore);
				const unseen = new Set(behaviour.items.filter((item) => !before.has(item)));
				expect(items).toEqual(order);
				// With a cap that begins on the way without a word, the last rows of a limit may be later ones.
				const isSilent = behaviour.oversize === 'clamp' && behaviour.unlimited > 0;
				if (isSilent && limit < unseen.size) {
					expect(items).toHaveLength(limit);
					expect([...unseen]).toEqual(expect.arrayContaining(items));
				} else expect(items).toEqual([...unseen].slice(0, limit));
			}),
			{ numRuns: length({ full: 500, short: 60 }) },
		);
	});
});

describe('readUnseenPages', () => {
	test('a service that sends for ever is an error', async () => {
		const endless: FetchPage<number> = async (page, size) =>
			await Promise.resolve({ list: numbers(size), pagination: { page, size, total: 10 } });
		const read = allItems(readUnseenPages(endless, endless, { pageSize: 5 }));
		await expect(read).rejects.toThrow('The list does not end');
	});

	test('throws the first refusal when every size is refused', async () => {
		const { fetchUnseen, fetchPlain } = deduplicatingServer({
			items: [1, 2, 3],
			reading: 'afterPaging',
			maxSize: 0,
		});
		const read = allItems(readUnseenPages(fetchUnseen, fetchPlain, { pageSize: 8 }));
		await expect(read).rejects.toThrow('size 8');
	});

	test('looks twice at most at a page without deduplication', async () => {
		const { fetchUnseen, fetchPlain, plainAsked } = deduplicatingServer({
			items: numbers(100).map((n) => n % 10),
			reading: 'afterPaging',
		});
		await allItems(readUnseenPages(fetchUnseen, fetchPlain, { pageSize: 20 }));
		expect(plainAsked.length).toBeLessThanOrEqual(2);
	});
});
