import { startPostgres } from '../postgres/startPostgres';
import { startAgents } from './startAgents';
import { startFront } from './startFront';
import { startProcess, type RunningService, type ServiceOptions } from './startService';
import { serviceFolder } from './serviceFolder';

/**
 * Starts a service that is several processes: two that answer, each request the other one, and agents, on one
 * PostgreSQL. `{site}` in its tasks is its front.
 */
export async function startMachines(options: ServiceOptions): Promise<RunningService> {
	const postgres = await startPostgres();
	const front = await startFront();
	const database = postgres.newDatabase();
	const { SERVICE_AGENTS: agents = '4', ...env } = options.env ?? {};
	const tasks = Object.entries(options.tasks ?? {}).map(([name, content]) => {
		const text = typeof content === 'string' ? content : JSON.stringify(content);
		return [name, text.replaceAll('{site}', front.baseUrl)];
	});
	const api = {
		...options,
		...(options.tasks && { tasks: Object.fromEntries(tasks) as Record<string, string> }),
		env: { ...env, SERVICE_DATABASE: database, SERVICE_AGENTS: '0' },
	};
	const first = await startProcess({ ...api, folder: await serviceFolder() });
	const second = await startProcess({ ...api, folder: await serviceFolder() });
	const elsewhere = await startAgents({ SERVICE_DATABASE: database, SERVICE_AGENTS: agents });
	front.lead([first.baseUrl, second.baseUrl]);
	return {
		...first,
		baseUrl: front.baseUrl,
		async stop() {
			await front.stop();
			await elsewhere.stop();
			await Promise.all([first.stop(), second.stop()]);
			await postgres.stop();
		},
	};
}
