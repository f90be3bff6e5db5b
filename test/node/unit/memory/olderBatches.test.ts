import { fc } from '../../../support/fastCheck';
import { length } from '../../../support/length';
import type { LastValues } from '../../../../nodes/CloudScraping/memory/lastValues';
import { ArrayStore } from './arrayStore';
import { PlainMemory } from './plainMemory';
import { all, memoryIn, read, rowsOf, shown } from './readRows';

describe('an older batch than the newest that was read', () => {
	const readOf = async (memory: LastValues, batchTime: number | undefined, rows: string) =>
		await memory.take(rowsOf(rows), { ...all, batchTime });
	const shownOf = async (memory: LastValues, batchTime: number | undefined, rows: string) =>
		shown(await readOf(memory, batchTime, rows));

	test('changes no last values, and brings out only keys that were never seen', async () => {
		const memory = memoryIn(new ArrayStore());
		await readOf(memory, 200, 'a1 a2 b1');
		const taken = await readOf(memory, 100, 'a1 b0 c0');
		expect(shown(taken)).toEqual(['c0 new']);
		expect(taken.older).toEqual([0, 1]);
		expect(await shownOf(memory, 200, 'a1 a2 b1 c0')).toEqual([]);
		expect(await shownOf(memory, 300, 'a2 b0 c1')).toEqual(['b0 changed', 'c1 changed']);
	});

	test('is one also after many others, while the newest had its keys', async () => {
		const memory = memoryIn(new ArrayStore());
		await readOf(memory, 500, 'a1');
		for (let n = 0; n < 40; n++) {
			expect(await shownOf(memory, 100 + n, 'a0')).toEqual([]);
			expect(await shownOf(memory, 500, 'a1')).toEqual([]);
		}
	});

	test('is none where its time is not known, nor where that of the others is not', async () => {
		const memory = memoryIn(new ArrayStore());
		await readOf(memory, undefined, 'a1');
		expect(await shownOf(memory, 100, 'a2')).toEqual(['a2 changed']);
		expect(await shownOf(memory, undefined, 'a3')).toEqual(['a3 changed']);
		expect(await shownOf(memory, 50, 'a4')).toEqual([]);
	});

	test('is none after a newer one was given back, or was read as a trial', async () => {
		const memory = memoryIn(new ArrayStore());
		await readOf(memory, 100, 'a1');
		await memory.giveBack(await readOf(memory, 300, 'a2 b2'));
		await memory.take(rowsOf('a3 b3'), { ...all, batchTime: 400, isTrial: true });
		expect(await shownOf(memory, 200, 'a1 b1')).toEqual(['a1 changed', 'b1 new']);
	});

	test('brings out a key of which only rows that were given back had come', async () => {
		const memory = memoryIn(new ArrayStore());
		await memory.giveBack(await readOf(memory, 200, 'a1 b1'));
		await readOf(memory, 300, 'a1');
		expect(await shownOf(memory, 200, 'a0 b1')).toEqual(['b1 new']);
	});

	test('leaves nothing as a trial', async () => {
		const memory = memoryIn(new ArrayStore());
		await readOf(memory, 200, 'a1');
		const trial = { ...all, batchTime: 100, isTrial: true };
		expect(shown(await memory.take(rowsOf('a0 b0'), trial))).toEqual(['b0 new']);
		expect(await shownOf(memory, 100, 'b0')).toEqual(['b0 new']);
		expect(await shownOf(memory, 200, 'a1')).toEqual([]);
	});

	test('is told by a memory from before times were remembered once a batch was read', async () => {
		const store = new ArrayStore();
		const memory = memoryIn(store);
		await read(memory, 'a1 b1');
		store.content = store.content.filter((entry) => !/ (newest|in|time) /.test(entry));
		expect(await shownOf(memory, 200, 'a1')).toEqual([]);
		// Which keys were there before is looked up as it was before.
		expect(await shownOf(memory, 100, 'a0 b1 c1')).toEqual(['c1 new']);
	});

	test('is none where the digits of two times were mixed, or some are lost', async () => {
		const store = new ArrayStore();
		const memory = memoryIn(store);
		const digitsOf = async (time: number) => {
			await readOf(memory, time, 'a1');
			return store.content.filter((entry) => entry.includes(' newest '));
		};
		const one = await digitsOf(0b0111);
		const other = await digitsOf(0b1000);
		store.content = [...new Set([...store.content, ...one, ...other])];
		expect(await shownOf(memory, 1, 'a2')).toEqual(['a2 changed']);
		await digitsOf(100);
		const lost = store.content.find((entry) => entry.includes(' newest '));
		store.content = store.content.filter((entry) => entry !== lost);
		expect(await shownOf(memory, 1, 'a3')).toEqual(['a3 changed']);
	});

	test('is none of a key that only batches before it had, whichever others were asked for it', async () => {
		const memory = memoryIn(new ArrayStore());
		for (const day of [1, 2, 3]) {
			expect(await shownOf(memory, 10 * day + 3, `c${day}`)).toHaveLength(1);
			expect(await shownOf(memory, 10 * day + 1, `a${day} b${day}`)).toHaveLength(2);
			expect(await shownOf(memory, 10 * day + 2, `a${day + 5} c0`)).toEqual([
				`a${day + 5} changed`,
			]);
		}
	});

	test('is one as well of a key of which a batch before it was read as an older one', async () => {
		const memory = memoryIn(new ArrayStore());
		await readOf(memory, 300, 'a3');
		await readOf(memory, 400, 'b4');
		const trial = { ...all, batchTime: 100, isTrial: true };
		expect(shown(await memory.take(rowsOf('a0 b0'), trial))).toEqual([]);
		expect(await shownOf(memory, 100, 'a1 b1')).toEqual([]);
		expect(await shownOf(memory, 350, 'a2 b2')).toEqual(['a2 changed']);
		expect(await shownOf(memory, 300, 'a3')).toEqual([]);
	});

	test('goes on after one that an earlier version of the memory has left', async () => {
		const store = new ArrayStore();
		const memory = memoryIn(store);
		await readOf(memory, 200, 'a1 b1');
		store.content = [
			...store.content.filter((entry) => !/ (in|time) /.test(entry)),
			...['a', 'b'].map((key) => `m met ${key} 1`),
		];
		expect(await shownOf(memory, 100, 'b1 c1')).toEqual(['c1 new']);
		expect(await shownOf(memory, 300, 'a1 b1 c2')).toEqual(['c2 changed']);
		expect(await shownOf(memory, 200, 'a0 c0')).toEqual([]);
	});

	test('among others in any order leaves the last values as they were', async () => {
		const batches = fc.array(
			fc.record({
				time: fc.integer({ min: 1, max: 9 }),
				rows: fc.uniqueArray(
					fc.record({ key: fc.constantFrom(...'abcdef'), values: fc.constantFrom(...'1234') }),
					{ maxLength: 6, selector: ({ key }) => key },
				),
			}),
			{ maxLength: 15 },
		);
		await fc.assert(
			fc.asyncProperty(batches, async (history) => {
				const memory = memoryIn(new ArrayStore());
				const plain = new PlainMemory();
				const newest = new Map<string, number>();
				for (const { time, rows } of history) {
					const taken = await memory.take(rows, { ...all, batchTime: time });
					const asked = rows.filter(({ key }) => (newest.get(key) ?? 0) <= time);
					const due = plain.take(asked, Infinity);
					expect(shown(taken)).toEqual(shown({ due }));
					for (const { key } of asked) newest.set(key, time);
				}
			}),
			{ numRuns: length({ full: 300, short: 60 }) },
		);
	});
});
