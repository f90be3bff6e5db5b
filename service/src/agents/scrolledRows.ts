import type { Row, RowPlace } from '../pages/page.ts';
import { saysAnything } from '../text/saysAnything.ts';
import { areAlike, ShownWindows } from './shownWindows.ts';

/** A row of a list that is scrolled through; without a place where that is not known. */
export interface PlacedRow {
	row: Row;
	/** What it says of itself, by which it is told from others. */
	said: Row;
	place: RowPlace | undefined;
}

/** With what it is called among those of its list. */
export interface NamedRow extends PlacedRow {
	name: string;
}

/** What a row is called by its content, and by which one of that it is. */
export function nameOfRow(content: string, nth: number): string {
	return `${content}:${nth}`;
}

function isFirst(name: string): boolean {
	return name.endsWith(':1');
}

/** A document that is open, at its address. */
export interface OpenDocument {
	/** What tells it from others, also of the same address. */
	id: unknown;
	address: string;
}

/** Whether no other row says the same in this column. */
type IsUnique = (column: string, value: string) => boolean;

/**
 * The rows of a list that a loop by scroll goes through. Scripts fill in a part of a row as it comes into sight, as its
 * picture, and may change others later. So a row is taken once it has come into sight, or has gone without; and is that
 * row from then on, whatever its element says later.
 */
export class ScrolledRows {
	windows = new ShownWindows();
	/** Rows that are still to come into sight; those of the reading before. */
	#held: NamedRow[] = [];
	#heldBefore: NamedRow[] = [];
	/** What was taken, by element; the same of the reading before. */
	#taken = new Map<number, PlacedRow>();
	#takenBefore = new Map<number, PlacedRow>();
	/** The document that it was read in. */
	#document: OpenDocument | undefined;
	/** Of what was stored, the first of each content. */
	readonly #stored = new Set<string>();
	#storesNew = false;
	/** Whether the list gets longer as it is scrolled, as a feed does. */
	mayGoOn = false;

	/** Whether any of the rows that were stored last says what none has said before, or the list has an end, however often. */
	get hasNew(): boolean {
		return this.#storesNew || !this.mayGoOn;
	}

	/** Rows with these names are stored. */
	noteStored(names: string[]): void {
		const first = names.filter(isFirst).filter((name) => !this.#stored.has(name));
		this.#storesNew = first.length > 0;
		for (const name of first) this.#stored.add(name);
	}

	get hasHeld(): boolean {
		return this.#held.length > 0 || this.#heldBefore.length > 0;
	}

	/** The list is read once more. */
	begin(): void {
		this.windows.begin();
		// A reading may have failed.
		this.#heldBefore = [...this.#heldBefore, ...this.#held.splice(0)];
		if (this.#taken.size > 0) this.#takenBefore = this.#taken;
		this.#taken = new Map();
	}

	/** It is another list: no row of it is one of before. */
	beginAnew(): void {
		this.windows = new ShownWindows();
		this.#stored.clear();
		this.mayGoOn = false;
	}

	/**
	 * The document that it is read in now. One that was opened again, as where its browser has ended, shows the list from its
	 * start: the rows come again, under the names that they had, and those that were held as well.
	 */
	isReadIn(now: OpenDocument): void {
		const before = this.#document;
		this.#document = now;
		if (!before || before.id === now.id) return;
		this.beginAnew();
		this.#takenBefore.clear();
		if (before.address === now.address) this.#heldBefore = [];
	}

	/** The next rows on the page; one that was taken is as it was then, where its element stands where it stood, though that was scrolled on. */
	asTaken(now: PlacedRow[]): PlacedRow[] {
		const isUnique = uniqueIn(now);
		return now.map((each) => {
			const before = each.place && this.#takenBefore.get(each.place.element);
			if (!before?.place || !each.place || !isInPlace(before, each)) return each;
			const isScrolled = !areAlike(before.place.seenAt, each.place.seenAt, closeBy);
			if (!isScrolled || !sharesUnique(before, each, isUnique)) return each;
			return { ...before, place: each.place };
		});
	}

	/**
	 * The rows to be stored of the next ones on the page, in order. `elements`: of all that are read now; at the end
	 * none is still to come into sight.
	 */
	take(
		now: NamedRow[],
		{ elements, isAtEnd }: { elements: ReadonlySet<number>; isAtEnd: boolean },
	): NamedRow[] {
		const gone = this.#goneOf(now, elements);
		const ahead = isAtEnd ? -1 : now.findIndex(({ place }) => place?.isAhead);
		const end = this.#held.length > 0 ? 0 : ahead < 0 ? now.length : ahead;
		this.#held.push(...now.slice(end));
		const taken = now.slice(0, end);
		for (const each of taken) if (each.place) this.#taken.set(each.place.element, each);
		return [...gone, ...taken];
	}

	/** What is still held, as it was read last. */
	rest(): NamedRow[] {
		return [...this.#heldBefore.splice(0), ...this.#held.splice(0)];
	}

	/** Of the rows that were held, those that are not there any more. */
	#goneOf(now: NamedRow[], elements: ReadonlySet<number>): NamedRow[] {
		const held = this.#heldBefore.splice(0);
		if (held.length === 0) return [];
		const isUnique = uniqueIn(now);
		const here = new Map(now.map((each) => [each.place?.element, each]));
		const names = new Set(now.map(({ name }) => name));
		return held.filter((old) => {
			// Nothing has come of what only holds its place.
			if (!Object.values(old.said).some(saysAnything)) return false;
			const element = old.place?.element;
			const same = here.get(element);
			if (same && isSame(old, same, isUnique)) return false;
			// It is one of those that come next.
			if (!same && element !== undefined && elements.has(element)) return false;
			return !names.has(old.name);
		});
	}
}

/** Pixels that are no other place. */
const closeBy: RowPlace['at'] = [8, 8];

function isInPlace(one: PlacedRow, other: PlacedRow): boolean {
	return !!one.place && !!other.place && areAlike(one.place.at, other.place.at, closeBy);
}

/**
 * Whether an element that was still to come into sight, and has said the one, is that of the same row where it says the
 * other. What is above it may have got higher meanwhile, so its place does not tell.
 */
function isSame(before: PlacedRow, now: PlacedRow, isUnique: IsUnique): boolean {
	const said = Object.entries(before.said).filter(([, value]) => saysAnything(value));
	const kept = said.filter(([id, value]) => now.said[id] === value);
	const isFilled = kept.length > 0 && kept.length === said.length;
	return isFilled || (2 * kept.length >= said.length && sharesUnique(before, now, isUnique));
}

function sharesUnique(before: PlacedRow, now: PlacedRow, isUnique: IsUnique): boolean {
	return Object.entries(before.said).some(
		([id, value]) => value !== '' && now.said[id] === value && isUnique(id, value),
	);
}

function uniqueIn(rows: PlacedRow[]): IsUnique {
	const times = new Map<string, number>();
	const key = (column: string, value: string) => `${column}\n${value}`;
	for (const { said } of rows) {
		for (const [id, value] of Object.entries(said)) {
			times.set(key(id, value), (times.get(key(id, value)) ?? 0) + 1);
		}
	}
	return (column, value) => times.get(key(column, value)) === 1;
}
