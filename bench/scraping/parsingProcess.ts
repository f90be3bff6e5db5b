import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { listAt, objectAt } from '../../playground/json.ts';
import { tellParent } from '../ground/child.ts';

/** Has threads parse and read the pages of each message, each thread the next page when it is done with one. */
const [pages] = process.argv.slice(2);
const threads = Array.from(
	{ length: availableParallelism() },
	() => new Worker(new URL('./parsingThread.ts', import.meta.url), { workerData: Number(pages) }),
);
await Promise.all(threads.map((thread) => once(thread, 'message')));

process.on('message', (message) => void read(objectAt(message)).then(tellParent));
process.on('disconnect', () => process.exit(0));
tellParent({ pid: process.pid });

async function read(asked: ReturnType<typeof objectAt>) {
	const next = new Int32Array(new SharedArrayBuffer(4));
	const began = performance.now();
	const answers = threads.map(async (thread) => {
		thread.postMessage({ ...asked, next });
		const answer: unknown[] = await once(thread, 'message');
		return listAt(objectAt(answer[0]), 'rows').map((each) => objectAt(each));
	});
	const rows = (await Promise.all(answers)).flat();
	const milliseconds = performance.now() - began;
	rows.sort((one, other) => Number(one.index) - Number(other.index));
	return { milliseconds, rows: rows.map((row) => listAt(row, 'values')) };
}
