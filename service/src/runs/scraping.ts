import type { FastifyBaseLogger } from 'fastify';
import type { EarlyEnd } from '../agents/earlyEnd.ts';
import type { Dispatcher, DispatcherParts } from '../agents/dispatcher.ts';
import { LoneDispatcher } from '../agents/loneDispatcher.ts';
import { TicketDispatcher } from '../agents/ticketDispatcher.ts';
import type { PageKind, PageKinds } from '../agents/ownMachine.ts';
import type { Tally } from '../agents/tally.ts';
import { systemClock, type Clock } from '../pages/clock.ts';
import type { Browser } from '../pages/browser/browser.ts';
import { BrowserPage } from '../pages/browser/browserPage.ts';
import { HttpPage } from '../pages/http/httpPage.ts';
import { Readers } from '../pages/http/readers.ts';
import type { Stores } from '../store/stores.ts';

/** What scrapes: agents, the pages that they read, and the stores of a database that they fill. */
export interface Scraping extends Stores {
	dispatcher: Dispatcher;
	/** How pages of each kind are opened here. */
	pages: PageKinds;
	/** Calls off the agents; unfinished batches go on the next time. */
	close(): Promise<void>;
}

/**
 * Makes that ready. `browser`: without one, tasks that need it are refused. It, and `readers` that are
 * given, are closed by who has made them, after this, and so are the stores.
 */
export function openScraping(
	{ batches, jobs, rows, failures, selectors, stepPages, logs, database, machines }: Stores,
	{
		browser,
		agents,
		regions,
		regionProxies,
		log,
		onStoreFailure,
		clock = systemClock,
		readers: givenReaders,
		earlyEndOf,
		tally,
	}: {
		browser: Browser | undefined;
		agents: number;
		/** Whose batches they work on; absent: all. */
		regions?: readonly string[];
		/** Through which pages are asked for, unless the task says another. */
		regionProxies?: Partial<Record<string, string>>;
		log: FastifyBaseLogger;
		/** Is told when what a run has found cannot be stored, as on a full disk: that run ends. */
		onStoreFailure: (error: unknown) => void;
		clock?: Clock;
		readers?: Readers;
		/** Says of a run of a task that begins whether it is to end before its time. */
		earlyEndOf?: (taskID: string) => EarlyEnd | undefined;
		/** Counts what the agents do. */
		tally?: Tally;
	},
): Scraping {
	const readers = givenReaders ?? new Readers();
	const stores: Stores = {
		...{ batches, jobs, rows, failures, selectors, stepPages },
		...{ logs, database, machines },
	};
	const http: PageKind = {
		open: (signal, settings) => new HttpPage(readers, settings, signal),
		canOpen: () => readers.canBegin(),
	};
	const inBrowser: PageKind | undefined = browser && {
		open: (signal, settings) => new BrowserPage(browser, settings, signal),
		// What columns keep of texts is found in threads.
		canOpen: async () => (await readers.canBegin()) && browser.canOpen(),
	};
	const pages: PageKinds = { http, ...(inBrowser && { browser: inBrowser }) };
	const parts: DispatcherParts = {
		...stores,
		agents,
		regions,
		regionProxies,
		log,
		onStoreFailure,
		clock,
		matches: (texts, match) => readers.matches(texts, match),
		pages,
		earlyEndOf,
		tally,
	};
	const dispatcher = machines ? new TicketDispatcher(parts, machines) : new LoneDispatcher(parts);
	return {
		...stores,
		dispatcher,
		pages,
		async close() {
			await dispatcher.close();
			if (!givenReaders) await readers.close();
		},
	};
}
