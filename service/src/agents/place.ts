import { createHash } from 'node:crypto';
import type { Page, Row } from '../pages/page.ts';
import type { NewRow } from '../store/rowStore.ts';
import type { Step } from '../tasks/task.ts';

/** Where in a task's steps an agent is. */
export interface Place {
	position: string;
	/** The item of the surrounding list loop. */
	item?: Item;
	/** Values that were read before in the same round, or one around it: they stand in each row. */
	columns?: Row;
	/** Inside a scroll loop, where the rows of earlier rounds are still on the page. */
	scrolling?: boolean;
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
export function linkOfItem({ item }: Place, page: Page): Promise<string> | string {
	if (!item) return page.enteredLink();
	if ('value' in item) return item.value;
	return item.address ?? page.enteredLink();
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
		const scrolling = here.scrolling === true || config.loopType === 'scroll';
		const inside = config.loopType === 'scroll' ? here.position : `${here.position}.0`;
		const found = firstRowPlace(config.steps, { ...here, scrolling, position: inside });
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
	readonly #occurrences = new Map<string, number>();
	#count = 0;

	/** `times`: the ids of fields that say when a row was read, which makes it no other row. */
	constructor(place: Place, times: ReadonlySet<string>) {
		this.#place = place;
		this.#times = times;
	}

	/** The next rows that were read there, with their positions. */
	of(rows: Row[]): NewRow[] {
		return rows.map((row) => {
			const content = JSON.stringify(row);
			return { position: `${this.#place.position}:${this.#next(content, row)}`, content };
		});
	}

	#next(content: string, row: Row): string {
		if (!this.#place.scrolling) return String(this.#count++);
		const same = this.#times.size === 0 ? content : this.#withoutTimes(row);
		const occurrence = (this.#occurrences.get(same) ?? 0) + 1;
		this.#occurrences.set(same, occurrence);
		const hash = createHash('sha256').update(same).digest('base64url');
		return `${hash}:${occurrence}`;
	}

	#withoutTimes(row: Row): string {
		return JSON.stringify(Object.entries(row).filter(([id]) => !this.#times.has(id)));
	}
}
