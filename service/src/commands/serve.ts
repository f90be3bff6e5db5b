import { dirname, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { KeptKey } from '../store/apiKeyStore.ts';
import { lastingOutput } from '../log/lastingOutput.ts';
import { createLog, LogOutput } from '../log/log.ts';
import { browserMissing } from '../pages/browser/findBrowser.ts';
import { startService, type Service } from '../service.ts';
import { readSettings, tasksBeside, type Settings } from '../settings/settings.ts';
import { unknownSettings } from '../settings/unknownSettings.ts';
import { provideTasks } from '../tasks/demoTasks.ts';
import type { Flags } from './commandLine.ts';
import { reasonFor } from './reasonFor.ts';

/** Milliseconds for everything to come to its end; what has not by then is cut off. */
const closingTime = 4_000;

/** Milliseconds of those for the last lines of the log to be read. */
const writingTime = 500;

const people = lastingOutput(process.stderr);

/** Starts the service, until SIGINT or SIGTERM ends it. */
export function serve(env: NodeJS.ProcessEnv, flags: Flags): void {
	const output = new LogOutput(lastingOutput(process.stdout));
	const log = createLog(output);
	const starting = start(env, flags, log, output);

	let stopping = false;
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.on(signal, () => void stop(signal));
	}

	/** A second signal does not wait for what the first one waits for. */
	async function stop(signal: string): Promise<void> {
		if (stopping) process.exit(1);
		stopping = true;
		// Batches go on at the next start, as after a crash: nothing is lost that is not waited for.
		setTimeout(() => process.exit(0), closingTime).unref();
		log.info({ signal }, 'shutting down');
		const service = await starting;
		await service.close();
		await output.written(writingTime);
		process.exit(0);
	}
}

async function start(
	env: NodeJS.ProcessEnv,
	flags: Flags,
	log: Logger,
	output: LogOutput,
): Promise<Service> {
	try {
		const settings = readSettings(env, flags);
		log.level = settings.logLevel;
		const unknown = unknownSettings(env);
		if (unknown !== undefined) log.warn(unknown);
		if (settings.database === undefined && settings.tasks === tasksBeside(settings.data)) {
			await provideTasks(settings.tasks);
		}
		const service = await startService(settings, log, output);
		// Not through the log, which never holds an API key, nor what lets somebody into the console.
		say(aboutStart(service, settings).join('\n'));
		return service;
	} catch (error) {
		say(reasonFor(error, flags));
		process.exit(1);
	}
}

/** What people have to know, a line each. */
function aboutStart(
	{ address, keptKey, consoleLink, database, tasks, browser }: Service,
	at: Settings,
) {
	const tasksOf = tasks === 1 ? '1 task' : `${tasks} tasks`;
	const isFile = at.database === undefined;
	const data = isFile ? dirname(resolve(at.data)) : database;
	return [
		`Address: ${address}`,
		`API key: ${aboutKey(keptKey)}`,
		`Console: ${consoleLink} (this link lets you in once, for ten minutes)`,
		`Data:    ${data}`,
		`Tasks:   ${isFile ? resolve(at.tasks) : 'in the database'} (${tasksOf})`,
		`Browser: ${browser ?? `none, so tasks with "page": "browser" are refused. ${browserMissing}`}`,
	];
}

function aboutKey(kept: KeptKey | undefined): string {
	if (!kept) return 'as SERVICE_API_KEYS says';
	return kept.key === undefined
		? 'the one that was shown at the first start. Where it is lost, make another one on the Keys page of the console.'
		: `${kept.key} (made up, and shown this once: ${kept.place} recognises it)`;
}

/** Also an API key that is shown once: it waits for room on a full disk. */
function say(text: string): void {
	people.write(`${text}\n`);
}
