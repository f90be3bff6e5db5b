import type { FastifyBaseLogger } from 'fastify';
import type { DatabaseFile } from './databaseFile.ts';

/** Milliseconds between two looks: while nothing runs, nobody else looks. */
const interval = 5_000;

/** Says in the log when the database is removed or replaced, and when it is back. What it returns ends that. */
export function watchDatabase(file: DatabaseFile, log: FastifyBaseLogger): () => void {
	let said: string | undefined;
	const timer = setInterval(() => {
		const reason = file.whyLost();
		if (reason === said) return;
		said = reason;
		if (reason === undefined) log.info('database is back');
		else log.error({ reason }, 'database removed, no task starts');
	}, interval).unref();
	return () => clearInterval(timer);
}
