import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { pino } from 'pino';
import { v4 as newUuid } from 'uuid';
import { browserMissing, findBrowser } from '../pages/browser/findBrowser.ts';
import { openScraping } from '../scraping.ts';
import type { Settings } from '../settings.ts';
import { shop } from '../site/shop.ts';
import { status, type Batch } from '../store/batch.ts';
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
	const executable = task.page === 'browser' ? await found(browser) : undefined;
	const database = openDatabase(':memory:');
	const fatal = Promise.withResolvers<never>();
	const options = { executable, agents: 1, log, onFatal: fatal.reject };
	const scraping = openScraping(database, options);
	const { batches, dispatcher } = scraping;
	try {
		dispatcher.begin(await site.listen({ host: '127.0.0.1', port: 0 }));
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
		const batch = batches.end(id, status.stopped);
		dispatcher.stop(id);
		return {
			batch,
			rows: [...scraping.rows.read(batch, { offset: 0, size: rows })],
			failures: scraping.failures.of(id),
			emptySelectors: scraping.selectors.emptyOf(id),
		};
	} finally {
		await Promise.all([scraping.close(), site.close()]);
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
