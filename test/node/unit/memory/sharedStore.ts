import { setImmediate } from 'node:timers/promises';
import type { EntryStore } from '../../../../nodes/CloudScraping/memory/entryStore';

/** Waits until it may go on; resolves with what it is let go on by. */
type Gate = () => void;

/**
 * n8n's store of processed data as several processes use it: each call reads all entries and later
 * writes all of them back, and what another process has written meanwhile is gone. Between two steps of
 * a process any other may do any number of its own.
 */
export class SharedStore {
	#entries: string[] = [];

	/** The processes that wait for their next step. */
	readonly #waiting = new Map<number, Gate>();

	/** How many steps were done: two a call. */
	steps = 0;

	/** The store as one process sees it. */
	of(process: number): EntryStore {
		const step = async () => {
			await new Promise<void>((go) => this.#waiting.set(process, go));
		};
		const change = async (asked: string[], changed: (found: string[]) => string[]) => {
			if (asked.length === 0) return new Set<string>();
			await step();
			const found = this.#entries;
			await step();
			this.#entries = changed(found);
			return new Set(asked.filter((entry) => found.includes(entry)));
		};
		const record = async (entries: Iterable<string>) => {
			const asked = [...new Set(entries)];
			return await change(asked, (found) => [...new Set([...found, ...asked])]);
		};
		return {
			record,
			recordAndTrim: record,
			remove: async (entries) => {
				await change([...entries], (found) => found.filter((entry) => !entries.includes(entry)));
			},
		};
	}

	/** Does all steps of all processes in an order: `choose` says which one of those that wait is next. */
	async run(work: Array<Promise<unknown>>, choose: (waiting: number) => number): Promise<void> {
		const done = Promise.allSettled(work);
		for (;;) {
			await setImmediate();
			const waiting = [...this.#waiting].sort(([a], [b]) => a - b);
			if (waiting.length === 0) break;
			const [process, go] = waiting[choose(waiting.length)];
			this.#waiting.delete(process);
			this.steps++;
			go();
		}
		await done;
	}
}

/** Calls `attempt` once for every sequence of choices that it can make. */
export async function forAllChoices(
	attempt: (choose: (among: number) => number) => Promise<void>,
): Promise<number> {
	let path: Array<{ choice: number; among: number }> = [];
	for (let attempts = 1; ; attempts++) {
		let at = 0;
		const taken = path;
		await attempt((among) => {
			if (at === taken.length) taken.push({ choice: 0, among });
			return taken[at++].choice;
		});
		while (path.length > 0 && path.at(-1)!.choice === path.at(-1)!.among - 1) path.pop();
		if (path.length === 0) return attempts;
		path = [...path.slice(0, -1), { ...path.at(-1)!, choice: path.at(-1)!.choice + 1 }];
	}
}
