import type { EntryStore } from './entryStore';
import type { OpenRead, ReadNumbers } from './readNumbers';

/** What a read knows of the batches that were created after its own. */
export interface OfNewer {
	/** Asks for keys; what is asked for counts as met from now on. */
	ask(keys: readonly string[]): Promise<void>;
	/** Whether a newer batch had a key that was asked for. */
	had(key: string): boolean;
	/** What this read leaves: the keys that it had, and those that are asked for, with what is known of them. */
	entries(keys: readonly string[]): string[];
}

/**
 * Tells which keys of a batch a later created one had, of the last reads.
 *
 * A read leaves each key that it had under its number, and when its batch was created. So of an older batch
 * a key is asked for under the numbers of the reads of newer ones, and of all behind the first of them. What
 * is asked for is remembered: so only the last read that is found tells the truth of a key, and the older one
 * that asks leaves it under its own number, with the read of a newer batch that had it (`behind`).
 */
export class NewerBatches {
	readonly #store: EntryStore;
	readonly #numbers: ReadNumbers;
	readonly #name: string;

	constructor(store: EntryStore, numbers: ReadNumbers, name: string) {
		this.#store = store;
		this.#numbers = numbers;
		this.#name = name;
	}

	/** For a read of a batch that was created then, if that is known. */
	async begin(read: OpenRead, batchTime: number | undefined): Promise<OfNewer> {
		const { number, newest } = read;
		const isOlder = newest !== undefined && batchTime !== undefined && batchTime < newest;
		const times = isOlder ? await this.#numbers.times(read) : new Map<number, number>();
		const isLater = (each: number, than = -Infinity) => (times.get(each) ?? -Infinity) > than;
		const newer = [...times.keys()].filter((each) => isLater(each, batchTime));
		const asked = [...times.keys()]
			.filter((each) => newer.length > 0 && each >= newer[0])
			.reverse();
		/** Of each key that was asked for and met: the read of the newest batch that had it, if any is known. */
		const met = new Map<string, number | undefined>();
		const askedKeys = new Set<string>();
		const ask = async (keys: readonly string[]) => {
			const unasked = [...new Set(keys)].filter((key) => !askedKeys.has(key));
			for (const key of unasked) askedKeys.add(key);
			const there = await this.#store.record(
				unasked.flatMap((key) => asked.map((each) => this.#had(key, each))),
			);
			const last = unasked.flatMap((key) => {
				const found = asked.find((each) => there.has(this.#had(key, each)));
				return found === undefined ? [] : [{ key, found }];
			});
			const before = (found: number) =>
				newer.filter((each) => each < found && isLater(each, times.get(found)));
			const behind = await this.#store.record(
				last.flatMap(({ key, found }) =>
					before(found).map((each) => this.#behind(key, found, each)),
				),
			);
			for (const { key, found } of last) {
				const known = before(found).find((each) => behind.has(this.#behind(key, found, each)));
				met.set(key, known ?? found);
			}
		};
		const had = (key: string) => isLater(met.get(key) ?? NaN, batchTime);
		return {
			ask: async (keys) => {
				if (asked.length > 0) await ask(keys);
			},
			had,
			entries: (keys) => {
				const out = new Set(keys);
				return [
					...[...new Set([...out, ...askedKeys])].map((key) => this.#had(key, number)),
					...[...met].flatMap(([key, found]) =>
						out.has(key) || found === undefined ? [] : [this.#behind(key, number, found)],
					),
				];
			},
		};
	}

	/** The key was in this read, or was asked for by a later one that had it, too. */
	#had(key: string, number: number): string {
		return [this.#name, 'in', key, number].join(' ');
	}

	/** The key was in the older batch of this read, and in the newer one of another before. */
	#behind(key: string, number: number, newer: number): string {
		return [this.#name, 'behind', key, number, newer].join(' ');
	}
}
