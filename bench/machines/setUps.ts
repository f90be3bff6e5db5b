import { startAgents } from '../ground/agents.ts';
import type { MeasuredPostgres } from '../ground/postgres.ts';
import { processorMilliseconds } from '../measure/processUse.ts';
import type { Contender } from '../scraping/contender.ts';
import { startScrapingService, type Scraping } from '../scraping/service.ts';

/** Agents over all processes: every set-up has as many pages under way. */
export const agents = 16;

/** One way to run the service. */
export interface SetUp {
	name: string;
	/** Processes of agents alone, beside one that answers; 0: one process does all. */
	agentProcesses: number;
	isOnPostgres: boolean;
}

export const setUps: SetUp[] = [
	{ name: 'one process, SQLite', agentProcesses: 0, isOnPostgres: false },
	{ name: 'one process, PostgreSQL', agentProcesses: 0, isOnPostgres: true },
	{ name: 'API and 1 of agents', agentProcesses: 1, isOnPostgres: true },
	{ name: 'API and 2 of agents', agentProcesses: 2, isOnPostgres: true },
	{ name: 'API and 4 of agents', agentProcesses: 4, isOnPostgres: true },
];

/** A set-up that is there. */
export interface RunningSetUp extends Pick<Contender, 'scrape' | 'stop'> {
	/** Milliseconds for which all processes of the service have kept processors busy. */
	processorMilliseconds(): number;
}

/** Starts one, with a database of its own. */
export async function startSetUp(
	{ agentProcesses, isOnPostgres }: SetUp,
	postgres: MeasuredPostgres,
	scraping: Scraping,
): Promise<RunningSetUp> {
	const database = isOnPostgres ? postgres.newDatabase() : undefined;
	const service = await startScrapingService(agents, {
		...scraping,
		env: {
			...(database !== undefined && { SERVICE_DATABASE: database }),
			...(agentProcesses > 0 && { SERVICE_AGENTS: '0' }),
		},
	});
	const elsewhere = await Promise.all(
		Array.from({ length: database === undefined ? 0 : agentProcesses }, () =>
			startAgents(database ?? '', agents / agentProcesses),
		),
	);
	const pids = [service.pid, ...elsewhere.map(({ pid }) => pid)];
	return {
		scrape: (addresses, atOnce) => service.scrape(addresses, atOnce),
		processorMilliseconds: () => pids.reduce((sum, pid) => sum + processorMilliseconds(pid), 0),
		async stop() {
			await Promise.all(elsewhere.map((each) => each.stop()));
			await service.stop();
		},
	};
}
