import { cancelledBy, throwIfCancelled } from '../cancel';
import type { Connection } from '../connection';
import { timeoutMs } from '../request';
import { taskKey } from './taskKey';

/** Requests of one kind that this process has sent for a task, until they are answered or that is given up. */
class Unanswered {
	readonly #ofTasks = new Map<string, Set<Promise<void>>>();

	/** Notes a request that has been sent. */
	async note<T>(connection: Connection, taskID: string, sent: Promise<T>): Promise<T> {
		const key = taskKey(connection, taskID);
		const open = this.#ofTasks.get(key) ?? new Set();
		this.#ofTasks.set(key, open);
		const over = Promise.race([settled(sent), aborted(AbortSignal.timeout(timeoutMs))]);
		open.add(over);
		void over.then(() => {
			open.delete(over);
			if (open.size === 0) this.#ofTasks.delete(key);
		});
		return await sent;
	}

	has(connection: Connection, taskID: string): boolean {
		return this.#ofTasks.has(taskKey(connection, taskID));
	}

	/** Waits until none is open, for so long at most; throws when the user cancels the execution meanwhile. */
	async wait(connection: Connection, taskID: string): Promise<void> {
		const key = taskKey(connection, taskID);
		if (!this.#ofTasks.has(key)) return;
		const { cancelSignal } = cancelledBy(connection, AbortSignal.timeout(timeoutMs));
		for (;;) {
			const open = this.#ofTasks.get(key);
			if (!open || cancelSignal?.aborted) break;
			await Promise.race([Promise.all(open), aborted(cancelSignal)]);
		}
		throwIfCancelled(connection);
	}
}

/**
 * A service may choose the batch only when it carries out a stop: then one that is started before the
 * answer is hit instead. So no start is sent while a stop is unanswered, and the other way round.
 */
export const unansweredStarts = new Unanswered();
export const unansweredStops = new Unanswered();

async function settled(sent: Promise<unknown>): Promise<void> {
	await sent.catch(() => {});
}

async function aborted(signal?: AbortSignal): Promise<void> {
	if (signal?.aborted) return;
	await new Promise<void>((resolve) => {
		signal?.addEventListener('abort', () => resolve(), { once: true });
	});
}
