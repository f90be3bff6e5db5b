import type { Row, RowPlace } from '../pages/page.ts';
import { areAlike, isBeyond, ShownWindows, spacingOf } from './shownWindows.ts';

/** A row of a list that is scrolled through; without a place where that is not known. */
export interface PlacedRow {
	row: Row;
	/** What it says of itself, by which it is told from others. */
	said: Row;
	place: RowPlace | undefined;
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
	/** Whether all of it has been scrolled through, so that no row is still to come into sight. */
	isAtEnd = false;
	/** Rows that are still to come into sight; those of the reading before. */
	#held: PlacedRow[] = [];
	#heldBefore: PlacedRow[] = [];
	/** What was taken, by element; the same of the reading before. */
	#taken = new Map<number, PlacedRow>();
	#takenBefore = new Map<number, PlacedRow>();

	get hasHeld(): boolean {
		return this.#held.length > 0 || this.#heldBefore.length > 0;
	}

	/** The list is read once more. */
	begin(): void {
		this.windows.begin();
		// A reading may have failed.
		this.#heldBefore.push(...this.#held.splice(0));
		if (this.#taken.size > 0) this.#takenBefore = this.#taken;
		this.#taken = new Map();
	}

	/** It is another list: no row of it is one of before. */
	beginAnew(): void {
		this.windows = new ShownWindows();
	}

	/** The rows to be stored of the next ones on the page, in order. `elements`: of all that are read now. */
	take(now: PlacedRow[], elements: ReadonlySet<number>): PlacedRow[] {
		const isUnique = uniqueIn(now);
		const gone = this.#goneOf(now, elements, isUnique);
		const ahead = this.isAtEnd ? -1 : now.findIndex(({ place }) => place?.isAhead);
		const end = this.#held.length > 0 ? 0 : ahead < 0 ? now.length : ahead;
		this.#held.push(...now.slice(end));
		const taken = now.slice(0, end).map((each) => this.#asTaken(each, isUnique));
		for (const each of taken) if (each.place) this.#taken.set(each.place.element, each);
		return [...gone, ...taken];
	}

	/** What is still held, as it was read last. */
	rest(): PlacedRow[] {
		return [...this.#heldBefore.splice(0), ...this.#held.splice(0)];
	}

	/** Of the rows that were held, those that are not there any more. */
	#goneOf(now: PlacedRow[], elements: ReadonlySet<number>, isUnique: IsUnique): PlacedRow[] {
		const held = this.#heldBefore.splice(0);
		if (held.length === 0) return [];
		const here = new Map(now.map((each) => [each.place?.element, each]));
		const equal = Map.groupBy(now, ({ said }) => JSON.stringify(said));
		const equalHeld = Map.groupBy(held, ({ said }) => JSON.stringify(said));
		const apart = spacingOf(now.flatMap(({ place }) => (place ? [place.at] : [])));
		return held.filter((old) => {
			const element = old.place?.element;
			const same = here.get(element);
			if (same ? isSame(old, same, isUnique) : element !== undefined && elements.has(element))
				return false;
			const text = JSON.stringify(old.said);
			const others = equal.get(text) ?? [];
			const isOnly = others.length === 1 && equalHeld.get(text)?.length === 1;
			const place = others.findIndex((each) => isOnly || !isBelow(each, old, apart));
			if (place >= 0) others.splice(place, 1);
			return place < 0;
		});
	}

	/** A row that was taken is as it was then, where its element stands where it stood, though that was scrolled on. */
	#asTaken(now: PlacedRow, isUnique: IsUnique): PlacedRow {
		const before = now.place && this.#takenBefore.get(now.place.element);
		if (!before?.place || !now.place) return now;
		const isScrolled = !areAlike(before.place.seenAt, now.place.seenAt, closeBy);
		if (!isScrolled || !isInPlace(before, now) || !sharesUnique(before, now, isUnique)) return now;
		return { ...before, place: now.place };
	}
}

/** Pixels that are no other place. */
const closeBy: RowPlace['at'] = [8, 8];

function isInPlace(one: PlacedRow, other: PlacedRow): boolean {
	return !!one.place && !!other.place && areAlike(one.place.at, other.place.at, closeBy);
}

function isBelow(one: PlacedRow, other: PlacedRow, apart: RowPlace['at']): boolean {
	return !!one.place && isBeyond(one.place.at, other.place?.at, apart);
}

/** Whether an element that has said the one, and says the other, is that of the same row. */
function isSame(before: PlacedRow, now: PlacedRow, isUnique: IsUnique): boolean {
	const said = Object.entries(before.said).filter(([, value]) => value !== '');
	const isFilled = said.length > 0 && said.every(([id, value]) => now.said[id] === value);
	return isFilled || (isInPlace(before, now) && sharesUnique(before, now, isUnique));
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
