import type { Page, Reading } from '../pages/page.ts';

/** Of a list that shows others in the place of its rows, less than one in so many stays where it was. */
const fewest = 4;

/** What a list on a page has shown so far. A loop that adds to it reads no rows itself. */
export class ShownRows {
	readonly #page: Pick<Page, 'fingerprint'>;
	readonly #readings: Reading[];
	readonly #shown = new Set<string>();
	/** The rows that there are. */
	#now: string[] = [];
	#holdsAPart = false;
	#most = 0;

	/** `readings`: of the list; none: of the page as a whole. */
	constructor(page: Pick<Page, 'fingerprint'>, readings: Reading[]) {
		this.#page = page;
		this.#readings = readings;
	}

	/** Takes note of what the page shows; whether any of it is new, and whether there are more rows than ever. */
	async add(): Promise<{ isNew: boolean; isLonger: boolean }> {
		const before = this.#shown.size;
		const { each, content } = await this.#page.fingerprint(this.#readings);
		for (const row of this.#readings.length > 0 ? each : [content]) this.#shown.add(row);
		const isNew = this.#shown.size > before;
		const isNoLonger = before > 0 && each.length > 0 && each.length <= this.#now.length;
		// Rows that are filled in stay among those that are as they were.
		const staying = each.filter((row, index) => row === this.#now[index]).length;
		this.#holdsAPart ||= isNew && isNoLonger && staying < each.length / fewest;
		this.#now = each;
		const isLonger = each.length > this.#most;
		this.#most = Math.max(this.#most, each.length);
		return { isNew, isLonger };
	}

	/** Whether it has shown new rows in the place of others. */
	get holdsAPart(): boolean {
		return this.#holdsAPart;
	}
}
