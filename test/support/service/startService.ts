import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { loggedLine, type LogLine } from './logLines';
import { serviceFolder } from './serviceFolder';
import { writeTasks } from './taskFiles';

export type { LogLine };

/** A local service that runs as a process of its own, on a free port of this machine. */
export interface RunningService {
	baseUrl: string;
	apiKey: string;
	/** Its folder: the database is in there. Kept by `kill`, removed by `stop`. */
	folder: string;
	process: ChildProcess;
	/** What it has logged so far. */
	log: LogLine[];
	/** What it has written to standard error so far. */
	standardError(): string;
	/** Resolves once there is a line with these properties: a log comes later than HTTP answers. */
	logged(properties: LogLine): Promise<void>;
	/** Shuts it down and removes its folder; rejects if it does not end cleanly. */
	stop(): Promise<void>;
	/** Ends it as a crash would (SIGKILL) and keeps its folder, for `startService({ folder })`. */
	kill(): Promise<void>;
}

export interface ServiceOptions {
	/** Environment variables on top of the defaults (port 0, one API key, data in `folder`). */
	env?: Record<string, string>;
	/** Task files other than the demo tasks: their folder, or what to write into one by file name. */
	tasksFolder?: string;
	tasks?: Record<string, unknown>;
	/** The folder of a service that was killed; absent: a new temporary one. */
	folder?: string;
	/** What Node.js runs, with its arguments; absent: the service from its sources. */
	program?: string[];
	/** Where the lines of its log go, with those of others; absent: into one of its own. */
	log?: LogLine[];
}

const root = join(__dirname, '..', '..', '..');

/** The Node.js of the project, whichever one runs the tests. */
export const projectNode = join(root, 'node_modules', '.bin', 'node');

/** What Node.js runs: the service from its sources. */
export const sources = join(root, 'service', 'src', 'main.ts');

/** The folder of the demo tasks. */
export const demoTasks = join(root, 'service', 'tasks');

/**
 * Starts a local service and waits until it listens; rejects with its output if it ends instead. In
 * `npm run test:machines`, the one that n8n talks to is several processes.
 */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
	if (process.env.TEST_SERVICE !== 'machines') return await startProcess(options);
	const { startMachines } = await import('./startMachines');
	return await startMachines(options);
}

/** Starts it as one process. */
export async function startProcess(options: ServiceOptions = {}): Promise<RunningService> {
	const folder = options.folder ?? (await serviceFolder());
	const apiKey = 'test-key';
	const ownTasks = join(folder, 'tasks');
	if (options.tasks) await writeTasks(ownTasks, options.tasks);
	const tasksFolder = options.tasksFolder ?? (existsSync(ownTasks) ? ownTasks : undefined);
	const settings = {
		SERVICE_PORT: '0',
		SERVICE_API_KEYS: apiKey,
		SERVICE_DATA: join(folder, 'service.db'),
		...(tasksFolder && { SERVICE_TASKS: tasksFolder }),
		...options.env,
	};
	const service = spawnService(settings, { program: options.program });
	const ended = once(service, 'exit');
	const lines = createInterface({ input: service.stdout });
	const { log = [] } = options;
	let errors = '';
	service.stderr.on('data', (text: Buffer) => (errors += text.toString()));

	const baseUrl = await new Promise<string>((resolve, reject) => {
		lines.on('line', (line) => {
			const entry = logLine(line);
			log.push(entry);
			if (entry.msg === 'listening') resolve(String(entry.address));
		});
		void ended.then(() => reject(new Error(`The service ended: ${errors}`)));
	});

	return {
		baseUrl,
		apiKey,
		folder,
		process: service,
		log,
		standardError: () => errors,
		logged: (properties) => loggedLine(log, () => once(lines, 'line'), properties),
		async stop() {
			service.kill('SIGTERM');
			await ended;
			await rm(folder, { recursive: true });
			if (service.exitCode !== 0) throw new Error(`The service failed to end: ${errors}`);
		},
		async kill() {
			service.kill('SIGKILL');
			await ended;
		},
	};
}

/**
 * Starts the service's process with the demo tasks, these settings and no others from the environment, as
 * another `user` and in another folder if these are given.
 */
export function spawnService(
	settings: Record<string, string>,
	{ user, program = [sources], cwd }: { user?: number; program?: string[]; cwd?: string } = {},
) {
	const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SERVICE_'));
	return spawn(projectNode, program, {
		env: { ...Object.fromEntries(inherited), SERVICE_TASKS: demoTasks, ...settings },
		stdio: ['ignore', 'pipe', 'pipe'],
		cwd,
		uid: user,
		gid: user,
	});
}

/**
 * Runs a script (an ES module) with the project's Node.js and resolves to what it prints. Its imports
 * count from the service's sources: `./tasks/textFile.ts`.
 */
export async function runScript(script: string, ...args: string[]): Promise<string> {
	const { stdout } = await promisify(execFile)(
		projectNode,
		['--input-type=module', '--eval', script, ...args],
		{ cwd: join(root, 'service', 'src') },
	);
	return stdout;
}

function logLine(line: string): LogLine {
	const entry: unknown = JSON.parse(line);
	if (typeof entry !== 'object' || entry === null) throw new Error(`No log line: ${line}`);
	return { ...entry };
}
