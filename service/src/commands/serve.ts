import type { Logger } from 'pino';
import type { KeptKey } from '../store/apiKeyStore.ts';
import { lastingOutput } from '../log/lastingOutput.ts';
import { createLog, LogOutput } from '../log/log.ts';
import { reasonOf } from '../errors/thrown.ts';
import { startService, type Service } from '../service.ts';
import { readSettings } from '../settings.ts';
import { unknownSettings } from './unknownSettings.ts';
import { withoutPasswords } from '../log/withoutPasswords.ts';

/** Milliseconds for everything to come to its end; what has not by then is cut off. */
const closingTime = 4_000;

/** Milliseconds of those for the last lines of the log to be read. */
const writingTime = 500;

const people = lastingOutput(process.stderr);

/** Starts the service, until SIGINT or SIGTERM ends it. */
export function serve(): void {
	const output = new LogOutput(lastingOutput(process.stdout));
	const log = createLog(output);
	const starting = start(log, output);

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

async function start(log: Logger, output: LogOutput): Promise<Service> {
	try {
		const settings = readSettings(process.env);
		log.level = settings.logLevel;
		const unknown = unknownSettings(process.env);
		if (unknown !== undefined) log.warn(unknown);
		const service = await startService(settings, log, output);
		// Not through the log, which never holds an API key.
		if (service.keptKey) say(aboutKey(service.keptKey));
		// Not through the log either: whoever has it comes in, once.
		say(`Console (this link lets you in once, for ten minutes): ${service.consoleLink}`);
		return service;
	} catch (error) {
		say(withoutPasswords(reasonOf(error)));
		process.exit(1);
	}
}

function aboutKey({ key, place }: KeptKey): string {
	return key === undefined
		? 'API key: the one that was shown at the first start. Where it is lost, make another one on the Keys page of the console.'
		: `API key (SERVICE_API_KEYS is empty; shown this once, ${place} recognises it): ${key}`;
}

/** Also an API key that is shown once: it waits for room on a full disk. */
function say(text: string): void {
	people.write(`${text}\n`);
}
