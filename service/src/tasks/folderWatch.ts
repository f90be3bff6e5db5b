import { watch, type FSWatcher } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two looks at a folder of which nothing is heard. */
const pause = 500;

/** Milliseconds for an editor to come to the end of what it does with a file. */
const settling = 50;

/**
 * Looks at a folder again and again: as soon as the file system tells of a change, and now and then in
 * any case, since it does not tell of all (what links lead to, folders of networks, a folder that is
 * made again). Where looking takes long it is done less often without being told.
 */
export class FolderWatch {
	readonly #folder: string;
	readonly #look: () => Promise<void>;
	readonly #ended: Promise<void>;
	#wake = new AbortController();
	#isClosed = false;

	/** `look` must not fail. */
	constructor(folder: string, look: () => Promise<void>) {
		this.#folder = folder;
		this.#look = look;
		this.#ended = this.#run();
	}

	/** Resolves when the last look has come to its end. */
	async close(): Promise<void> {
		this.#isClosed = true;
		this.#wake.abort();
		await this.#ended;
	}

	async #run(): Promise<void> {
		while (!this.#isClosed) {
			// A new one each time: one of a folder that is gone hears nothing of the one in its place.
			const wake = new AbortController();
			this.#wake = wake;
			const watcher = this.#listen(() => wake.abort());
			const start = performance.now();
			await this.#look();
			const took = performance.now() - start;
			if (!this.#isClosed) await sleepOrWake(Math.max(pause, 10 * took), wake.signal);
			watcher?.close();
			if (wake.signal.aborted && !this.#isClosed) {
				this.#wake = new AbortController();
				await sleepOrWake(Math.max(settling, took), this.#wake.signal);
			}
		}
	}

	/** Absent where nothing can be heard, as without a folder. */
	#listen(changed: () => void): FSWatcher | undefined {
		try {
			return watch(this.#folder, changed).on('error', changed);
		} catch {
			return undefined;
		}
	}
}

async function sleepOrWake(milliseconds: number, signal: AbortSignal): Promise<void> {
	await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
