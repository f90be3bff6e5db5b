import type { FastifyBaseLogger } from 'fastify';

/** Milliseconds for which a write may wait: longer than for another process that was frozen in its transaction. */
const patience = 12_000;

/**
 * Milliseconds for which a write counts that was given up without an answer: until the next one, of which there is
 * one each ten seconds, has waited for as long.
 */
const memory = 10_000 + patience + 3_000;

/** Milliseconds between two looks whether there is something to say. */
const pulse = 2_500;

/** How statements begin that write, those of pg-boss among them. */
const writing =
	/^\s*(INSERT|UPDATE|DELETE|WITH(?!\s+RECURSIVE)|SELECT (append_rows|lease_slots)\b)/i;

export function writes(sql: string): boolean {
	return writing.test(sql);
}

/** What is said of it to people. */
export const unanswered = `a write has had no answer for ${patience / 1_000} seconds, as where a synchronous standby is gone (synchronous_standby_names), or somebody holds a lock`;

/** What a process has written and has no answer to, as where a synchronous standby is gone. */
export class UnansweredWrites {
	readonly #since = new Set<{ began: number }>();
	readonly #now: () => number;
	/** When the last one was given up. */
	#givenUp: number | undefined;

	/** `now`: milliseconds of a clock that is not set. */
	constructor(now = () => performance.now()) {
		this.#now = now;
	}

	/** Watches over a write; `isGivenUp`: whether it fails for want of an answer. */
	async watch<Result>(
		write: () => Promise<Result>,
		isGivenUp: (error: unknown) => boolean,
	): Promise<Result> {
		const entry = { began: this.#now() };
		this.#since.add(entry);
		try {
			const result = await write();
			if (this.#givenUp !== undefined && entry.began > this.#givenUp) this.#givenUp = undefined;
			return result;
		} catch (error) {
			if (isGivenUp(error)) this.#givenUp = this.#now();
			throw error;
		} finally {
			this.#since.delete(entry);
		}
	}

	/** Whether some have waited for too long. */
	get areTooMany(): boolean {
		const now = this.#now();
		if (this.#givenUp !== undefined && now < this.#givenUp + memory) return true;
		return [...this.#since].some(({ began }) => now > began + patience);
	}

	/** Says in the log when that begins and ends. What it returns ends that. */
	sayIn(log: FastifyBaseLogger): () => void {
		let said = false;
		const timer = setInterval(() => {
			if (this.areTooMany === said) return;
			said = !said;
			if (said) log.error({ reason: unanswered }, 'database does not confirm what is written');
			else log.info('database confirms what is written');
		}, pulse).unref();
		return () => clearInterval(timer);
	}
}
