/** A row in a window; `nth`: which one of its content it is. Undefined: that is not known, it may be an earlier one. */
interface Shown {
	row: string;
	nth: number | undefined;
}

/** Rows that a window has to have in common with the one before, to be taken for what follows. */
const overlap = 2;

/**
 * Which rows a list shows that holds only a part of them at a time, as scrolling goes on: one window after the other.
 * One that begins as the one before ends is what follows: its other rows are others, also where they are equal to
 * some that are shown no more. Where nothing new comes behind such, it may be the list that begins again, so they
 * are taken for the earlier ones. Of windows that have nothing in common, equal rows are the same ones.
 */
export class ShownWindows {
	#before: Shown[] = [];
	#now: Shown[] = [];
	#follows = false;
	/** How many of each row there were in all, and how many there are in this window. */
	readonly #inAll = new Map<string, number>();
	#inWindow = new Map<string, number>();

	/** The next window follows. */
	begin(): void {
		if (this.#now.length > 0) this.#before = this.#now;
		[this.#now, this.#follows] = [[], false];
		this.#inWindow = new Map();
	}

	/** Of the next rows of this window, by what is in them, which one of its content each is. */
	next(rows: string[]): number[] {
		const shared = this.#now.length === 0 ? this.#sharedBy(rows) : 0;
		this.#follows ||= shared > 0;
		const known = this.#before.slice(this.#before.length - shared);
		const lastNew = rows.findLastIndex((row) => !this.#inAll.has(row));
		const shown = rows.map((row, place): Shown => {
			const inWindow = (this.#inWindow.get(row) ?? 0) + 1;
			const inAll = this.#inAll.get(row) ?? 0;
			this.#inWindow.set(row, inWindow);
			let nth = known[place]?.nth;
			if (!this.#follows) nth = inWindow;
			else if (place <= lastNew || inWindow > inAll) nth ??= inAll + 1;
			this.#inAll.set(row, Math.max(inAll, nth ?? 0));
			return { row, nth };
		});
		this.#now.push(...shown);
		return shown.map(({ nth = 1 }) => nth);
	}

	/** With how many rows a window begins that the one before ends with: as many as can be. */
	#sharedBy(rows: string[]): number {
		const before = this.#before;
		const least = Math.max(1, Math.min(overlap, before.length));
		for (let count = Math.min(before.length, rows.length); count >= least; count -= 1) {
			// Most places differ in their first row: no part of the list is copied to find that.
			let place = 0;
			while (place < count && before[before.length - count + place]?.row === rows[place])
				place += 1;
			if (place === count) return count;
		}
		return 0;
	}
}
