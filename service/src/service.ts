import type { FastifyBaseLogger } from 'fastify';
import { cloudApi } from './api/cloudApi.ts';
import { refuseForeignRequests } from './api/foreignRequests.ts';
import { listen } from './api/listen.ts';
import { metricsRoute } from './api/metricsRoute.ts';
import { describeRoutes, openApiRoute } from './api/openApi.ts';
import { readyz } from './api/readyz.ts';
import { createServer } from './api/server.ts';
import { testControlRoutes } from './api/testControlRoutes.ts';
import { webConsole } from './console/console.ts';
import { isOfSqlite } from './errors/serviceError.ts';
import { ApiKeys } from './keys/apiKeys.ts';
import { OneTimeLink } from './keys/oneTimeLink.ts';
import { keepBatchLine } from './log/batchLog.ts';
import type { LogOutput } from './log/log.ts';
import { Browser } from './pages/browser/browser.ts';
import { installedBrowser } from './pages/browser/installedBrowser.ts';
import { systemClock, type Clock } from './pages/clock.ts';
import { PickerReaders } from './picker/pickerReaders.ts';
import { Metrics } from './runs/metrics.ts';
import { Presence } from './runs/presence.ts';
import { proxyMarks } from './runs/unevenProxies.ts';
import { deleteOldBatches } from './runs/retention.ts';
import { openScraping } from './runs/scraping.ts';
import type { Settings } from './settings/settings.ts';
import { shop } from './site/shop.ts';
import type { KeptKey } from './store/apiKeyStore.ts';
import { openStore } from './store/openStore.ts';
import { openTasks } from './tasks/openTasks.ts';
import { Faults } from './testControl/faults.ts';

/** A service that listens and works. */
export interface Service {
	/** Where it listens. */
	listensOn: string;
	/** Where people and agents reach it. */
	address: string;
	/** The API key that was made up, if none was set. */
	keptKey: KeptKey | undefined;
	/** The address of the console, with a token that lets one person in. */
	consoleLink: string;
	/** Where its database is: a path, or an address without user and password. */
	database: string;
	/** How many tasks it has loaded. */
	tasks: number;
	/** The executable of the browser that tasks can use, if there is one. */
	browser: string | undefined;
	/** Stops listening and calls off the agents; unfinished batches go on at the next start. */
	close(): Promise<void>;
}

/** What a service is given, and what is not its own. */
export interface Surroundings {
	/** Absent: the machine's. */
	clock?: Clock;
	/** One that others use as well, and that stays open; absent: one of its own. */
	browser?: Browser;
	/** The same of who reads documents. */
	readers?: PickerReaders;
}

/**
 * Wires the parts of a service and starts it; throws an Error for people when that fails. `output`:
 * where the log goes, of which the lines about batches are kept.
 */
export async function startService(
	settings: Settings,
	log: FastifyBaseLogger,
	output: LogOutput,
	surroundings: Surroundings = {},
): Promise<Service> {
	const executable = surroundings.browser
		? undefined
		: await installedBrowser(settings.browser, log);
	const ownBrowser = executable === undefined ? undefined : new Browser(executable, log);
	const store = await openStore(settings, { log, largeIdentifiers: settings.largeIds });
	const tasks = await openTasks(store.tasks, settings.tasks).catch(async (error: unknown) => {
		await store.close();
		throw error;
	});
	for (const { file, message } of tasks.badFiles) {
		log.error({ file, reason: message }, 'bad task file');
	}
	log.info({ tasks: tasks.size, folder: tasks.folder }, 'tasks loaded');
	const isKeySet = settings.apiKeys.length > 0;
	let keptKey = isKeySet ? undefined : await store.keptKey();
	const apiKeys = new ApiKeys(store.apiKeys, settings.apiKeys, keptKey);
	output.forward((line) => keepBatchLine(store.logs, line));
	const readers = surroundings.readers ?? new PickerReaders();
	const faults = new Faults();
	const clock = surroundings.clock ?? systemClock;
	const metrics = new Metrics();
	const scraping = openScraping(store, {
		browser: surroundings.browser ?? ownBrowser,
		agents: settings.agents,
		regions: settings.regions,
		regionProxies: settings.regionProxies,
		log,
		onStoreFailure: (error) => {
			log.error(error, 'what was found cannot be stored');
			store.makeRoom();
		},
		clock,
		readers,
		earlyEndOf: (taskID) => faults.takeForRun(taskID),
		tally: metrics.tally,
	});
	const { agents, regions, regionProxies } = settings;
	const busyAgents = () => scraping.dispatcher.busyAgents;
	const presence = new Presence(
		store.processes,
		{ kind: 'api', regions, proxied: proxyMarks(regionProxies), agents },
		{ busyAgents, log },
	);
	const closeScraping = async () => {
		await scraping.close();
		if (!surroundings.readers) await readers.close();
		await ownBrowser?.close();
	};

	const server = createServer({ log, errorsAs200: settings.errorsAs200 });
	const site = () => settings.address ?? server.listeningOrigin;
	server.addHook('onError', (_request, _reply, error, done) => {
		if (isOfSqlite(error)) store.makeRoom();
		done();
	});
	refuseForeignRequests(server, settings);
	await describeRoutes(server, settings);
	const { backlog, deduplication, logs, retention, sessions } = store;
	const cloud = { apiKeys, tasks, deduplication, ...scraping };
	const ending = new AbortController();
	const control = settings.testControl
		? {
				...cloud,
				...{ logs, retention, faults, closing: ending.signal },
				makeRoom: () => store.makeRoom(),
			}
		: undefined;
	const link = new OneTimeLink();
	const { errorsAs200 } = settings;
	await server.register(
		cloudApi({ ...cloud, faulty: control && { ...control, clock, errorsAs200 } }),
	);
	openApiRoute(server);
	if (control) await server.register(testControlRoutes(control, apiKeys));
	await server.register(
		webConsole({
			...cloud,
			site,
			...{ readers, logs, sessions, link, settings, retention, control, presence, backlog },
		}),
	);
	await server.register(shop);
	await scraping.dispatcher.takeOver();
	let whyIdle: string | undefined = 'The service has not begun its work yet.';
	const whyNotReady = async () =>
		whyIdle ?? scraping.dispatcher.whyUnable() ?? (await store.whyNotReady());
	readyz(server, whyNotReady);
	const watched = { agents, busyAgents, presence, backlog, whyNotReady };
	metricsRoute(server, metrics, watched, { apiKeys, access: settings.metrics });
	const listensOn = await listen(server, settings);
	const address = settings.address ?? listensOn;
	if (!isKeySet && !keptKey) {
		// Not before: what is made up by a start that fails, nobody is shown.
		keptKey = await store.makeKey();
		apiKeys.accept(keptKey);
	}
	scraping.dispatcher.begin(address);
	whyIdle = undefined;
	await presence.begin();
	tasks.watch(log);
	log.info({ address: listensOn }, 'listening');
	const keepOldBatches = deleteOldBatches(retention, settings.keepDays, log);

	return {
		listensOn,
		address,
		keptKey,
		consoleLink: link.below(address),
		database: store.database.location,
		tasks: tasks.size,
		browser: executable,
		async close() {
			whyIdle = 'The service is ending.';
			ending.abort();
			await tasks.close();
			await Promise.all([closeScraping(), presence.close(), keepOldBatches(), server.close()]);
			await apiKeys.flush();
			await store.close();
		},
	};
}
