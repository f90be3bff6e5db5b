import type { EntryStore } from './entryStore';
import { NewerBatches } from './newerBatches';
import type { OpenRead, ReadNumbers } from './readNumbers';
import { questions } from './rowMemory';
import type { DueRow, RowMemory, RowPrint, Taken, Wanted } from './rowMemory';

/** Reads of which it is known whether a key was in them: first the block is found, then the read in it. */
const blockSizes = [256, 16, 1];

/** Blocks of the largest size that are looked at. A key that was in none of these reads is new. */
const maxBlocks = 4;

/** In which read a key was seen last, if in any: of each key that was looked up. */
type LastSeen = Map<string, number | undefined>;

/**
 * Compares rows with the last values of their key: those that it had in the last read in which it was.
 * A key may have several rows; then its last values are those of all of them.
 *
 * Reads are numbered. Each leaves what it knows of its keys under its own number, and no later one asks
 * for a key under an earlier number than its newest. So it does no harm that the store remembers what it
 * is asked: that is always below a number under which the same read leaves the truth (docs/row-memory.md).
 *
 * An older batch than one that was read says nothing of the last values of keys that a newer one had: only
 * its other keys are looked up (`NewerBatches`).
 */
export class LastValues implements RowMemory {
	// All rows of a read may be new, and a new row takes up to eleven entries.
	readonly maxRows = 25_000;

	readonly #store: EntryStore;
	readonly #numbers: ReadNumbers;
	readonly #name: string;
	readonly #newer: NewerBatches;

	constructor(store: EntryStore, numbers: ReadNumbers, name: string) {
		this.#newer = new NewerBatches(store, numbers, name);
		this.#store = store;
		this.#numbers = numbers;
		this.#name = name;
	}

