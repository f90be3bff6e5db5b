import { fc } from '../../../support/fastCheck';
import { length } from '../../../support/length';
import { ReadNumbers } from '../../../../nodes/CloudScraping/memory/readNumbers';
import type { RowPrint } from '../../../../nodes/CloudScraping/memory/rowMemory';
import { ArrayStore } from './arrayStore';
import { PlainMemory } from './plainMemory';
import { all, memoryIn, read, rowsOf, shown } from './readRows';
import { SharedStore } from './sharedStore';

describe('the last values of a key', () => {
	test('that change and come back come out each time', async () => {
		const memory = memoryIn(new ArrayStore());
		expect(await read(memory, 'a100')).toEqual(['a100 new']);
		for (const price of [80, 100, 80, 100, 80]) {
			expect(await read(memory, `a${price}`)).toEqual([`a${price} changed`]);
			expect(await read(memory, `a${price}`)).toEqual([]);
		}
	});

	test('are known after many reads without the key', async () => {
		const memory = memoryIn(new ArrayStore());
		await read(memory, 'a1 b1');
		for (let n = 0; n < 600; n++) await read(memory, `b${n}`);
		expect(await read(memory, 'a1 c1')).toEqual(['c1 new']);
		for (let n = 0; n < 20; n++) await read(memory, 'b1');
		expect(await read(memory, 'a2')).toEqual(['a2 changed']);
	});

	test('are those of all rows of the key in its last read', async () => {
		const memory = memoryIn(new ArrayStore());
		expect(await read(memory, 'a1 a2')).toEqual(['a1 new', 'a2 new']);
		expect(await read(memory, 'a2 a1')).toEqual([]);
		expect(await read(memory, 'a2')).toEqual([]);
		expect(await read(memory, 'a1 a2')).toEqual(['a1 changed']);
	});

	test('are not those of a row beyond the limit', async () => {
		const memory = memoryIn(new ArrayStore());
		expect(await read(memory, 'a1 b1 c1', 2)).toEqual(['a1 new', 'b1 new']);
		expect(await read(memory, 'a2 b2 c2', 1)).toEqual(['a2 changed']);
		expect(await read(memory, 'a2 b2 c2')).toEqual(['b2 changed', 'c2 new']);
	});

	test('are there once a row of a new key has come out: one beyond the limit is a change', async () => {
		const memory = memoryIn(new ArrayStore());
		expect(await read(memory, 'a1 a2 b1 b2', 1)).toEqual(['a1 new']);
		expect(await read(memory, 'a1 a2 b1 b2')).toEqual(['a2 changed', 'b1 new', 'b2 new']);
	});

	test('are not those of a row that was given back', async () => {
		const memory = memoryIn(new ArrayStore());
		await read(memory, 'a1 b1');
		const taken = await memory.take(rowsOf('a2 b1 c1'), all);
		await memory.giveBack(taken);
		expect(await read(memory, 'a2 b1 c1')).toEqual(['a2 changed', 'c1 new']);
	});

	test('of one memory are none of another', async () => {
		const store = new ArrayStore();
		await read(memoryIn(store, 'one'), 'a1');
		const other = await memoryIn(store, 'other').take(rowsOf('a1'), all);
		expect(shown(other)).toEqual(['a1 new']);
		expect(other.isFirst).toBe(true);
		expect(await read(memoryIn(store, 'one'), 'a1')).toEqual([]);
	});

	test('are looked up with few questions, most of all where the last read had all rows', async () => {
		const store = new ArrayStore();
		const memory = memoryIn(store);
		const rows = Array.from({ length: 900 }, (_row, n) => ({ key: `k${n}`, values: 'v' }));
		const callsOf = async (of: RowPrint[]) => {
			store.callsToLive = 1_000;
			await memory.take(of, all);
			return 1_000 - store.callsToLive;
		};
		await callsOf(rows);
		const before = store.size;
		for (let reads = 0; reads < 16; reads++) {
			expect(await callsOf(rows)).toBeLessThanOrEqual(8);
		}
		// Three a row and read, what says where it stands, and one a row for each block that begins meanwhile.
		const each = 3 * rows.length + 40;
		expect(store.size - before).toBeLessThanOrEqual(16 * each + 2 * rows.length);
		expect(await callsOf([{ key: 'new', values: '1' }, ...rows])).toBeLessThanOrEqual(11);
	});
});

/** What happens to a node: reads of some rows, of which few come out, and which may fail afterwards. */
const reads = fc.array(
	fc.record({
		rows: fc.uniqueArray(
			fc.record({ key: fc.constantFrom(...'abcdefgh'), values: fc.constantFrom(...'1234') }),
			{ maxLength: 8, selector: ({ key, values }) => key + values },
		),
		limit: fc.constantFrom(1, 2, 3, Infinity, Infinity),
		fails: fc.constantFrom(false, false, false, true),
	}),
	{ maxLength: 60 },
);

