import PQueue from 'p-queue';

/**
 * What is to be done in turn with what has the same key, of which less than `limit` is under way at once. Where that was
 * changed, the smallest one counts for all that is still to be done.
 */
export interface Turn {
	key: string;
	limit: number;
	signal: AbortSignal;
}

/** Who sees to it that only so much is under way at once. */
export interface TurnTaker {
	/**
	 * Does something when it is its turn. Throws what `work` throws, or the reason of `signal` as soon as that is
	 * aborted: nobody waits for what was called off.
	 */
	take<Result>(turn: Turn, work: () => Promise<Result>): Promise<Result>;
}

/** Takes turns within this process: first come, first served. */
export class Turns implements TurnTaker {
	/** By key; those that have nothing to do are forgotten. */
	readonly #queues = new Map<string, PQueue>();

	take<Result>({ key, limit, signal }: Turn, work: () => Promise<Result>): Promise<Result> {
		const queue = this.#queues.get(key) ?? new PQueue();
		if (!this.#queues.has(key)) queue.addEventListener('idle', () => this.#queues.delete(key));
		this.#queues.set(key, queue);
		queue.concurrency = Math.min(queue.concurrency, limit);
		return queue.add(work, { signal });
	}
}
