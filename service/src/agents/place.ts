import { createHash } from 'node:crypto';
import type { Offset, Page, Row } from '../pages/page.ts';
import type { NewRow } from '../store/rowStore.ts';
import type { Step } from '../tasks/task.ts';
import { withoutFragment } from '../text/withoutFragment.ts';
import type { Link } from './actions.ts';
import { ShownWindows } from './shownWindows.ts';

/** Where in a task's steps an agent is. */
export interface Place {
	position: string;
	/** The item of the surrounding list loop. */
	item?: Item;
	/** Values that were read before in the same round, or one around it: they stand in each row. */
	columns?: Row;
	/** Inside a scroll loop, where the rows of earlier rounds may still be on the page: what it has shown, by position. */
	scrolling?: Map<string, ShownWindows>;
}

/**
 * A URL or text, or an element of the page: with its text where a field wants that, where it leads to if it
 * is opened at once, and the address of the page that it is on.
 */
export type Item =
	{ value: string } | { element: true; text: string; address?: string | undefined; page: string };

/** What a field with the source "loopItem" says. */
export function itemText(item: Item | undefined): string {
	if (!item) return '';
	return 'value' in item ? item.value : item.text;
}

/** Where the item of the round leads to on the open page: the URL that it is, or what its element links to. */
export async function linkOfItem({ item }: Place, page: Page): Promise<Link> {
	if (item && 'value' in item) return { url: item.value };
	const url = item?.address ?? (await page.enteredLink());
	return { url, mayStay: item && withoutFragment(item.page) === withoutFragment(url) };
}

/** The text that the item of the round is, or that its element on the open page has. */
export function textOfItem({ item }: Place, page: Page): Promise<string> | string {
	return item && 'value' in item ? item.value : page.enteredText();
}

/**
 * What tells the page that is read at a place, and has this address, from others: of the elements of one
 * page, each round reads a part.
 */
export function pageAt({ position, item }: Place, address: string): string {
	const isPart = item !== undefined && 'element' in item && item.page === address;
	return `${address} ${isPart ? position.replace(/\.\d+[^.]*$/, '') : position}`;
}

/** Where the first row of the steps from `from` on is read, if one of them gives rows. */
export function firstRowPlace(steps: Step[], place: Place, from = 0): Place | undefined {
	for (const [index, { type, config }] of steps.entries()) {
		if (index < from) continue;
		const here = { ...place, position: `${place.position}/${index}` };
		if (type === 'extractData' && config.emit !== false) return here;
		if (type !== 'loop') continue;
		const inside = config.loopType === 'scroll' ? here.position : `${here.position}.0`;
		const scrolling = here.scrolling ?? (config.loopType === 'scroll' ? new Map() : undefined);
		const found = firstRowPlace(config.steps, {
			...here,
			position: inside,
			...(scrolling && { scrolling }),
		});
		if (found) return found;
	}
	return undefined;
}

/**
 * The positions of the rows that are read at one place. While scrolling, the rows of earlier rounds
 * come again, wherever they are on the page then: there a position is the row's content and which one
 * of that content it is.
 */
export class Positions {
	readonly #place: Place;
	readonly #times: ReadonlySet<string>;
	readonly #windows: ShownWindows | undefined;
	readonly #offsets: () => Offset[];
	#count = 0;

	/**
	 * `times`: the ids of fields that say when a row was read, which makes it no other row. `offsets`: where the rows are,
	 * from the first on.
	 */
	constructor(place: Place, times: ReadonlySet<string>, offsets: () => Offset[]) {
		this.#place = place;
		this.#times = times;
		this.#offsets = offsets;
		const { scrolling, position } = place;
		this.#windows = scrolling?.get(position) ?? (scrolling && new ShownWindows());
		if (this.#windows) scrolling?.set(position, this.#windows);
		this.#windows?.begin();
	}

	/** Whether the rows that came last may be others than all before: a feed may show the same ones again and again. */
	get haveNew(): boolean {
		return this.#windows?.hasNew ?? true;
	}

	/** The next rows that were read there, with their positions. */
	of(rows: Row[]): NewRow[] {
		const contents = rows.map((row) => JSON.stringify(row));
		const names = this.#windows ? this.#shown(rows, contents, this.#windows) : this.#counted(rows);
		return contents.map((content, index) => ({
			position: `${this.#place.position}:${names[index]}`,
			content,
		}));
	}

	#counted(rows: Row[]): string[] {
		return rows.map(() => String(this.#count++));
	}

	#shown(rows: Row[], contents: string[], windows: ShownWindows): string[] {
		const same = this.#times.size === 0 ? contents : rows.map((row) => this.#withoutTimes(row));
		const hashes = same.map((text) => createHash('sha256').update(text).digest('base64url'));
		const nths = windows.next(hashes, this.#offsets().slice(this.#count));
		this.#count += rows.length;
		return hashes.map((hash, index) => `${hash}:${nths[index]}`);
	}

	#withoutTimes(row: Row): string {
		return JSON.stringify(Object.entries(row).filter(([id]) => !this.#times.has(id)));
	}
}
