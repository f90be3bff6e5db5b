import { Gauge, Registry } from 'prom-client';
import type { Tally } from '../agents/tally.ts';
import { version } from '../settings/version.ts';
import type { Backlog } from '../store/backlog.ts';
import type { Presence } from './presence.ts';
import { unservedBatches } from './unserved.ts';
import { WorkTally } from './workTally.ts';

/** Of what the state of a service is told. */
export interface Watched {
	agents: number;
	busyAgents: () => number;
	presence: Presence;
	backlog: Backlog;
	/** Why no work is taken, for people; undefined: it is. */
	whyNotReady: () => Promise<string | undefined>;
}

/** The figures of a process, for Prometheus: with few labels, and none of what a task or a site says. */
export class Metrics {
	/** Counts what its agents do. */
	readonly tally: Tally;
	readonly #work = new Registry();

	constructor() {
		this.tally = new WorkTally(this.#work);
	}

	get contentType(): string {
		return this.#work.contentType;
	}

	/** All of them as they are now, as text. While the database is away, those of it are missing. */
	async read(watched: Watched): Promise<string> {
		return Registry.merge([this.#work, await state(watched)]).metrics();
	}
}

async function state(watched: Watched): Promise<Registry> {
	const registry = new Registry();
	const gauge = (name: string, help: string, values: Value[]) => {
		const labelNames = [...new Set(values.flatMap(({ labels }) => Object.keys(labels ?? {})))];
		const made = new Gauge({ registers: [registry], name, help, labelNames });
		for (const { labels = {}, is } of values) made.set(labels, is);
	};
	const isReady = (await watched.whyNotReady()) === undefined;
	gauge('cloud_scraping_info', 'The version of this process', [{ labels: { version }, is: 1 }]);
	gauge('cloud_scraping_ready', 'Whether work is taken, as GET /readyz says', [
		{ is: Number(isReady) },
	]);
	gauge('cloud_scraping_agents', 'Agents of this process', [{ is: watched.agents }]);
	gauge('cloud_scraping_agents_busy', 'Agents of this process that are at work', [
		{ is: watched.busyAgents() },
	]);
	gauge('process_resident_memory_bytes', 'Memory of this process, without its browser', [
		{ is: process.memoryUsage.rss() },
	]);
	const ofDatabase = isReady ? await stateOfDatabase(watched).catch(() => []) : [];
	for (const { name, help, values } of ofDatabase) gauge(name, help, values);
	return registry;
}

interface Value {
	labels?: Record<string, string>;
	is: number;
}

/** The same at each process. */
async function stateOfDatabase({ presence, backlog }: Watched) {
	const processes = await presence.list();
	const silent = processes.filter(({ isSilent }) => isSilent).length;
	const { waiting, running, waitingSince } = await backlog.batchCounts();
	const { open, done } = await backlog.jobCounts();
	const unserved = await unservedBatches(backlog, processes);
	const wait = waitingSince === undefined ? 0 : Math.max(0, Date.now() - waitingSince) / 1000;
	const of = (states: Record<string, number>): Value[] =>
		Object.entries(states).map(([state, is]) => ({ labels: { state }, is }));
	return [
		{
			name: 'cloud_scraping_processes',
			help: 'Processes on this database: those that report themselves, and those that have not for 30 seconds',
			values: of({ reporting: processes.length - silent, silent }),
		},
		{
			name: 'cloud_scraping_batches',
			help: 'Batches that wait for their first agent, and that run, in the database',
			values: of({ waiting, running }),
		},
		{
			name: 'cloud_scraping_jobs',
			help: 'Jobs of these batches that are open, and that are done',
			values: of({ open, done }),
		},
		{
			name: 'cloud_scraping_oldest_wait_seconds',
			help: 'Seconds for which the first of the batches has waited that wait; 0: none does',
			values: [{ is: wait }],
		},
		{
			name: 'cloud_scraping_unserved_batches',
			help: 'Batches that wait, or stand still, for a region in which no process is at work',
			values: [{ is: unserved.count }],
		},
	];
}
