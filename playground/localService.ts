import { join } from 'node:path';
import { isObject } from './json.ts';
import { startProgram, waitUntilReady } from './program.ts';
import type { Program } from './program.ts';

export interface LocalServiceOptions {
	root: string;
	port: number;
	apiKey: string;
	/** Where it keeps batches and rows. */
	database: string;
	logFile: string;
	/** Settings besides those below. */
	env?: NodeJS.ProcessEnv;
}

export interface LocalService {
	url: string;
	/** Lets one person into its console. */
	consoleLink: string;
	program: Program;
	stop(): Promise<void>;
}

/** Starts the local Cloud Scraping service, and returns once it says that it listens. */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
	let listening = false;
	let consoleLink: string | undefined;
	const program = startProgram({
		name: 'the local service',
		args: [join(options.root, 'service/src/main.ts')],
		cwd: options.root,
		env: {
			...process.env,
			SERVICE_HOST: '127.0.0.1',
			SERVICE_PORT: String(options.port),
			SERVICE_API_KEYS: options.apiKey,
			SERVICE_DATA: options.database,
			...options.env,
		},
		logFile: options.logFile,
		ownGroup: true,
		onLine: (line) => {
			listening ||= saysThatItListens(line);
			consoleLink ??= /https?:\S+\/console\/\?token=\S+/.exec(line)?.[0];
		},
	});
	try {
		await waitUntilReady(program, 'The local service', () =>
			Promise.resolve(listening && consoleLink !== undefined),
		);
	} catch (error) {
		await program.stop();
		throw error;
	}
	return {
		url: `http://127.0.0.1:${options.port}`,
		consoleLink: consoleLink ?? '',
		program,
		stop: () => program.stop(),
	};
}

function saysThatItListens(line: string): boolean {
	try {
		const entry: unknown = JSON.parse(line);
		return isObject(entry) && typeof entry.msg === 'string' && /listening/i.test(entry.msg);
	} catch {
		return false;
	}
}
