import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './folders.ts';

export interface RunningService {
	baseUrl: string;
	apiKey: string;
	pid: number;
	stop(): Promise<void>;
}

/**
 * Starts the local service on a database file, as a process of its own on a free port; `settings` are
 * environment variables besides.
 */
export async function startService(
	database: string,
	settings: Record<string, string> = {},
): Promise<RunningService> {
	const apiKey = 'bench-key-5d2e';
	const service = spawn(process.execPath, [join(root, 'service', 'src', 'main.ts')], {
		env: {
			...process.env,
			SERVICE_PORT: '0',
			SERVICE_HOST: '127.0.0.1',
			SERVICE_API_KEYS: apiKey,
			SERVICE_DATA: database,
			...settings,
		},
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const ended = once(service, 'exit');
	const baseUrl = await new Promise<string>((resolve, reject) => {
		createInterface({ input: service.stdout }).on('line', (line) => {
			const entry: unknown = JSON.parse(line);
			if (isListening(entry)) resolve(entry.address);
		});
		void ended.then(() => reject(new Error('The local service ended before it listened.')));
	});
	if (service.pid === undefined) throw new Error('The local service has no process.');
	return {
		baseUrl,
		apiKey,
		pid: service.pid,
		async stop() {
			service.kill('SIGTERM');
			await ended;
		},
	};
}

function isListening(entry: unknown): entry is { address: string } {
	return (
		typeof entry === 'object' &&
		entry !== null &&
		'msg' in entry &&
		entry.msg === 'listening' &&
		'address' in entry &&
		typeof entry.address === 'string'
	);
}
