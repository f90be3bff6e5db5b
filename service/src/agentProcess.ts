import type { FastifyBaseLogger } from 'fastify';
import { listen } from './api/listen.ts';
import { watchServer } from './api/watchServer.ts';
import { ApiKeys } from './keys/apiKeys.ts';
import { keepBatchLine } from './log/batchLog.ts';
import type { LogOutput } from './log/log.ts';
import { Browser } from './pages/browser/browser.ts';
import { installedBrowser } from './pages/browser/installedBrowser.ts';
import { Metrics } from './runs/metrics.ts';
import { Presence } from './runs/presence.ts';
import { proxyMarks } from './runs/unevenProxies.ts';
import { openScraping } from './runs/scraping.ts';
import type { AgentSettings } from './settings/settings.ts';
import { openStore } from './store/openStore.ts';

/** Agents that are at work on the batches of a database. */
export interface Agents {
	/** Where the database is, without user and password. */
	database: string;
	/** Where it says how it is, if it does. */
	address: string | undefined;
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
	const { agents, regions, regionProxies, database, host, port } = settings;
	const store = await openStore({ data: '', database }, { log });
	output.forward((line) => keepBatchLine(store.logs, line));
	const metrics = new Metrics();
	const scraping = openScraping(store, {
		browser,
		agents,
		regions,
		regionProxies,
		log,
		onStoreFailure: (error) => log.error(error, 'what was found cannot be stored'),
		tally: metrics.tally,
	});
	const busyAgents = () => scraping.dispatcher.busyAgents;
	const proxied = proxyMarks(regionProxies);
	const about = { kind: 'agents', regions, proxied, agents } as const;
	const presence = new Presence(store.processes, about, { busyAgents, log });
	let whyIdle: string | undefined = 'The agents have not begun their work yet.';
	const whyNotReady = async () =>
		whyIdle ?? scraping.dispatcher.whyUnable() ?? (await store.whyNotReady());
	const watched = { agents, busyAgents, presence, backlog: store.backlog, whyNotReady };
	const apiKeys = new ApiKeys(store.apiKeys, settings.apiKeys, await store.keptKey());
	const server = watchServer(settings, { log, metrics, watched, apiKeys });
	const address = port === undefined ? undefined : await listen(server, { host, port });
	if (address !== undefined) log.info({ address }, 'listening');
	scraping.dispatcher.begin();
	whyIdle = undefined;
	await presence.begin();
	log.info({ agents, regions }, 'agents at work');
	return {
		address,
		database: store.database.location,
		browser: executable,
		async close() {
			whyIdle = 'The agents are ending.';
			await Promise.all([scraping.close(), presence.close(), server.close()]);
			await browser?.close();
			await apiKeys.flush();
			await store.close();
		},
	};
}
