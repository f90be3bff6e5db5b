import { clockOf, type Connections } from './connections.ts';

/** Milliseconds by which a clock is set at least: it drifts by less between two looks. */
const least = 1_000;

/** The clock of the database, beside that of this process, which nobody sets. */
export class DatabaseClock {
	readonly #database: Pick<Connections, 'query'>;
	/** How far it is ahead of ours, at least and at most: its answers take a while. */
	#ahead: { least: number; most: number } | undefined;

	constructor(database: Pick<Connections, 'query'>) {
		this.#database = database;
	}

	/**
	 * Milliseconds by which it was set since this was asked last, back where they are negative; 0 where it was not, or
	 * was by less than its answers leave open. Undefined when it is asked for the first time.
	 */
	async set(): Promise<number | undefined> {
		const asked = performance.now();
		const clock = await clockOf(this.#database);
		const last = this.#ahead;
		const ahead = { least: clock - performance.now(), most: clock - asked };
		this.#ahead = ahead;
		if (!last) return undefined;
		if (ahead.most < last.least - least) return ahead.most - last.least;
		return ahead.least > last.most + least ? ahead.least - last.most : 0;
	}
}
