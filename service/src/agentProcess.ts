import type { FastifyBaseLogger } from 'fastify';
import { keepBatchLine } from './log/batchLog.ts';
import type { LogOutput } from './log/log.ts';
import { Browser } from './pages/browser/browser.ts';
import { installedBrowser } from './pages/browser/installedBrowser.ts';
import { openScraping } from './runs/scraping.ts';
import type { AgentSettings } from './settings/settings.ts';
import { openStore } from './store/openStore.ts';

/** Agents that are at work on the batches of a database. */
export interface Agents {
	/** Where the database is, without user and password. */
	database: string;
	/** The executable of the browser that tasks can use, if there is one. */
	browser: string | undefined;
	/** Calls them off: their batches go on elsewhere. */
	close(): Promise<void>;
}

/** Starts agents without a service. Throws an Error for people. `output`: where the log goes. */
export async function startAgents(
	settings: AgentSettings,
	log: FastifyBaseLogger,
	output: LogOutput,
): Promise<Agents> {
	const executable = await installedBrowser(settings.browser, log);
	const browser = executable === undefined ? undefined : new Browser(executable, log);
	const { agents, regions, regionProxies, database } = settings;
	const store = await openStore({ data: '', database }, { log });
	output.forward((line) => keepBatchLine(store.logs, line));
	const scraping = openScraping(store, {
		browser,
		agents,
		regions,
		regionProxies,
		log,
		onStoreFailure: (error) => log.error(error, 'what was found cannot be stored'),
	});
	scraping.dispatcher.begin();
	log.info({ agents, regions }, 'agents at work');
	return {
		database: store.database.location,
		browser: executable,
		async close() {
			await scraping.close();
			await browser?.close();
			await store.close();
		},
	};
}
