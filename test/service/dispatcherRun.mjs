// Runs a batch of two jobs, in which one thing fails as nobody has foreseen, and prints what came of it.
// Usage: node dispatcherRun.mjs page|store
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Dispatcher } from '../../service/src/agents/dispatcher.ts';
import { BatchStore } from '../../service/src/store/batchStore.ts';
import { openDatabase } from '../../service/src/store/database.ts';
import { FailureStore } from '../../service/src/store/failureStore.ts';
import { JobStore } from '../../service/src/store/jobStore.ts';
import { RowStore } from '../../service/src/store/rowStore.ts';
import { SelectorStore } from '../../service/src/store/selectorStore.ts';

const failing = process.argv[2];
const [taskID, loopID, openID, rowID, fieldID] = Array.from({ length: 5 }, () =>
	crypto.randomUUID(),
);
const urls = ['http://first.example/', 'http://second.example/'];
const task = {
	taskID,
	name: 'Two pages',
	page: 'http',
	steps: [
		{
			id: loopID,
			type: 'loop',
			config: {
				loopType: 'list',
				listType: 'urlList',
				urls,
				steps: [
					{ id: openID, type: 'navigate', config: { useLoopItem: true } },
					{ id: rowID, type: 'extractData', config: { fields: [{ id: fieldID, name: 'Text' }] } },
				],
			},
		},
	],
};

/** The two methods of a page that fail, and what the task needs besides. */
const page = {
	bookmark: async () => async () => undefined,
	open: async (url) => {
		if (failing === 'page' && url === urls[0]) throw new TypeError('unforeseen');
	},
	address: () => '',
	read: async function* () {
		yield [{ [fieldID]: 'text' }];
	},
	close: async () => undefined,
};

const database = openDatabase(':memory:');
const batches = new BatchStore(database);
const rows = new RowStore(database);
if (failing === 'store') {
	rows.append = () => {
		throw new Error('database or disk is full');
	};
}
const batch = batches.create({
	taskID,
	task: JSON.stringify(task),
	region: 'us',
	nodeCount: 1,
	requestID: 'test',
	fields: [{ id: fieldID, name: 'Text' }],
	jobs: [
		{ first: 0, end: 1 },
		{ first: 1, end: 2 },
	],
});

const lines = [];
const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
/** What the store is said to have failed with. */
let failure;
new Dispatcher({
	batches,
	jobs: new JobStore(database),
	rows,
	agents: 1,
	log,
	failures: new FailureStore(database),
	selectors: new SelectorStore(database),
	pages: { http: () => page },
	onStoreFailure: (error) => (failure = error.message),
}).begin('http://site.example');
while (batches.find(batch.id).status < 3) await sleep(10);
const { status, lineCount, endReason } = batches.find(batch.id);
const errors = lines
	.filter(({ level }) => level >= 50)
	.map(({ msg, job, err, reason }) => ({ msg, job, reason: err?.message ?? reason }));
console.log(JSON.stringify({ failure, status, lineCount, endReason, errors }));
process.exit(0);
