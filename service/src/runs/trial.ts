import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { v4 as newUuid } from 'uuid';
import { keepBatchLine } from '../log/batchLog.ts';
import { createLog, LogOutput } from '../log/log.ts';
import { Browser } from '../pages/browser/browser.ts';
import { browserMissing, findBrowser } from '../pages/browser/findBrowser.ts';
import type { Batch } from '../store/batch.ts';
import { openTemporaryStore } from '../store/openStore.ts';
import type { FailedPage } from '../store/failureStore.ts';
import type { Gaps, StepSelector } from '../store/selectorStore.ts';
import type { Task } from '../tasks/task.ts';
import { openScraping } from './scraping.ts';
import { beginRun } from './runs.ts';
import { lonePagesOf, warningsOf, type Oddity, type Warning } from './warnings.ts';

/** What came of a task that was tried. */
export interface Trial {
	batch: Batch;
	/** The first rows, each a JSON object: value by field id. */
	rows: string[];
	failures: FailedPage[];
	emptySelectors: StepSelector[];
	/** Of selectors that found nothing on some pages. */
	gaps: Gaps[];
	warnings: Warning[];
	/** Pages of loops by page on which nothing led on. */
	lonePages: Oddity[];
}

/** Milliseconds between two looks at how far the run is. */
const pulse = 25;

/** What a trial is bounded by, and what it runs with. */
interface TrialSettings {
	/** It ends when it has brought so many. */
	rows: number;
	/** Ends it early. */
	signal: AbortSignal;
	/** Path of the browser's executable; absent: look in the usual places. */
	browser?: string;
	/** What `{site}` stands for. */
	site: string;
}

/**
 * Runs a task with one agent until it has brought enough rows, has ended, or is aborted. Nothing is
 * stored. Throws an Error for people.
 */
export async function runTrial(
	task: Task,
	{ rows, signal, browser, site }: TrialSettings,
): Promise<Trial> {
	// Nobody reads it but for its warnings.
	const output = new LogOutput(new Writable({ write: (_line, _encoding, done) => done() }));
	const log = createLog(output);
	const ownBrowser = task.page === 'browser' ? new Browser(await found(browser), log) : undefined;
	const store = openTemporaryStore({ log });
	output.forward((line) => keepBatchLine(store.logs, line));
	const fatal = Promise.withResolvers<never>();
	const options = { browser: ownBrowser, agents: 1, log, onStoreFailure: fatal.reject };
	const scraping = openScraping(store, options);
	const { batches, dispatcher } = scraping;
	try {
		dispatcher.begin(site);
		const values = { nodeCount: 1, jobCount: 1 };
		const { id } = await beginRun(scraping, task, values, { id: newUuid(), log });
		await Promise.race([fatal.promise, enough(() => batches.get(id), rows, signal)]);
		await dispatcher.stop(id);
		const batch = await batches.get(id);
		return {
			batch,
			rows: await scraping.rows.read(batch, { offset: 0, size: rows }, Infinity),
			failures: await scraping.failures.of(id),
			emptySelectors: await scraping.selectors.emptyOf(id),
			gaps: await scraping.selectors.emptyOnPages(id),
			warnings: await warningsOf(store.logs, id),
			lonePages: await lonePagesOf(store.logs, id),
		};
	} finally {
		await scraping.close();
		await ownBrowser?.close();
		await store.close();
	}
}

async function found(configured: string | undefined): Promise<string> {
	const executable = await findBrowser(configured, process.env.PATH ?? '');
	if (executable === undefined) throw new Error(`This task needs a browser. ${browserMissing}`);
	return executable;
}

async function enough(
	batch: () => Promise<Batch>,
	rows: number,
	signal: AbortSignal,
): Promise<void> {
	while (!signal.aborted) {
		const { endTime, lineCount } = await batch();
		if (endTime > 0 || lineCount >= rows) return;
		await sleep(pulse, undefined, { signal }).catch(() => undefined);
	}
}

/** What came of a trial, and how it came to its end where that was not the task's own. */
export interface BoundedTrial extends Trial {
	isTimedOut: boolean;
}

/** Runs tasks for people who try them out: only so many at once, and none for ever. */
export class Trials {
	readonly #most: number;
	readonly #milliseconds: number;
	#running = 0;

	/** `most` at once, each for so many milliseconds. */
	constructor({ most = 2, milliseconds = 60_000 } = {}) {
		this.#most = most;
		this.#milliseconds = milliseconds;
	}

	/** Seconds that a trial may take. */
	get seconds(): number {
		return this.#milliseconds / 1000;
	}

	/** Runs a task; undefined if too many are running. Throws an Error for people. */
	async run(task: Task, settings: TrialSettings): Promise<BoundedTrial | undefined> {
		if (this.#running >= this.#most) return undefined;
		this.#running += 1;
		const end = new AbortController();
		const late = new AbortController();
		const signal = AbortSignal.any([settings.signal, late.signal]);
		void sleep(this.#milliseconds, undefined, { signal: end.signal }).then(
			() => late.abort(),
			() => undefined,
		);
		try {
			const trial = await runTrial(task, { ...settings, signal });
			return { ...trial, isTimedOut: late.signal.aborted };
		} finally {
			end.abort();
			this.#running -= 1;
		}
	}
}
