import { readBatch } from '../../../../nodes/CloudScraping/api/wire';
import type { Batch } from '../../../../nodes/CloudScraping/api/wire';
import { afterFiring, findEnded } from '../../../../nodes/CloudScraping/trigger/endedBatches';
import type { TriggerState } from '../../../../nodes/CloudScraping/trigger/endedBatches';

/** A task's batches, oldest first, as time goes by. */
export class Task {
	readonly batches: Batch[] = [];

	#time = 1_000;

	/** Starts a batch; its time of creation may be what a service with another clock would say. */
	start(createTime: unknown = ++this.#time): number {
		const batchID = this.batches.length + 1;
		const batch = readBatch({ batchID, status: 2, createTime, endTime: 0 });
		if (batch) this.batches.push(batch);
		return batchID;
	}

	end(batchID: number, status = 3): void {
		Object.assign(this.batches[batchID - 1], { status, endTime: this.#time });
	}

	get running(): number[] {
		return this.batches.filter(({ status }) => status === 2).map(({ batchID }) => Number(batchID));
	}

	/** What tells a batch from all others, also from those of its ID before a restore. */
	identity(batchID: number): unknown {
		return this.batches[batchID - 1].createTime;
	}

	/** Puts the service's batches back, and its counter of IDs with them; time goes on. */
	backup(): () => void {
		const saved = this.batches.map((batch) => ({ ...batch }));
		return () => {
			this.batches.splice(0, Infinity, ...saved.map((batch) => ({ ...batch })));
		};
	}

	/** Pages newest first without the `hidden` batches, and how many of them were read. */
	pages(pageSize: number, hidden: number[] = []) {
		const newestFirst = this.batches
			.filter(({ batchID }) => !hidden.includes(Number(batchID)))
			.map((batch) => ({ ...batch }))
			.reverse();
		const count = { read: 0 };
		async function* read() {
			for (let first = 0; first === 0 || first < newestFirst.length; first += pageSize) {
				count.read++;
				const batches = newestFirst.slice(first, first + pageSize);
				const came = first + batches.length;
				yield await Promise.resolve({ batches, listed: batches.length, came, counted: came });
			}
		}
		return { pages: read(), count };
	}
}

/** Polls of one trigger. */
export class Trigger {
	state: TriggerState | undefined;

	pagesRead = 0;

	readonly #task: Task;

	readonly #pageSize: number;

	readonly #isFinal: ((batch: Batch) => boolean) | undefined;

	constructor(task: Task, pageSize = 3, isFinal?: (batch: Batch) => boolean) {
		this.#task = task;
		this.#pageSize = pageSize;
		this.#isFinal = isFinal;
	}

	/** Polls a service whose answer lacks the `hidden` batches. */
	async poll(source = 'task', hidden: number[] = []): Promise<number[]> {
		const { pages, count } = this.#task.pages(this.#pageSize, hidden);
		const found = await findEnded(pages, source, this.state, this.#isFinal);
		if ('noBaseline' in found) throw new Error('There is no baseline');
		// n8n stores the state as JSON.
		this.state = JSON.parse(JSON.stringify(afterFiring(found, []))) as TriggerState;
		this.pagesRead = count.read;
		return found.ended.map(({ batchID }) => Number(batchID));
	}
}
