import { statSync } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../stores.ts';
import type { Reserve } from './reserve.ts';

/** Milliseconds between two looks: while nothing runs, nobody else looks. */
const interval = 5_000;

/** The file of an open database: whether it is still what its path leads to. */
export class DatabaseFile implements Database {
	readonly care = 'See to its disk';
	readonly #path: string;
	readonly #opened: string | undefined;
	readonly #reserve: Reserve | undefined;

	/** Of a database that was opened just now; one in memory has no file, and loses none. `reserve`: of its disk. */
	constructor(path: string, reserve?: Reserve) {
		this.#path = path;
		this.#opened = identityOf(path);
		this.#reserve = reserve;
	}

	get location(): string {
		return this.#path;
	}

	whyLost(): string | undefined {
		if (this.#isThere()) return this.#reserve?.whyNeeded();
		return `The database ${this.#path} was removed or replaced while the service runs: what is stored now is lost when it ends. Restart the service, then start the task again.`;
	}

	/** No other process has the file. */
	onEnd(): void {}
	onBack(): void {}

	isBack(): Promise<boolean> {
		return Promise.resolve(false);
	}

	#isThere(): boolean {
		try {
			return identityOf(this.#path) === this.#opened;
		} catch {
			// Who cannot look at it, as for want of rights, does not know.
			return true;
		}
	}
}

/** The same for the same file, which nothing else is as long as it is open; undefined: there is none. */
function identityOf(path: string): string | undefined {
	const found = statSync(path, { bigint: true, throwIfNoEntry: false });
	return found && `${found.dev} ${found.ino}`;
}

/** Says in the log when nothing can be stored in the file any more, and when it can again. What it returns ends that. */
export function watchDatabase(file: DatabaseFile, log: FastifyBaseLogger): () => void {
	let said: string | undefined;
	const timer = setInterval(() => {
		const reason = file.whyLost();
		if (reason === said) return;
		said = reason;
		if (reason === undefined) log.info('database is back');
		else log.error({ reason }, 'no task starts');
	}, interval).unref();
	return () => clearInterval(timer);
}