	async take(rows: readonly RowPrint[], wanted: Wanted): Promise<Taken> {
		const read = await this.#numbers.open();
		const { isFirst, newest } = read;
		const { batchTime, isTrial } = wanted;
		const limit = wanted.limit(isFirst);
		const newer = await this.#newer.begin(read, batchTime);
		const older: number[] = [];
		const due: DueRow[] = [];
		const known: RowPrint[] = [];
		const changes = new Map<string, 'changed' | 'new'>();
		const lastSeen: LastSeen = new Map();
		let looked = 0;
		for (const { first, chunk } of questions(rows, due, limit)) {
			await newer.ask(chunk.map(({ key }) => key));
			const isLeftOut = ({ key }: RowPrint) => newer.had(key);
			const judge = await this.#lookUp(
				chunk.filter((row) => !isLeftOut(row)),
				read,
				lastSeen,
			);
			for (const [index, row] of chunk.entries()) {
				if (isLeftOut(row)) {
					older.push(first + index);
					continue;
				}
				const found = judge(row);
				if (found === 'known') known.push(row);
				else {
					// All rows of a new key are new: nothing of it has changed.
					const change = changes.get(row.key) ?? found;
					changes.set(row.key, change);
					due.push({ index: first + index, row, change });
				}
			}
			looked = first + chunk.length;
		}
		const after = Math.max(batchTime ?? 0, newest ?? 0);
		const isNewest = !isTrial && batchTime !== undefined && after !== newest;
		if (isTrial) await this.#close(read, known, due, newer.entries([]));
		else {
			const out = [...known, ...due.map(({ row }) => row)];
			// Of a batch without a time, nothing is known of what is newer: it stays as it was.
			const keys = batchTime === undefined ? [] : out.map(({ key }) => key);
			const closing = { ...read, time: batchTime, newest: isNewest ? after : newest };
			await this.#close(closing, out, [], newer.entries(keys));
		}
		if (isTrial && isFirst) await this.#numbers.forgetBegin();
		return {
			due,
			looked,
			isFirst,
			older,
			...(isNewest && { newest: { before: newest, after } }),
		};
	}

	async giveBack({ due, isFirst, newest }: Taken): Promise<void> {
		if (due.length > 0 || newest) {
			const read = await this.#numbers.open();
			const isStillNewest = newest !== undefined && read.newest === newest.after;
			const closing = isStillNewest ? { ...read, newest: newest.before } : read;
			const unmet = due.flatMap(({ row, change }) => (change === 'new' ? [row.key] : []));
			const newer = await this.#newer.begin(closing, undefined);
			await this.#close(closing, [], due, newer.entries(unmet));
		}
		if (isFirst) await this.#numbers.forgetBegin();
	}

	async #close(
		read: OpenRead,
		known: RowPrint[],
		due: readonly DueRow[],
		ofBatches: readonly string[],
	): Promise<void> {
		const { number } = read;
		const entries = [...ofBatches];
		const add = (key: string) => {
			for (const size of blockSizes) entries.push(this.#seen(key, size, number));
		};
		const out = new Set(known.map(({ key }) => key));
		for (const { key, values } of known) {
			add(key);
			entries.push(this.#had(key, values, number));
		}
		for (const { row, change } of due) {
			add(row.key);
			if (change === 'new' && !out.has(row.key)) entries.push(this.#unknown(row.key, number));
		}
		await this.#numbers.close(read, entries);
	}

	/** What is known of rows from the reads before, and of keys that this read has met before. */
	async #lookUp(
		rows: readonly RowPrint[],
		{ last }: OpenRead,
		lastSeen: LastSeen,
	): Promise<(row: RowPrint) => 'known' | 'changed' | 'new'> {
		if (last === undefined) return () => 'new';
		const unmet = new Set(rows.map(({ key }) => key).filter((key) => !lastSeen.has(key)));
		// Mostly the last read had them all.
		const inLast = await this.#store.record(
			rows
				.filter(({ key }) => unmet.has(key) || lastSeen.get(key) === last)
				.flatMap(({ key, values }) => [
					this.#had(key, values, last),
					...(unmet.has(key) ? [this.#seen(key, 1, last)] : []),
				]),
		);
		const others: string[] = [];
		for (const key of unmet) {
			lastSeen.set(key, inLast.has(this.#seen(key, 1, last)) ? last : undefined);
			if (lastSeen.get(key) === undefined) others.push(key);
		}
		await this.#findBefore(others, last, lastSeen);

		const open = rows.flatMap(({ key, values }) => {
			const number = lastSeen.get(key);
			if (number === undefined || inLast.has(this.#had(key, values, last))) return [];
			return [
				...(number === last ? [] : [this.#had(key, values, number)]),
				...(unmet.has(key) ? [this.#unknown(key, number)] : []),
			];
		});
		const before = await this.#store.record(open);
		return ({ key, values }) => {
			const number = lastSeen.get(key);
			if (number === undefined) return 'new';
			const answers = number === last ? inLast : before;
			if (answers.has(this.#had(key, values, number))) return 'known';
			return before.has(this.#unknown(key, number)) ? 'new' : 'changed';
		};
	}

	/** Finds the newest read before `last` in which each of the keys was. */
	async #findBefore(keys: string[], last: number, found: LastSeen): Promise<void> {
		let places = new Map(keys.map((key) => [key, { first: 0, after: last }]));
		for (const [level, size] of blockSizes.entries()) {
			const candidates = [...places].map(([key, { first, after }]) => {
				const newest = Math.floor((after - 1) / size);
				const oldest = Math.max(Math.floor(first / size), level === 0 ? newest - maxBlocks + 1 : 0);
				const blocks = Array.from({ length: newest - oldest + 1 }, (_block, n) => newest - n);
				return { key, blocks };
			});
			const there = await this.#store.record(
				candidates.flatMap(({ key, blocks }) =>
					blocks.map((block) => this.#seen(key, size, block * size)),
				),
			);
			places = new Map();
			for (const { key, blocks } of candidates) {
				const block = blocks.find((each) => there.has(this.#seen(key, size, each * size)));
				if (block === undefined) continue;
				places.set(key, { first: block * size, after: Math.min((block + 1) * size, last) });
			}
		}
		for (const [key, { first }] of places) found.set(key, first);
	}

	#entry(...parts: Array<string | number>): string {
		return [this.#name, ...parts].join(' ');
	}

	/** The key was in a read of the block that this number is in. */
	#seen(key: string, size: number, number: number): string {
		return this.#entry('seen', key, size, Math.floor(number / size));
	}

	/** The key had these values in this read. */
	#had(key: string, values: string, number: number): string {
		return this.#entry('had', key, values, number);
	}

	/** The key was in this read, and is to come out as new: none of its rows came out, or all were given back. */
	#unknown(key: string, number: number): string {
		return this.#entry('unknown', key, number);
	}
}
