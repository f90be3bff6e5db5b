import { pino } from 'pino';
import { LoneDispatcher } from '../../service/src/agents/loneDispatcher.ts';
import { systemClock } from '../../service/src/pages/clock.ts';
import { PageError, type Bookmark, type Page } from '../../service/src/pages/page.ts';
import { reasonOf } from '../../service/src/errors/thrown.ts';
import { status } from '../../service/src/store/batch.ts';
import { openTemporaryStore } from '../../service/src/store/openStore.ts';
import { extract, loop, step, task } from '../support/service/taskFiles';

const urls = ['http://first.example/', 'http://second.example/'];
const list = loop({ loopType: 'list', listType: 'urlList', urls }, [
	step('navigate', { useLoopItem: true }),
	extract({ Text: {} }),
]);
const twoPages = task('two pages', [list], { tries: 1 });

/** What the log says of the end of a batch. */
const ends = ['batch successful', 'batch cannot go on, stopped', 'job left'];

/** A page that nothing is done with but what the task above does. */
class OnlyRead implements Page {
	readonly #open: (url: string) => void;

	constructor(open: (url: string) => void) {
		this.#open = open;
	}

	bookmark = (): Bookmark => ({
		isAsOpened: true,
		isLast: () => true,
		isOpen: () => true,
		goBack: () => Promise.resolve(),
		now: () => this.bookmark(),
	});
	address = () => '';
	lack = () => undefined;
	close = () => Promise.resolve();
	open = (url: string) => {
		this.#open(url);
		return Promise.resolve();
	};
	async *read() {
		yield await Promise.resolve([{ text: ['text'] }]);
	}
	inputText = unforeseen;
	submit = unforeseen;
	leaveField = unforeseen;
	click = unforeseen;
	missing = unforeseen;
	leadsTo = unforeseen;
	has = unforeseen;
	presence = unforeseen;
	elements = unforeseen;
	enter = unforeseen;
	enteredLink = unforeseen;
	enteredText = unforeseen;
	scroll = unforeseen;
	snapshot = unforeseen;
	fingerprint = unforeseen;
}

function unforeseen(): never {
	throw new TypeError('unforeseen');
}

/** Has each write of a kind fail once, as it fails while the database is away. */
function awayAtFirst<Name extends string>(
	store: Record<Name, (...what: never[]) => Promise<unknown>>,
	name: Name,
	writes: unknown[][],
): void {
	const write = store[name].bind(store);
	let isAway = false;
	store[name] = (...what) => {
		isAway = !isAway;
		writes.push([name, ...what]);
		return isAway ? Promise.reject(new Error('away')) : write(...what);
	};
}

/** What came of a batch of one job in which this fails, as nobody has foreseen. */
async function runWith(failing: 'page' | 'machine' | 'store' | 'connection' | 'claim') {
	const store = openTemporaryStore({ log: pino({ level: 'silent' }) });
	if (failing === 'store') {
		store.rows.append = () => Promise.reject(new Error('database or disk is full'));
	}
	/** What is to be written: everything twice, since the database is away for each first time. */
	const writes: unknown[][] = [];
	if (failing === 'connection') {
		const { rows, jobs, selectors, batches } = store;
		awayAtFirst(rows, 'append', writes);
		awayAtFirst(jobs, 'claim', writes);
		awayAtFirst(jobs, 'markDone', writes);
		awayAtFirst(selectors, 'note', writes);
		awayAtFirst(batches, 'markRunning', writes);
		store.database.isBack = (error) => Promise.resolve(reasonOf(error) === 'away');
	}
	const { id } = await store.batches.create({
		taskID: twoPages.taskID,
		task: JSON.stringify(twoPages),
		region: 'us',
		nodeCount: 1,
		requestID: 'test',
		fields: [{ id: 'text', name: 'Text' }],
		jobs: [{ first: 0, end: 2 }],
	});
	const errors: unknown[] = [];
	const ended = Promise.withResolvers<undefined>();
	/** What the store is said to have failed with. */
	let failure: string | undefined;
	const log = pino(
		{ formatters: { level: (label) => ({ label }) } },
		{
			write(text: string) {
				const line = JSON.parse(text) as Record<string, unknown>;
				const { label, msg, job, err, reason } = line;
				if (label === 'error') errors.push({ msg, job, err, reason });
				if (ends.includes(String(msg))) ended.resolve(undefined);
			},
		},
	);
	/** Whether what the machine has lacked once is there. */
	let isFound = false;
	const page = new OnlyRead((url) => {
		if (failing === 'page' && url === urls[0]) unforeseen();
		if (failing === 'machine' && !isFound) {
			isFound = true;
			throw new PageError('no file left', { outage: { of: 'machine' } });
		}
		if (failing === 'claim' && url === urls[1]) void store.jobs.claim(id, 0);
	});
	const dispatcher = new LoneDispatcher({
		...store,
		log,
		clock: { ...systemClock, sleep: () => Promise.resolve() },
		agents: 1,
		pages: { http: { open: () => page, canOpen: () => Promise.resolve(true) } },
		onStoreFailure: (error) => (failure = reasonOf(error)),
		matches: unforeseen,
	});
	await dispatcher.takeOver();
	dispatcher.begin('http://site.example');
	await ended.promise;
	const { status, lineCount, endReason } = await store.batches.get(id);
	await dispatcher.close();
	await store.close();
	return { failure, status, lineCount, endReason, errors, writes };
}

test('a page that fails as nobody has foreseen costs its item, and is logged', async () => {
	expect(await runWith('page')).toMatchObject({
		failure: undefined,
		status: status.successful,
		lineCount: 1,
		endReason: '',
		errors: [
			{
				msg: 'item failed as nobody has foreseen, skipped',
				job: 0,
				err: { message: 'unforeseen' },
			},
		],
	});
});

test('what this machine lacks for a moment is no try of a page', async () => {
	expect(await runWith('machine')).toMatchObject({
		failure: undefined,
		status: status.successful,
		lineCount: 2,
		errors: [],
	});
});

test('what cannot be written while the database is away is written when it is back, as it was', async () => {
	const { writes, ...came } = await runWith('connection');
	expect(came).toMatchObject({ failure: undefined, status: status.successful, lineCount: 2 });
	const [first, second] = [0, 1].map((turn) => writes.filter((_, index) => index % 2 === turn));
	expect(first).toEqual(second);
	expect(first?.map(([name]) => name)).toEqual([
		'markRunning',
		'claim',
		'note',
		'append',
		'append',
		'markDone',
	]);
});

test('a job that another agent has taken over is left to that one, and so is the end of its batch', async () => {
	expect(await runWith('claim')).toMatchObject({
		failure: undefined,
		status: status.running,
		lineCount: 1,
		errors: [],
	});
});

test('a store that fails ends the batch with the reason', async () => {
	const reason =
		'The database cannot be written: database or disk is full. See to its disk, then start the task again.';
	expect(await runWith('store')).toEqual({
		failure: reason,
		status: status.stopped,
		lineCount: 0,
		endReason: reason,
		errors: [{ msg: 'batch cannot go on, stopped', reason }],
		writes: [],
	});
});
