import { startPostgres } from '../postgres/startPostgres';
import { startAgents } from './startAgents';
import { startFront } from './startFront';
import { startProcess, type LogLine } from './startService';
import type { RunningService, ServiceOptions } from './startService';
import { serviceFolder } from './serviceFolder';

/**
 * Starts a service that is several processes: two that answer, each request the other one, and agents, on one
 * PostgreSQL.
 */
export async function startMachines(options: ServiceOptions): Promise<RunningService> {
	const postgres = await startPostgres();
	const front = await startFront();
	const database = postgres.newDatabase();
	const { SERVICE_AGENTS: agents = '4', ...env } = options.env ?? {};
	const own = { SERVICE_DATABASE: database, SERVICE_AGENTS: '0', SERVICE_ADDRESS: front.baseUrl };
	const log: LogLine[] = [];
	const api = { ...options, env: { ...env, ...own }, log };
	const first = await startProcess({ ...api, folder: await serviceFolder() });
	const second = await startProcess({ ...api, folder: await serviceFolder() });
	const elsewhere = await startAgents({ SERVICE_DATABASE: database, SERVICE_AGENTS: agents });
	front.lead([first.baseUrl, second.baseUrl]);
	return {
		...first,
		baseUrl: front.baseUrl,
		logged: (line) => Promise.race([first.logged(line), second.logged(line)]),
		async stop() {
			await front.stop();
			await elsewhere.stop();
			await Promise.all([first.stop(), second.stop()]);
			await postgres.stop();
		},
	};
}
