import { runScript } from '../support/service/startService';

/** Runs a script on the log of batches, and resolves to what it prints. */
async function logged(script: string): Promise<unknown> {
	const printed = await runScript(`
		import { BatchLogStore } from './store/batchLogStore.ts';
		import { openDatabase } from './store/database.ts';
		const database = openDatabase(':memory:');
		const open = () => new BatchLogStore(database, (error) => { throw error; });
		/** Lines of a batch with these numbers. */
		const write = (store, batchID, from, to) => {
			for (let number = from; number <= to; number += 1) {
				store.add(batchID, { time: number, level: 'info', message: 'line ' + number, details: '{}' });
			}
		};
		const messagesOf = ({ lines, dropped }) => ({ messages: lines.map(({ message }) => message), dropped });
		${script}
	`);
	return JSON.parse(printed);
}

const numbered = (from: number, to: number) =>
	Array.from({ length: from - to + 1 }, (_, index) => `line ${from - index}`);

test('the newest thousand lines of a batch are kept, also over a restart', async () => {
	const found = await logged(`
		const before = open();
		write(before, 1n, 1, 700);
		write(before, 2n, 1, 1);
		before.flush();
		const after = open();
		write(after, 1n, 701, 1400);
		after.flush();
		const all = [1n, 2n, 3n].map((batchID) => messagesOf(after.newest(batchID, 2_000)));
		process.stdout.write(JSON.stringify(all));
	`);
	expect(found).toEqual([
		{ messages: numbered(1_400, 401), dropped: 400 },
		{ messages: ['line 1'], dropped: 0 },
		{ messages: [], dropped: 0 },
	]);
});

test('lines can be read as soon as they are written, the newest first', async () => {
	const found = await logged(`
		const store = open();
		write(store, 1n, 1, 5);
		process.stdout.write(JSON.stringify(messagesOf(store.newest(1n, 2))));
	`);
	expect(found).toEqual({ messages: ['line 5', 'line 4'], dropped: 3 });
});
