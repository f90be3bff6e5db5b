import type { DatabaseSync } from 'node:sqlite';
import { BatchLogStore } from '../../service/src/store/batchLogStore.ts';
import { openDatabase } from '../../service/src/store/database.ts';

let database: DatabaseSync;

beforeEach(() => {
	database = openDatabase(':memory:');
});
afterEach(() => database.close());

const open = () =>
	new BatchLogStore(database, (error) => {
		throw error;
	});

/** Writes lines of a batch with these numbers. */
function write(store: BatchLogStore, batchID: bigint, from: number, to: number): void {
	for (let number = from; number <= to; number += 1) {
		store.add(batchID, { time: number, level: 'info', message: `line ${number}`, details: '{}' });
	}
}

const messagesOf = ({ lines, dropped }: ReturnType<BatchLogStore['newest']>) => ({
	messages: lines.map(({ message }) => message),
	dropped,
});

const numbered = (from: number, to: number) =>
	Array.from({ length: from - to + 1 }, (_, index) => `line ${from - index}`);

test('the newest thousand lines of a batch are kept, also over a restart', () => {
	const before = open();
	write(before, 1n, 1, 700);
	write(before, 2n, 1, 1);
	before.flush();
	const after = open();
	write(after, 1n, 701, 1400);
	after.flush();
	const all = [1n, 2n, 3n].map((batchID) => messagesOf(after.newest(batchID, 2_000)));
	expect(all).toEqual([
		{ messages: numbered(1_400, 401), dropped: 400 },
		{ messages: ['line 1'], dropped: 0 },
		{ messages: [], dropped: 0 },
	]);
});

test('lines can be read as soon as they are written, the newest first', () => {
	const store = open();
	write(store, 1n, 1, 5);
	expect(messagesOf(store.newest(1n, 2))).toEqual({ messages: ['line 5', 'line 4'], dropped: 3 });
});
