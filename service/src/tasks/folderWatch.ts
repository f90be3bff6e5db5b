import { watch, type FSWatcher } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two looks at a whole folder. */
const pause = 500;

/** Milliseconds for an editor to come to the end of what it does with a file. */
const settling = 50;

/** Looks at the files of these names, or at the whole folder. */
type Look = (names?: string[]) => Promise<void>;

/**
 * Looks at a folder again and again: at what the file system tells of as soon as it does, and at all of
 * it now and then, since it does not tell of everything (what links lead to, folders of networks, a
 * folder that is made again). Where that takes long it is done less often.
 */
export class FolderWatch {
	readonly #folder: string;
	readonly #look: Look;
	readonly #ended: Promise<void>;
	/** Aborted as soon as there is something to do. */
	#wake = new AbortController();
	/** What was told of and not looked at yet; undefined stands for the whole folder. */
	readonly #told = new Set<string | undefined>();
	#isClosed = false;

	/** `look` must not fail. */
	constructor(folder: string, look: Look) {
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
			const watcher = this.#listen();
			this.#told.clear();
			const start = performance.now();
			await this.#look();
			const took = performance.now() - start;
			// Without a folder nothing can be heard; it may have come meanwhile.
			const rest = watcher ? Math.max(pause, 10 * took) : pause;
			await this.#lookAtWhatIsTold(performance.now() + rest);
			watcher?.close();
		}
	}

	/** Until that time, or until the whole folder has to be looked at. */
	async #lookAtWhatIsTold(end: number): Promise<void> {
		for (let left = end - performance.now(); left > 0; left = end - performance.now()) {
			if (this.#told.size === 0) await this.#sleep(left);
			if (this.#told.size > 0) await this.#sleep(settling);
			if (this.#isClosed || this.#told.has(undefined)) return;
			const names = [...this.#told].filter((name) => name !== undefined);
			this.#told.clear();
			if (names.length > 0) await this.#look(names);
		}
	}

	/** Absent where nothing can be heard, as without a folder. */
	#listen(): FSWatcher | undefined {
		const tell = (name?: string): void => {
			this.#told.add(name);
			this.#wake.abort();
		};
		try {
			const watcher = watch(this.#folder, (_event, name) =>
				// What happens to the folder itself has its own name.
				tell(name === null || name === basename(this.#folder) ? undefined : name),
			);
			return watcher.on('error', () => tell());
		} catch {
			return undefined;
		}
	}

	/** Ends early when something is told, or at the close. */
	async #sleep(milliseconds: number): Promise<void> {
		if (this.#isClosed) return;
		this.#wake = new AbortController();
		await sleep(milliseconds, undefined, { signal: this.#wake.signal }).catch(() => undefined);
	}
}
