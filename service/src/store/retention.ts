import { setTimeout as sleep } from 'node:timers/promises';

/** Rows that are deleted at once: some milliseconds, after which others have a turn. */
const rowsAtOnce = 200;
/** Milliseconds for the others. */
const pause = 5;

/** Tables of what belongs to a batch, but for its rows and jobs; each has a column `batch_id`. */
export const tablesOfBatch = [
	'failed_pages',
	'selectors',
	'step_pages',
	'batch_log',
	'started_tasks',
	'starts',
] as const;

/** What a database does to delete batches, step by step. */
export interface BatchDeletion {
	/** The batches that ended more than so many milliseconds ago, the oldest first. */
	endedBefore(milliseconds: number): Promise<bigint[]>;
	/** Deletes an ended batch, but for its rows and jobs. */
	deleteBatch(id: bigint): Promise<void>;
	/** The same for all batches, also those that have not ended. */
	deleteAllBatches(): Promise<void>;
	/** Batches that are gone, and whose jobs are not. */
	leftOver(): Promise<bigint[]>;
	/** Deletes so many rows of a batch; resolves to how many there were. */
	deleteRows(id: bigint, most: number): Promise<number>;
	/** Deletes the jobs of a batch that has no rows left; resolves to false where it has. */
	deleteJobs(id: bigint): Promise<boolean>;
}

/**
 * Deletes ended batches and all that belongs to them. A batch goes first, so that nobody reads half of
 * one, and its jobs last: where those are left over, after a crash, the rest is deleted later.
 */
export class Retention {
	readonly #deletion: BatchDeletion;

	constructor(deletion: BatchDeletion) {
		this.#deletion = deletion;
	}

	/**
	 * Deletes the batches that ended more than so many milliseconds ago, until `signal` is aborted. Resolves to how
	 * many there were.
	 */
	async deleteBefore(milliseconds: number, signal: AbortSignal): Promise<number> {
		let deleted = 0;
		for (const id of await this.#deletion.endedBefore(milliseconds)) {
			if (signal.aborted) break;
			await this.delete(id);
			deleted += 1;
			await othersTurn(signal);
		}
		return deleted;
	}

	/** Deletes an ended batch; what it leaves over is for `deleteLeftOver`. */
	delete(id: bigint): Promise<void> {
		return this.#deletion.deleteBatch(id);
	}

	/** Deletes all batches, whose agents are called off; what they leave over is for `deleteLeftOver`. */
	deleteAll(): Promise<void> {
		return this.#deletion.deleteAllBatches();
	}

	/**
	 * Deletes the rows of batches that are gone, bit by bit, until `signal` is aborted. Resolves to how many
	 * batches they were of.
	 */
	async deleteLeftOver(signal: AbortSignal): Promise<number> {
		const gone = await this.#deletion.leftOver();
		for (const id of gone) await this.#deleteRows(id, signal);
		return gone.length;
	}

	async #deleteRows(id: bigint, signal: AbortSignal): Promise<void> {
		while (!signal.aborted) {
			const deleted = await this.#deletion.deleteRows(id, rowsAtOnce);
			// Where others delete the same ones at the same moment, there may be more.
			if (deleted === 0 && (await this.#deletion.deleteJobs(id))) return;
			await othersTurn(signal);
		}
	}
}

async function othersTurn(signal: AbortSignal): Promise<void> {
	await sleep(pause, undefined, { signal }).catch(() => undefined);
}
