import { setTimeout as sleep } from 'node:timers/promises';
import type { Task } from '../tasks/task.ts';
import { runTrial, type Trial, type TrialSettings } from './trial.ts';

/** What came of a trial, and how it came to its end where that was not the task's own. */
export interface BoundedTrial extends Trial {
	isTimedOut: boolean;
}

/** Runs tasks for people who try them out: only so many at once, and none for ever. */
export class Trials {
	readonly #most: number;
	readonly #milliseconds: number;
	#running = 0;

	/** `most` at once, each for so many milliseconds. */
	constructor({ most = 2, milliseconds = 60_000 } = {}) {
		this.#most = most;
		this.#milliseconds = milliseconds;
	}

	/** Seconds that a trial may take. */
	get seconds(): number {
		return this.#milliseconds / 1000;
	}

	/** Runs a task; undefined if too many are running. Throws an Error for people. */
	async run(task: Task, settings: TrialSettings): Promise<BoundedTrial | undefined> {
		if (this.#running >= this.#most) return undefined;
		this.#running += 1;
		const end = new AbortController();
		const late = new AbortController();
		const signal = AbortSignal.any([settings.signal, late.signal]);
		void sleep(this.#milliseconds, undefined, { signal: end.signal }).then(
			() => late.abort(),
			() => undefined,
		);
		try {
			const trial = await runTrial(task, { ...settings, signal });
			return { ...trial, isTimedOut: late.signal.aborted };
		} finally {
			end.abort();
			this.#running -= 1;
		}
	}
}
