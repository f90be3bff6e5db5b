import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Clock } from '../../../service/src/pages/clock.ts';
import { createLog, LogOutput } from '../../../service/src/log/log.ts';
import { PickerReaders } from '../../../service/src/picker/pickerReaders.ts';
import { startService as startHere } from '../../../service/src/service.ts';
import { readSettings } from '../../../service/src/settings/settings.ts';
import { loggedLine, type LogLine } from '../service/logLines';
import { demoTasks, type ServiceOptions as ProcessOptions } from '../service/startService';
import { serviceFolder } from '../service/serviceFolder';
import { writeTasks } from '../service/taskFiles';
import { sharedBrowser } from './sharedBrowser';

/** A local service inside the process of the tests, on a free port of this machine. */
export interface RunningService {
	baseUrl: string;
	apiKey: string;
	/** Its folder: the database is in there. Kept by `end`, removed by `stop`. */
	folder: string;
	/** Lets one person into its console. */
	consoleLink: string;
	/** What it has logged so far. */
	log: LogLine[];
	/** Resolves once there is a line with these properties: a log comes later than HTTP answers. */
	logged(properties: LogLine): Promise<void>;
	/** Shuts it down and removes its folder. */
	stop(): Promise<void>;
	/** Shuts it down and keeps its folder, for `startService({ folder })`. */
	end(): Promise<void>;
}

export type { LogLine };

export interface ServiceOptions extends ProcessOptions {
	/** Absent: time passes as it does. */
	clock?: Clock;
}

/** Of all services of a worker: a thread takes longer to start than most documents take to read. It ends with it. */
const readers = new PickerReaders();

/** Starts a local service as `serve` does, but for its signals; `env` is all that it knows of the environment. */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
	const folder = options.folder ?? (await serviceFolder());
	const apiKey = 'test-key';
	const ownTasks = join(folder, 'tasks');
	if (options.tasks) await writeTasks(ownTasks, options.tasks);
	const settings = readSettings({
		SERVICE_PORT: '0',
		SERVICE_API_KEYS: apiKey,
		SERVICE_DATA: join(folder, 'service.db'),
		SERVICE_TASKS: options.tasksFolder ?? (existsSync(ownTasks) ? ownTasks : demoTasks),
		...options.env,
	});

	const log: LogLine[] = [];
	const lines = new EventEmitter();
	// Any number of tests may wait for a line.
	lines.setMaxListeners(0);
	const output = new Writable({
		decodeStrings: false,
		write(text: string, _encoding, done) {
			for (const line of text.trimEnd().split('\n')) log.push(logLine(line));
			lines.emit('line');
			done();
		},
	});
	const logOutput = new LogOutput(output);
	const logger = createLog(logOutput);
	logger.level = settings.logLevel;
	const service = await startHere(settings, logger, logOutput, {
		clock: options.clock,
		browser: sharedBrowser(),
		readers,
	});
	const { address } = log.find(({ msg }) => msg === 'listening') ?? {};

	let ending: Promise<void> | undefined;
	const end = () => (ending ??= service.close());
	return {
		baseUrl: String(address),
		apiKey,
		folder,
		consoleLink: service.consoleLink,
		log,
		logged: (properties) => loggedLine(log, () => once(lines, 'line'), properties),
		async stop() {
			await end();
			await rm(folder, { recursive: true });
		},
		end,
	};
}

function logLine(line: string): LogLine {
	const entry: unknown = JSON.parse(line);
	if (typeof entry !== 'object' || entry === null) throw new Error(`No log line: ${line}`);
	return { ...entry };
}
