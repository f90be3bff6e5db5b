import type { FastifyBaseLogger } from 'fastify';
import { Browser } from './pages/browser/browser.ts';
import { BrowserPage } from './pages/browser/browserPage.ts';
import { Dispatcher } from './agents/dispatcher.ts';
import { browserMissing, findBrowser } from './pages/browser/findBrowser.ts';
import { HttpPage } from './pages/http/httpPage.ts';
import { cloudApi } from './api/cloudApi.ts';
import { createServer } from './api/server.ts';
import type { Settings } from './settings.ts';
import { shop } from './site/shop.ts';
import { BatchStore } from './store/batchStore.ts';
import { openDatabase } from './store/database.ts';
import { DeduplicationStore } from './store/deduplicationStore.ts';
import { JobStore } from './store/jobStore.ts';
import { RowStore } from './store/rowStore.ts';
import { loadTasks } from './tasks/loadTasks.ts';

/** A service that listens and works. */
export interface Service {
	/** Stops listening and calls off the agents; unfinished batches go on at the next start. */
	close(): Promise<void>;
}

/** Wires the parts of a service and starts it; throws an Error for people when that fails. */
export async function startService(settings: Settings, log: FastifyBaseLogger): Promise<Service> {
	const executable = findBrowser(settings.browser, process.env.PATH ?? '');
	const browser = executable === undefined ? undefined : new Browser(executable, log);
	if (!browser) {
		log.warn(
			`Tasks with "page": "browser" will be refused, and their unfinished batches wait. ${browserMissing}`,
		);
	}
	const { tasks, mistakes } = loadTasks(settings.tasks);
	for (const { file, message } of mistakes) log.error({ file, reason: message }, 'bad task file');
	log.info({ tasks: tasks.size, folder: settings.tasks }, 'tasks loaded');

	const database = openDatabase(settings.data);
	const batches = new BatchStore(database);
	const rows = new RowStore(database);
	const dispatcher = new Dispatcher({
		batches,
		jobs: new JobStore(database),
		rows,
		agents: settings.agents,
		log,
		canOpen: (kind) => kind === 'http' || browser !== undefined,
		openPage: (kind, signal) => {
			if (kind === 'http') return new HttpPage(signal);
			if (!browser) throw new Error(browserMissing);
			return new BrowserPage(browser, signal);
		},
		onFatal: (error) => {
			log.fatal(error, 'an agent cannot go on');
			process.exit(1);
		},
	});

	const server = createServer({ log, errorsAs200: settings.errorsAs200 });
	const deduplication = new DeduplicationStore(database);
	await server.register(
		cloudApi({
			apiKeys: settings.apiKeys,
			tasks,
			batches,
			rows,
			deduplication,
			dispatcher,
			hasBrowser: browser !== undefined,
		}),
	);
	await server.register(shop);
	const address = await listen(server, settings);
	dispatcher.begin(address);
	log.info({ address }, 'listening');

	return {
		async close() {
			await dispatcher.close();
			await browser?.close();
			await server.close();
			database.close();
		},
	};
}

async function listen(
	server: ReturnType<typeof createServer>,
	{ host, port }: Settings,
): Promise<string> {
	try {
		return await server.listen({ host, port, listenTextResolver: () => 'accepting connections' });
	} catch (error) {
		if (!(error instanceof Error && 'code' in error)) throw error;
		switch (error.code) {
			case 'EADDRINUSE':
				throw new Error(
					`Port ${port} of ${host} is in use. Stop the program that uses it, or set SERVICE_PORT to another port.`,
				);
			case 'EACCES':
				throw new Error(`Port ${port} of ${host} is not allowed. Set SERVICE_PORT above 1023.`);
			default:
				throw new Error(`Cannot listen on SERVICE_HOST "${host}": ${error.message}`);
		}
	}
}
