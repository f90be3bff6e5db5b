import type { FastifyBaseLogger } from 'fastify';

/** Milliseconds for which a write may wait: longer than for another process that was frozen in its transaction. */
const patience = 12_000;

/** Milliseconds between two looks. */
const pulse = 2_500;

/** How statements begin that change tables, those of pg-boss among them, and those that have functions do it. */
const changing = /^\s*(INSERT|UPDATE|DELETE|WITH(?!\s+RECURSIVE))/i;
const calling = /^\s*SELECT (append_rows|lease_slots)\b/i;

/** Whether a statement changes tables by itself. */
export function changes(sql: string): boolean {
	return changing.test(sql);
}

/** Whether it changes tables, or has a function change them. */
export function writes(sql: string): boolean {
	return changes(sql) || calling.test(sql);
}

/** What is said to people. */
export const unanswered = `a write has had no answer for ${patience / 1_000} seconds, as where a synchronous standby is gone (synchronous_standby_names), or somebody holds a lock`;

/** How it is known what has become of a write. */
interface Writes {
	/** Writes something that changes the database: what finds nothing to change is answered at once. */
	tryOne(): Promise<unknown>;
	/** Whether a write has failed for want of an answer. */
	isGivenUp(error: unknown): boolean;
}

/** The writes of a process that have no answer, as where a synchronous standby is gone. */
export class UnansweredWrites {
	readonly #writes: Writes;
	readonly #now: () => number;
	readonly #waiting = new Set<{ began: number }>();
	/** Whether one was given up, and none has been answered since. */
	#wasGivenUp = false;
	#isTrying = false;
	#isSaid = false;

	/** `now`: milliseconds of a clock that is not set. */
	constructor(made: Writes, now = () => performance.now()) {
		this.#writes = made;
		this.#now = now;
	}

	/** Whether one has waited for too long, or was given up for that. */
	get areThere(): boolean {
		const now = this.#now();
		return this.#wasGivenUp || [...this.#waiting].some(({ began }) => now > began + patience);
	}

	/** Watches over a write. */
	async watch<Result>(write: () => Promise<Result>): Promise<Result> {
		const entry = { began: this.#now() };
		this.#waiting.add(entry);
		try {
			return await write();
		} catch (error) {
			this.#wasGivenUp ||= this.#writes.isGivenUp(error);
			throw error;
		} finally {
			this.#waiting.delete(entry);
		}
	}

	/** Looks now and then, and says in the log when they are there, and no more. What it returns ends that. */
	sayIn(log: FastifyBaseLogger): () => void {
		const timer = setInterval(() => this.look(log), pulse).unref();
		return () => clearInterval(timer);
	}

	look(log: FastifyBaseLogger): void {
		if (this.#wasGivenUp && !this.#isTrying) void this.#try();
		if (this.areThere === this.#isSaid) return;
		this.#isSaid = !this.#isSaid;
		if (this.#isSaid) {
			log.error({ reason: unanswered }, 'database does not confirm what is written');
		} else log.info('database confirms what is written');
	}

	async #try(): Promise<void> {
		this.#isTrying = true;
		const isGivenUp = await this.#writes.tryOne().then(
			() => false,
			(error: unknown) => this.#writes.isGivenUp(error),
		);
		this.#isTrying = false;
		if (!isGivenUp) this.#wasGivenUp = false;
	}
}
