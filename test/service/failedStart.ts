import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { spawnService } from '../support/service/startService';

/** Starts a service that cannot start; with its data in this folder; resolves to its exit code and what it says. */
export async function failedStart(folder: string, settings: Record<string, string>) {
	const service = spawnService({
		SERVICE_PORT: '0',
		SERVICE_DATA: join(folder, 'service.db'),
		...settings,
	});
	const ended = once(service, 'exit');
	service.stdout.resume();
	const said = await text(service.stderr);
	await ended;
	return { exitCode: service.exitCode, said };
}
