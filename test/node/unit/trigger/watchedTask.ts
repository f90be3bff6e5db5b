import { readBatch } from '../../../../nodes/CloudScraping/api/wire';
import type { Batch } from '../../../../nodes/CloudScraping/api/wire';
import { afterFiring, findEnded } from '../../../../nodes/CloudScraping/trigger/endedBatches';
import { readState } from '../../../../nodes/CloudScraping/trigger/storedState';
import type { TriggerState } from '../../../../nodes/CloudScraping/trigger/triggerState';

/** A task's batches, oldest first, as time goes by. */
export class Task {
	readonly batches: Batch[] = [];

	/** By how much all times are told later than they were: the zone or the clock was corrected. */
	moved = 0;

	/** By how much the service's clock is behind where new batches are concerned. */
	setBack = 0;

	/** How many batches the service counts that there are not. */
	countedToo = 0;

	readonly #deleted = new Set<number>();

	#events = 0;

	#runs = 0;

	/** Starts a batch; its time of creation may be what a service with another clock would say. */
	start(createTime: unknown = this.#now()): number {
		const batchID = this.batches.length + 1;
		const run = ++this.#runs;
		const batch = readBatch({ batchID, status: 2, createTime, endTime: 0, run });
		if (batch) this.batches.push(batch);
		return batchID;
	}

	end(batchID: number, status = 3): void {
		Object.assign(this.batches[batchID - 1], { status, endTime: this.#now() });
	}

	/** Milliseconds; no two runs take the same time. */
	#now(): number {
		return 1_700_000_000_000 + (++this.#events) ** 3 - this.setBack;
	}

	/** The service deletes a batch; IDs go on. */
	delete(batchID: number): void {
		this.#deleted.add(batchID);
	}

	get running(): number[] {
		return this.batches.filter(({ status }) => status === 2).map(({ batchID }) => Number(batchID));
	}

	/** What tells a batch from all others, also from those of its ID before a restore. */
	identity(batchID: number): unknown {
		return this.batches[batchID - 1].run;
	}

	/** Puts the service's batches back, and its counter of IDs with them; time goes on. */
	backup(): () => void {
		const saved = this.batches.map((batch) => ({ ...batch }));
		return () => {
			this.batches.splice(0, Infinity, ...saved.map((batch) => ({ ...batch })));
		};
	}

	#told(time: Batch['createTime']) {
		return typeof time === 'number' && time > 0 ? time + this.moved : time;
	}

	/** Pages newest first without the `hidden` batches, and how many of them were read. */
	pages(pageSize: number, hidden: number[] = []) {
		const gone = new Set([...hidden, ...this.#deleted]);
		const newestFirst = this.batches
			.filter(({ batchID }) => !gone.has(Number(batchID)))
			.map((batch): Batch => ({
				...batch,
				createTime: this.#told(batch.createTime),
				endTime: this.#told(batch.endTime),
			}))
			.reverse();
		if (this.setBack > 0) {
			newestFirst.sort((a, b) => Number(b.createTime) - Number(a.createTime));
		}
		const { countedToo } = this;
		const count = { read: 0 };
		async function* read() {
			for (let first = 0; first === 0 || first < newestFirst.length; first += pageSize) {
				count.read++;
				const batches = newestFirst.slice(first, first + pageSize);
				const came = first + batches.length;
				const total = newestFirst.length + countedToo;
				yield await Promise.resolve({
					batches,
					listed: batches.length,
					came,
					counted: came,
					total,
					repeated: 0,
				});
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
		this.state = readState(JSON.parse(JSON.stringify(afterFiring(found, []))));
		this.pagesRead = count.read;
		return found.ended.map(({ batchID }) => Number(batchID));
	}
}
