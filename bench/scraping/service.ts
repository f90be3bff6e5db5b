import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { textAt } from '../../playground/json.ts';
import { startService, type ServiceOptions } from '../ground/service.ts';
import { CloudApi } from './cloudApi.ts';
import type { Column } from './columns.ts';
import type { Contender } from './contender.ts';

/** Milliseconds between two looks at a batch: each takes of the time of the service. */
const pollEvery = 50;
/** A job that is done lets its agent take the next one: a few for each even out large pages. */
const jobsOfEachAgent = 4;

const taskID = randomUUID();
const loopID = randomUUID();
type Field = Column & { id: string };

/** A service that scrapes lists of addresses; `lookAtRows` hears how many rows there are by now. */
export interface ScrapingService extends Contender {
	lookAtRows?: (count: number) => void;
}

/** What is scraped, and by which service. */
export interface Scraping extends Pick<ServiceOptions, 'env' | 'checkout'> {
	columns: Column[];
	/** Selector of what makes a row each; absent: each page makes one. */
	rows?: string;
	/** The one that it takes, if any. */
	browser?: string;
}

/** The local service with so many agents, in a process of its own. */
export async function startScrapingService(
	agents: number,
	{ columns, rows: rowSelector, browser, env, checkout }: Scraping,
): Promise<ScrapingService> {
	const fields = columns.map((column) => ({ id: randomUUID(), ...column }));
	const tasks = mkdtempSync(join(tmpdir(), 'cloud-scraping-bench-tasks-'));
	writeFileSync(
		join(tasks, 'documentation.json'),
		JSON.stringify(task(agents, fields, { rowSelector, browser })),
	);
	const service = await startService({
		checkout,
		env: {
			SERVICE_AGENTS: String(agents),
			SERVICE_TASKS: tasks,
			...(browser !== undefined && { SERVICE_BROWSER: browser }),
			...env,
		},
	});
	const api = new CloudApi(service);
	const scraping: ScrapingService = {
		pid: service.pid,
		async scrape(addresses, atOnce) {
			const began = performance.now();
			const batchID = await api.start({
				taskID,
				nodeCount: atOnce,
				jobCount: atOnce * jobsOfEachAgent,
				actionParams: JSON.stringify([{ id: loopID, path: 'config.urls', value: addresses }]),
			});
			for (;;) {
				const { isEnded, rows } = await api.batch(taskID, batchID);
				scraping.lookAtRows?.(rows);
				if (isEnded) break;
				await wait(pollEvery);
			}
			const milliseconds = performance.now() - began;
			const rows = await api.rows(batchID);
			if (rowSelector === undefined && rows.length !== addresses.length) {
				throw new Error(`The service has ${rows.length} rows of ${addresses.length} pages.`);
			}
			return {
				milliseconds,
				rows: rows.map((row) => fields.map(({ id }) => textAt(row, id))),
			};
		},
		async stop() {
			await service.stop();
			rmSync(tasks, { recursive: true, force: true });
		},
	};
	return scraping;
}

/** The rows of each address of a list that a start puts in the place of this one. */
function task(
	agents: number,
	fields: Field[],
	{ rowSelector, browser }: { rowSelector?: string; browser?: string },
) {
	const navigate = { id: randomUUID(), type: 'navigate', config: { useLoopItem: true } };
	const read = fields.map(({ sameMeaning: _, ...field }) => field);
	const extract = {
		id: randomUUID(),
		type: 'extractData',
		config: { selector: rowSelector, fields: read },
	};
	const config = {
		loopType: 'list',
		listType: 'urlList',
		urls: ['http://127.0.0.1/'],
		steps: [navigate, extract],
	};
	const page = browser === undefined ? 'http' : 'browser';
	const steps = [{ id: loopID, type: 'loop', config }];
	return { taskID, name: 'Documentation', page, requestsPerHost: Math.max(agents, 2), steps };
}
