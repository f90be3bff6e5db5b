import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { v4 as newUuid } from 'uuid';
import { Browser } from '../pages/browser/browser.ts';
import { browserMissing, findBrowser } from '../pages/browser/findBrowser.ts';
import { openScraping } from './scraping.ts';
import type { Settings } from '../settings.ts';
import { shop } from '../site/shop.ts';
import type { Batch } from '../store/batch.ts';
import { openDatabase } from '../store/database.ts';
import type { FailedPage } from '../store/failureStore.ts';
import type { StepSelector } from '../store/selectorStore.ts';
import { splitJobs } from '../tasks/splitJobs.ts';
import { columnsOf, type Task } from '../tasks/task.ts';

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

/** What a trial is bounded by, and what it runs with. */
export interface TrialSettings {
	/** It ends when it has brought so many. */
	rows: number;
	/** Ends it early. */
	signal: AbortSignal;
	browser: Settings['browser'];
	/** What `{site}` stands for; absent: the demo shop, which is served on a free port meanwhile. */
	site?: string;
}

/**
 * Runs a task with one agent until it has brought enough rows, has ended, or is aborted. Nothing is
 * stored. Throws an Error for people.
 */
export async function runTrial(
	task: Task,
	{ rows, signal, browser, site }: TrialSettings,
): Promise<Trial> {
	const log = pino({ level: 'silent' });
	const ownBrowser = task.page === 'browser' ? new Browser(await found(browser), log) : undefined;
	const database = openDatabase(':memory:');
	const fatal = Promise.withResolvers<never>();
	const options = { browser: ownBrowser, agents: 1, log, onStoreFailure: fatal.reject };
	const scraping = openScraping(database, options);
	const { batches, dispatcher } = scraping;
	const ownShop = Fastify();
	try {
		dispatcher.begin(site ?? (await open(ownShop)));
		const { id } = batches.create({
			taskID: task.taskID,
			task: JSON.stringify(task),
			region: 'us',
			nodeCount: 1,
			requestID: newUuid(),
			fields: columnsOf(task),
			jobs: splitJobs(task, 1),
		});
		dispatcher.add(batches.get(id), task);
		await Promise.race([fatal.promise, enough(() => batches.get(id), rows, signal)]);
		const batch = dispatcher.stop(id);
		return {
			batch,
			rows: [...scraping.rows.read(batch, { offset: 0, size: rows })],
			failures: scraping.failures.of(id),
			emptySelectors: scraping.selectors.emptyOf(id),
		};
	} finally {
		await Promise.all([scraping.close(), ownShop.close()]);
		await ownBrowser?.close();
		database.close();
	}
}

async function open(site: FastifyInstance): Promise<string> {
	await site.register(shop);
	return site.listen({ host: '127.0.0.1', port: 0 });
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
