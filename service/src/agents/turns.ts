/** What goes on under one key. */
interface Queue {
	underWay: number;
	/** The first to come first. */
	waiting: Set<Waiting>;
}

interface Waiting {
	limit: number;
	begin: () => void;
}

/** Lets only so much be under way at once of what has the same key: first come, first served. */
export class Turns {
	readonly #queues = new Map<string, Queue>();

	/**
	 * Does something when it is its turn: when less than `limit` is under way. Throws what `work` throws,
	 * or the reason of `signal` when that is aborted before.
	 */
	async take<Result>(
		{ key, limit, signal }: { key: string; limit: number; signal: AbortSignal },
		work: () => Promise<Result>,
	): Promise<Result> {
		signal.throwIfAborted();
		const queue = this.#queues.get(key) ?? { underWay: 0, waiting: new Set() };
		this.#queues.set(key, queue);
		if (queue.waiting.size > 0 || queue.underWay >= limit) await turnIn(queue, limit, signal);
		else queue.underWay += 1;
		let hasEnded = false;
		const end = () => {
			if (hasEnded) return;
			hasEnded = true;
			signal.removeEventListener('abort', end);
			this.#ended(key, queue);
		};
		// What was called off may take long to end: nobody waits for that.
		signal.addEventListener('abort', end);
		try {
			signal.throwIfAborted();
			return await work();
		} finally {
			end();
		}
	}

	#ended(key: string, queue: Queue): void {
		queue.underWay -= 1;
		const [first] = queue.waiting;
		if (first && queue.underWay < first.limit) first.begin();
		if (queue.underWay === 0) this.#queues.delete(key);
	}
}

/** Resolves when it is the turn of this one, which then is under way. */
function turnIn(queue: Queue, limit: number, signal: AbortSignal): Promise<void> {
	const turn = Promise.withResolvers<void>();
	const leave = () => {
		queue.waiting.delete(waiting);
		signal.removeEventListener('abort', giveUp);
	};
	const begin = () => {
		leave();
		queue.underWay += 1;
		turn.resolve();
	};
	const giveUp = () => {
		leave();
		turn.reject(signal.reason);
	};
	const waiting = { limit, begin };
	queue.waiting.add(waiting);
	signal.addEventListener('abort', giveUp);
	return turn.promise;
}
