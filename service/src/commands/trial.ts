import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { pino } from 'pino';
import { v4 as newUuid } from 'uuid';
import { Dispatcher, type PageKinds } from '../agents/dispatcher.ts';
import { Browser } from '../pages/browser/browser.ts';
import { BrowserPage } from '../pages/browser/browserPage.ts';
import { browserMissing, findBrowser } from '../pages/browser/findBrowser.ts';
import { HttpPage } from '../pages/http/httpPage.ts';
import { Readers } from '../pages/http/readers.ts';
import type { Settings } from '../settings.ts';
import { shop } from '../site/shop.ts';
import { status, type Batch } from '../store/batch.ts';
import { BatchStore } from '../store/batchStore.ts';
import { openDatabase } from '../store/database.ts';
import { FailureStore, type FailedPage } from '../store/failureStore.ts';
import { JobStore } from '../store/jobStore.ts';
import { RowStore } from '../store/rowStore.ts';
import { SelectorStore, type StepSelector } from '../store/selectorStore.ts';
import { splitJobs } from '../tasks/splitJobs.ts';
import { fieldsOf, type Task } from '../tasks/task.ts';

/** What came of a task that was tried. */
export interface Trial {
	batch: Batch;
	/** The first rows, each a JSON object: value by field id. */
	rows: string[];
	failures: FailedPage[];
	emptySelectors: StepSelector[];
}

/** Milliseconds between two looks at how far the run is. */
const pulse = 25;

/**
 * Runs a task with one agent until it has brought `rows` rows, has ended, or is aborted by `signal`.
 * Nothing is stored; `{site}` is served on a free port meanwhile. Throws an Error for people.
 */
export async function runTrial(
	task: Task,
	{ rows, signal, browser }: { rows: number; signal: AbortSignal; browser: Settings['browser'] },
): Promise<Trial> {
	const log = pino({ level: 'silent' });
	const site = Fastify();
	await site.register(shop);
	const readers = new Readers();
	const chromium = task.page === 'browser' ? new Browser(await found(browser), log) : undefined;
	const pages: PageKinds = {
		http: (end) => new HttpPage(readers, end),
		...(chromium && { browser: (end: AbortSignal) => new BrowserPage(chromium, end) }),
	};
	const database = openDatabase(':memory:');
	const batches = new BatchStore(database);
	const stores = {
		batches,
		jobs: new JobStore(database),
		rows: new RowStore(database),
		failures: new FailureStore(database),
		selectors: new SelectorStore(database),
	};
	const fatal = Promise.withResolvers<never>();
	const dispatcher = new Dispatcher({ ...stores, agents: 1, log, pages, onFatal: fatal.reject });
	try {
		dispatcher.begin(await site.listen({ host: '127.0.0.1', port: 0 }));
		const { id } = batches.create({
			taskID: task.taskID,
			task: JSON.stringify(task),
			region: 'us',
			nodeCount: 1,
			requestID: newUuid(),
			fields: fieldsOf(task),
			jobs: splitJobs(task, 1),
		});
		dispatcher.add(batches.get(id), task);
		await Promise.race([fatal.promise, enough(() => batches.get(id), rows, signal)]);
		const batch = batches.end(id, status.stopped);
		dispatcher.stop(id);
		return {
			batch,
			rows: [...stores.rows.read(batch, { offset: 0, size: rows })],
			failures: stores.failures.of(id),
			emptySelectors: stores.selectors.emptyOf(id),
		};
	} finally {
		await dispatcher.close();
		await Promise.all([readers.close(), chromium?.close(), site.close()]);
		database.close();
	}
}

async function found(configured: Settings['browser']): Promise<string> {
	const executable = await findBrowser(configured, process.env.PATH ?? '');
	if (executable === undefined) throw new Error(`This task needs a browser. ${browserMissing}`);
	return executable;
}

async function enough(batch: () => Batch, rows: number, signal: AbortSignal): Promise<void> {
	while (!signal.aborted) {
		const { endTime, lineCount } = batch();
		if (endTime > 0 || lineCount >= rows) return;
		await sleep(pulse, undefined, { signal }).catch(() => undefined);
	}
}
