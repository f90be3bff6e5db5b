import PQueue from 'p-queue';

/** Lets only so much be under way at once of what has the same key: first come, first served. */
export class Turns {
	/** By key; those that have nothing to do are forgotten. */
	readonly #queues = new Map<string, PQueue>();

	/**
	 * Does something when it is its turn: when less than `limit` is under way. Throws what `work` throws, or
	 * the reason of `signal` as soon as that is aborted: nobody waits for what was called off.
	 */
	take<Result>(
		{ key, limit, signal }: { key: string; limit: number; signal: AbortSignal },
		work: () => Promise<Result>,
	): Promise<Result> {
		const queue = this.#queues.get(key) ?? new PQueue();
		if (!this.#queues.has(key)) queue.addEventListener('idle', () => this.#queues.delete(key));
		this.#queues.set(key, queue);
		queue.concurrency = limit;
		return queue.add(work, { signal });
	}
}
