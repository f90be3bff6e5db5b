import type { Offset } from '../pages/page.ts';

/** A row in a window; `nth`: which one of its content it is. Undefined: that is not known, it may be an earlier one. */
interface Shown {
	row: string;
	nth: number | undefined;
	at: Offset | undefined;
}

/** Rows that a window has to have in common with the one before, to be taken for what follows. */
const overlap = 2;

/** Pixels by which rows are apart at least. */
const closest: Offset = [2, 2];

/**
 * Which rows a list shows that holds only a part of them at a time, as scrolling goes on: one window after the other.
 * One that begins as the one before ends is what follows: its other rows are others, also where they are equal to
 * some that are shown no more. Where they stand tells most: as many are those of before as stand where these stood, and
 * what stands beyond all of before is new. Where places do not tell, as in lists that move their rows, and nothing new comes
 * behind such rows, it may be the list that begins again, so they are taken for the earlier ones. Of windows that have
 * nothing in common, equal rows are the same ones, unless the one stands beyond the other.
 */
export class ShownWindows {
	#before: Shown[] = [];
	#now: Shown[] = [];
	#follows = false;
	/** How far the windows before have reached. */
	#end: Offset | undefined;
	/** From where rows stand now to where they stood at first. */
	#moved: Offset = [0, 0];
	/** How many of each row there were in all, and how many there are in this window. */
	readonly #inAll = new Map<string, number>();
	#inWindow = new Map<string, number>();

	/** The next window follows. */
	begin(): void {
		if (this.#now.length > 0) this.#before = this.#now;
		for (const { at } of this.#now) if (at && isBeyond(at, this.#end, closest)) this.#end = at;
		[this.#now, this.#follows] = [[], false];
		this.#inWindow = new Map();
	}

	/** Of the next rows of this window, by what is in them, which one of its content each is. `at`: where they are, if that is known. */
	next(rows: string[], seenAt: Offset[] = []): number[] {
		let at = seenAt.map((each) => movedBy(each, this.#moved));
		const shared = this.#now.length === 0 ? this.#sharedBy(rows, at) : 0;
		if (shared > 0) at = this.#putBack(at, shared);
		const apart = apartIn(at);
		this.#follows ||= shared > 0 || this.#isFarther(at[0], apart);
		const known = this.#before.slice(this.#before.length - shared);
		const lastNew = rows.findLastIndex((row) => !this.#inAll.has(row));
		const shown = rows.map((row, place): Shown => {
			const inWindow = (this.#inWindow.get(row) ?? 0) + 1;
			const inAll = this.#inAll.get(row) ?? 0;
			this.#inWindow.set(row, inWindow);
			const here = at[place];
			const isNew = place <= lastNew || inWindow > inAll || this.#isFarther(here, apart);
			let nth = known[place]?.nth;
			if (!this.#follows) nth = inWindow;
			else if (isNew) nth ??= inAll + 1;
			this.#inAll.set(row, Math.max(inAll, nth ?? 0));
			return { row, nth, at: here };
		});
		this.#now.push(...shown);
		return shown.map(({ nth = 1 }) => nth);
	}

	/** What stands above a list may go or come, as a header that collapses: that moves all rows by as much. */
	#putBack(at: Offset[], shared: number): Offset[] {
		const [was, is, last] = [this.#before.at(-shared)?.at, at[0], at.at(-1)];
		const apart = apartIn(at);
		// A list that moves its rows instead of scrolling has them in the same places each time.
		if (!was || !is || areAlike(was, is, apart) || !this.#isFarther(last, apart)) return at;
		const back: Offset = [was[0] - is[0], was[1] - is[1]];
		this.#moved = movedBy(this.#moved, back);
		return at.map((each) => movedBy(each, back));
	}

	/** Whether a row stands beyond all of the windows before, in a list with rows so far apart. */
	#isFarther(here: Offset | undefined, apart: Offset): boolean {
		return here !== undefined && this.#end !== undefined && isBeyond(here, this.#end, apart);
	}

	/** With how many rows a window begins that the one before ends with: as many as stand where these stood, else as many as can be. */
	#sharedBy(rows: string[], at: Offset[]): number {
		const before = this.#before;
		const least = Math.max(1, Math.min(overlap, before.length));
		const matching: number[] = [];
		for (let count = Math.min(before.length, rows.length); count >= 1; count -= 1) {
			const ends = before.length - count;
			// Most places differ in their first row: no part of the list is copied to find that.
			let place = 0;
			while (place < count && before[ends + place]?.row === rows[place]) place += 1;
			if (place < count) continue;
			const [last, first] = [before[ends]?.at, at[0]];
			if (last && first && areAlike(last, first, apartIn(at))) return count;
			matching.push(count);
		}
		const [most = 0] = matching;
		// Equal rows fit in several ways: what stands beyond all of before is others then.
		const isOpen = matching.length > 1 && this.#isFarther(at[0], apartIn(at));
		return most >= least && !isOpen ? most : 0;
	}
}

function movedBy([left, top]: Offset, [across, down]: Offset): Offset {
	return [left + across, top + down];
}

/** Whether two offsets are those of one row, in a list with rows so far apart: places of what is not seen yet are guessed. */
export function areAlike(one: Offset, other: Offset, apart: Offset): boolean {
	return one.every(
		(each, axis) => Math.abs(each - (other[axis] ?? NaN)) < (apart[axis] ?? NaN) / 2,
	);
}

/** Whether an offset is below another one, or beside that and farther on. */
function isBeyond([left, top]: Offset, end: Offset | undefined, [across, down]: Offset): boolean {
	if (!end) return true;
	return top >= end[1] + down / 2 || (top > end[1] - down / 2 && left >= end[0] + across / 2);
}

/** How far rows are apart at least, from left to right and from top to bottom. */
function apartIn(at: Offset[]): Offset {
	const least = (axis: 0 | 1) => {
		const steps = at.slice(1).map((each, index) => Math.abs(each[axis] - (at[index]?.[axis] ?? 0)));
		const farEnough = steps.filter((step) => step >= closest[axis]);
		return farEnough.length > 0 ? Math.min(...farEnough) : closest[axis];
	};
	return [least(0), least(1)];
}