describe('random histories of reads', () => {
	test('give what a plain memory of the last values gives', async () => {
		await fc.assert(
			fc.asyncProperty(reads, async (history) => {
				const memory = memoryIn(new ArrayStore());
				const plain = new PlainMemory();
				for (const { rows, limit, fails } of history) {
					const taken = await memory.take(rows, { limit: () => limit });
					expect(shown(taken)).toEqual(shown({ due: plain.take(rows, limit) }));
					if (!fails) continue;
					await memory.giveBack(taken);
					plain.giveBack(taken.due);
				}
			}),
			{ numRuns: length({ full: 300, short: 60 }) },
		);
	});

	test('lose no row where the store drops its oldest entries', async () => {
		await fc.assert(
			fc.asyncProperty(reads, fc.integer({ min: 45, max: 400 }), async (history, most) => {
				const memory = memoryIn(new ArrayStore(most));
				const plain = new PlainMemory();
				for (const { rows, fails } of history) {
					const taken = await memory.take(rows, all);
					const due = plain.take(rows, Infinity);
					expect(taken.due.map(({ index }) => index)).toEqual(
						expect.arrayContaining(due.map(({ index }) => index)),
					);
					if (!fails) continue;
					await memory.giveBack(taken);
					plain.giveBack(taken.due);
				}
			}),
			{ numRuns: length({ full: 300, short: 60 }) },
		);
	});

	test('lose no row when n8n dies at any call, or its store loses what was written last', async () => {
		await fc.assert(
			fc.asyncProperty(
				reads,
				reads,
				fc.nat(14),
				fc.boolean(),
				async (history, after, calls, isOverwritten) => {
					const store = new ArrayStore();
					const memory = memoryIn(store);
					const plain = new PlainMemory();
					for (const { rows } of history) {
						await memory.take(rows, all);
						plain.take(rows, Infinity);
					}
					const saved = store.content;
					const [last, ...others] = [{ rows: [{ key: 'a', values: '9' }] }, ...after];
					store.callsToLive = calls;
					const died = await memory.take(last.rows, all).catch(() => undefined);
					store.callsToLive = Infinity;
					if (isOverwritten) store.content = saved;
					// What has come out before n8n died, or the store forgot, may come out again.
					if (died && !isOverwritten) plain.take(last.rows, Infinity);
					for (const { rows } of others) {
						const taken = await memory.take(rows, all);
						const due = plain.take(rows, Infinity);
						expect(taken.due.map(({ index }) => index)).toEqual(
							expect.arrayContaining(due.map(({ index }) => index)),
						);
					}
				},
			),
			{ numRuns: length({ full: 500, short: 60 }) },
		);
	});
});

describe('another execution that reads at the same time', () => {
	test('is waited for', async () => {
		const store = new ArrayStore();
		const other = new ReadNumbers(store, 'm');
		await read(memoryIn(store), 'a1');
		const underWay = await other.open();
		let pauses = 0;
		const waiting = memoryIn(store, 'm', async () => {
			if (++pauses === 3) await other.close(underWay, []);
		});
		expect(await read(waiting, 'a1 b1')).toEqual(['b1 new']);
		expect(pauses).toBe(3);
	});

	test('loses no new row, whichever of two processes does which step when', async () => {
		const steps = fc.array(fc.nat(1), { minLength: 60, maxLength: 60 });
		await fc.assert(
			fc.asyncProperty(steps, async (order) => {
				const store = new SharedStore();
				const alone = async (rows: string) => {
					const out = read(memoryIn(store.of(0)), rows);
					await store.run([out], () => 0);
					return await out;
				};
				const before = await alone('a1');
				const both = [0, 1].map(
					async (process) => await read(memoryIn(store.of(process)), 'a1 b1 c1 d1', 2),
				);
				let at = 0;
				await store.run(both, (waiting) => order[at++ % order.length] % waiting);
				const out = [
					...before,
					...(await Promise.all(both)).flat(),
					...(await alone('a1 b1 c1 d1')),
				];
				const rows = new Set(out.map((each) => each.slice(0, 2)));
				expect([...rows].sort()).toEqual(['a1', 'b1', 'c1', 'd1']);
			}),
			{ numRuns: length({ full: 1_000, short: 120 }) },
		);
	});

	test('that does not end has died: all rows come out once more, and no row is a first one', async () => {
		const store = new ArrayStore();
		await read(memoryIn(store), 'a1');
		await new ReadNumbers(store, 'm').open();
		const taken = await memoryIn(store).take(rowsOf('a1'), all);
		expect(shown(taken)).toEqual(['a1 new']);
		expect(taken.isFirst).toBe(false);
		expect(await read(memoryIn(store), 'a1')).toEqual([]);
	});
});
