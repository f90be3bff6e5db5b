import type { Connection } from './connection';
import type { Batch, WireInteger } from './wire';

/** Milliseconds for a service to end a run whose stop it has accepted; then it is asked again. */
export const stopTakesMs = 60_000;

/** So many milliseconds after a stop was sent, a run that is found stopped was stopped by somebody else. */
const rememberedMs = 3_600_000;

interface Run {
	/** How many wait for its stop. */
	wishes: number;
	/** When a stop was sent that may have hit it. */
	askedAt: number;
	/** When the service has said that it stops this very run. */
	acceptedAt: number;
}

/**
 * The runs of a task that this process wants stopped, and those that it has asked the service to stop.
 * Other processes (workers of n8n's queue mode) have their own: their runs are strangers here.
 */
class WantedStops {
	readonly #runs = new Map<string, Run>();

	/** Says that a run is to be stopped, until the function is called that comes back. */
	add(batchID: WireInteger): () => void {
		const run = this.#runOf(batchID);
		run.wishes++;
		return () => {
			run.wishes--;
			this.#forgetOld();
		};
	}

	/** Whether a stop may hit this run: it is wanted, or the service has promised it. */
	isWanted({ batchID }: Batch): boolean {
		const { wishes = 0 } = this.#runs.get(String(batchID)) ?? {};
		return wishes > 0 || this.isAccepted({ batchID });
	}

	/** Notes that a stop is sent that may hit any of these runs. */
	ask(batches: Batch[]): void {
		for (const { batchID } of batches) this.#runOf(batchID).askedAt = performance.now();
	}

	/** Whether a run that is stopped may be so because of this process. */
	isAsked({ batchID }: Batch): boolean {
		return isWithin(this.#runs.get(String(batchID))?.askedAt, rememberedMs);
	}

	accept({ batchID }: Batch): void {
		this.#runOf(batchID).acceptedAt = performance.now();
	}

	/** The service may take its time: a second stop would hit the run that comes next. */
	isAccepted({ batchID }: Batch): boolean {
		return isWithin(this.#runs.get(String(batchID))?.acceptedAt, stopTakesMs);
	}

	#runOf(batchID: WireInteger): Run {
		const key = String(batchID);
		const run = this.#runs.get(key) ?? { wishes: 0, askedAt: -Infinity, acceptedAt: -Infinity };
		this.#runs.set(key, run);
		return run;
	}

	#forgetOld(): void {
		for (const [key, { wishes, askedAt }] of this.#runs) {
			if (wishes === 0 && !isWithin(askedAt, rememberedMs)) this.#runs.delete(key);
		}
	}
}

function isWithin(time = -Infinity, milliseconds: number): boolean {
	return performance.now() - time <= milliseconds;
}

/** What this process wants of the runs of a task, and the look under way at them. */
interface OfTask {
	wanted: WantedStops;
	underWay: Promise<unknown>;
}

const ofTasks = new Map<string, OfTask>();

/** The runs of a task that this process wants stopped. */
export function wantedStops(connection: Connection, taskID: string): WantedStops {
	return ofTask(connection, taskID).wanted;
}

/** Does something in turn with all others of the task: between a look and its stop no other stop may come. */
export async function inTurn<T>(
	connection: Connection,
	taskID: string,
	work: () => Promise<T>,
): Promise<T> {
	const task = ofTask(connection, taskID);
	const result = task.underWay.then(work);
	task.underWay = result.catch(() => {});
	return await result;
}

function ofTask({ baseUrl }: Connection, taskID: string): OfTask {
	const key = `${baseUrl.href} ${taskID}`;
	const task = ofTasks.get(key) ?? { wanted: new WantedStops(), underWay: Promise.resolve() };
	ofTasks.set(key, task);
	return task;
}
