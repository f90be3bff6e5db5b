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

/** A fault that something takes, which counts once it has happened to that. */
export interface Taken {
	fault: AnswerFault;
	/** It has happened: it has one time less left. */
	happened(): void;
	/** It could not: it is for the next one. */
	missed(): void;
	/** Aborted when all is forgotten. */
	forgotten: AbortSignal;
}

/** A fault that is on. */
interface On {
	fault: Fault;
	/** Infinity: until it is deleted. */
	left: number;
	/** Times of these that are taken, and have not happened yet. */
	taken: number;
}

/** What goes wrong on purpose in this process. Nothing does at its start. */
export class Faults {
	#on: On[] = [];
	#forgetting = new AbortController();

	/** Those that are on, in their order, each with the times that it has still to happen. */
	get list(): readonly Fault[] {
		return this.#on.map(({ fault, left }) => ({ ...fault, times: left === Infinity ? 0 : left }));
	}

	/** Puts these in the place of all that were on. */
	set(faults: Fault[]): void {
		this.#on = faults.map((fault) => ({ fault, left: fault.times || Infinity, taken: 0 }));
	}

	/** Ends all, and the requests that one of them keeps back. */
	forget(): void {
		this.set([]);
		this.#forgetting.abort();
		this.#forgetting = new AbortController();
	}

	/** The first fault that is for a request, if there is one. */
	takeFor({ path, page, taskID = '' }: FaultyRequest): Taken | undefined {
		const isMeant = (fault: Fault): fault is AnswerFault =>
			'path' in fault &&
			fault.path === path &&
			(fault.page === undefined || fault.page === page) &&
			(fault.taskID === undefined || isSame(fault.taskID, taskID));
		const { fault, on } = this.#take(isMeant) ?? {};
		if (!fault || !on) return undefined;
		const missed = () => void (on.taken -= 1);
		const forgotten = this.#forgetting.signal;
		return { fault, happened: () => this.#happened(on), missed, forgotten };
	}

	/** The same for a run of a task that begins: one that ends by itself has had its turn. */
	takeForRun(taskID: string): EarlyEnd | undefined {
		const isMeant = (fault: Fault): fault is RunFault =>
			'run' in fault && isSame(fault.run.taskID, taskID);
		const { fault, on } = this.#take(isMeant) ?? {};
		if (!fault || !on) return undefined;
		const { endAfterRows: afterRows, status: how } = fault.run;
		return { afterRows, how, happens: () => this.#happened(on) };
	}

	#take<Some extends Fault>(isMeant: (fault: Fault) => fault is Some) {
		for (const on of this.#on) {
			const { fault } = on;
			if (!isMeant(fault) || on.left === on.taken) continue;
			on.taken += 1;
			return { fault, on };
		}
		return undefined;
	}

	#happened(on: On): void {
		on.left -= 1;
		on.taken -= 1;
		if (on.left === 0) this.#on = this.#on.filter((each) => each !== on);
	}
}

function isSame(one: string, other: string): boolean {
	return identifierKey(one) === identifierKey(other);
}
