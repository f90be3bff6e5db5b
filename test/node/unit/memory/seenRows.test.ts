import { isFullLength } from '../../../support/length';
import { SeenRows } from '../../../../nodes/CloudScraping/memory/seenRows';
import { ArrayStore } from './arrayStore';
import { SharedStore, forAllChoices } from './sharedStore';

const rowsOf = (values: string) => [...values].map((each) => ({ key: '', values: each }));

/** Reads the rows, each a letter; gives those that come out. */
const read = async (memory: SeenRows, rows: string, limit: number) => {
	const { due } = await memory.take(rowsOf(rows), { limit: () => limit });
	return due.map(({ row }) => row.values).join('');
};

/** Reads again and again, until nothing comes out any more. */
const readOn = async (memory: SeenRows, rows: string, limit: number): Promise<string> => {
	const out = await read(memory, rows, limit);
	return out === '' ? '' : out + (await readOn(memory, rows, limit));
};

describe('rows that are seen once', () => {
	test('come out up to the limit, and the others later', async () => {
		const memory = new SeenRows(new ArrayStore(), 'm');
		expect(await read(memory, 'ab', Infinity)).toBe('ab');
		expect(await read(memory, 'abcdefg', 3)).toBe('cde');
		expect(await readOn(memory, 'abcdefg', 1)).toBe('fg');
	});

	const reads: Array<[string, string, number]> = [
		['abc', 'cba', 2],
		['ab', 'ab', 1],
		['abc', 'abc', 2],
		['abcd', 'abcd', 2],
	];

	test.each(isFullLength ? reads : reads.slice(0, 1))(
		'two processes that read %s and %s at once, up to %i, lose none, whoever does which step when',
		async (one, other, limit) => {
			const rows = [...new Set(one + other)].sort().join('');
			const orders = await forAllChoices(async (choose) => {
				const store = new SharedStore();
				const alone = async (work: Promise<string>) => {
					await store.run([work], () => 0);
					return await work;
				};
				await alone(read(new SeenRows(store.of(0), 'm'), 'a', 1));
				const both = [one, other].map(
					async (each, index) => await read(new SeenRows(store.of(index), 'm'), each, limit),
				);
				await store.run(both, choose);
				const out = (await Promise.all(both)).join('');
				const later = await alone(readOn(new SeenRows(store.of(0), 'm'), rows, limit));
				expect([...new Set(`a${out}${later}`)].sort().join('')).toBe(rows);
			});
			expect(orders).toBeGreaterThan(900);
		},
	);

	test('are lost with n8n when it dies, but none beyond the limit', async () => {
		for (let calls = 0; calls < 8; calls++) {
			const store = new ArrayStore();
			const memory = new SeenRows(store, 'm');
			await read(memory, 'a', 1);
			store.callsToLive = calls;
			await read(memory, 'abcdefg', 2).catch(() => '');
			store.callsToLive = Infinity;
			expect(await readOn(memory, 'abcdefg', 7)).toMatch(/defg$/);
		}
	});
});
