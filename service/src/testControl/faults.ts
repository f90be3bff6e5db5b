import type { EarlyEnd } from '../agents/earlyEnd.ts';
import { identifierKey } from '../text/identifierKey.ts';
import type { AnswerFault, Fault, RunFault } from './fault.ts';

/** A request that a fault may be for. */
export interface FaultyRequest {
	path: string;
	page?: number;
	/** The task that it is about, be it by a batch. */
	taskID?: string;
}

/** What goes wrong on purpose in this process. Nothing does at its start. */
export class Faults {
	#on: Fault[] = [];

	/** Those that are on, in their order, each with the times that are left. */
	get list(): readonly Fault[] {
		return this.#on;
	}

	/** Puts these in the place of all that were on. */
	set(faults: Fault[]): void {
		this.#on = faults;
	}

	/** The first fault that is for a request, if there is one: it has one time less left. */
	takeFor({ path, page, taskID = '' }: FaultyRequest): AnswerFault | undefined {
		const isMeant = (fault: Fault): fault is AnswerFault =>
			'path' in fault &&
			fault.path === path &&
			(fault.page === undefined || fault.page === page) &&
			(fault.taskID === undefined || isSame(fault.taskID, taskID));
		return this.#take(isMeant);
	}

	/** The same for a run of a task that begins. */
	takeForRun(taskID: string): EarlyEnd | undefined {
		const isMeant = (fault: Fault): fault is RunFault =>
			'run' in fault && isSame(fault.run.taskID, taskID);
		const run = this.#take(isMeant)?.run;
		return run && { afterRows: run.endAfterRows, how: run.status };
	}

	#take<Some extends Fault>(isMeant: (fault: Fault) => fault is Some): Some | undefined {
		const taken = this.#on.find(isMeant);
		if (!taken || taken.times === 0) return taken;
		this.#on = this.#on.flatMap((fault) => {
			if (fault !== taken) return [fault];
			return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : [];
		});
		return taken;
	}
}

function isSame(one: string, other: string): boolean {
	return identifierKey(one) === identifierKey(other);
}
