import { status, type Batch } from './batch.ts';

/** How long batches run, by a clock that only goes on. */
export class RunTimes {
	/** When running batches would have begun by that clock, in milliseconds. */
	readonly #begun = new Map<bigint, number>();

	/** A batch has just begun. */
	begin(id: bigint): void {
		this.#begun.set(id, performance.now());
	}

	/** A batch with its running time: of one that runs, up to now, which is `now` by the clock of its times. */
	in(batch: Batch, now = Date.now()): Batch {
		if (batch.status !== status.running) {
			this.#begun.delete(batch.id);
			return batch;
		}
		// What another process has begun is known by the clock of the wall alone.
		const before = performance.now() - Math.max(0, now - batch.startTime);
		const begun = this.#begun.get(batch.id) ?? before;
		this.#begun.set(batch.id, begun);
		return { ...batch, runTime: Math.round(performance.now() - begun) };
	}

	/** The running times of the batches that are known to run. */
	*now(): Generator<[id: bigint, milliseconds: number]> {
		for (const [id, begun] of this.#begun) yield [id, Math.round(performance.now() - begun)];
	}
}
