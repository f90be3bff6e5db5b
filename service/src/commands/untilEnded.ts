import type { Logger } from 'pino';
import { lastingOutput } from '../log/lastingOutput.ts';
import { createLog, LogOutput } from '../log/log.ts';
import type { Flags } from './commandLine.ts';
import { reasonFor } from './reasonFor.ts';

/** Milliseconds for everything to come to its end; what has not by then is cut off. */
const closingTime = 4_000;

/** Milliseconds of those for the last lines of the log to be read. */
const writingTime = 500;

/** Milliseconds for which lines of the log wait to be written together: a write takes as long as much of a page. */
const gatheringTime = 20;

const people = lastingOutput(process.stderr);

/** What runs until it is closed. */
interface Running {
	close(): Promise<void>;
}

/** Runs what `start` starts, until SIGINT or SIGTERM ends it. What it throws ends the process, and is said to people. */
export function untilEnded(
	flags: Flags,
	start: (log: Logger, output: LogOutput) => Promise<Running>,
): void {
	const output = new LogOutput(lastingOutput(process.stdout), gatheringTime);
	process.on('exit', () => output.flush());
	const log = createLog(output);
	const starting = start(log, output).catch((error: unknown) => {
		say(reasonFor(error, flags));
		process.exit(1);
	});

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
		const running = await starting;
		await running.close();
		await output.written(writingTime);
		process.exit(0);
	}
}

/** Not through the log. Also an API key that is shown once: it waits for room on a full disk. */
export function say(text: string): void {
	people.write(`${text}\n`);
}
