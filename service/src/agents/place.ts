import { createHash } from 'node:crypto';
import type { Mark, Page, Row, RowPlace } from '../pages/page.ts';
import type { NewRow } from '../store/rowStore.ts';
import { givesRows, type NavigateStep, type Step } from '../tasks/task.ts';
import { shortened } from '../text/shortened.ts';
import { isSameAddress, withoutFragment } from '../text/withoutFragment.ts';
import type { Link } from './actions.ts';
import {
	nameOfRow,
	ScrolledRows,
	type NamedRow,
	type OpenDocument,
	type PlacedRow,
} from './scrolledRows.ts';

/** Where in a task's steps an agent is. */
export interface Place {
	position: string;
	/** The item of the surrounding list loop. */
	item?: Item;
	/** For people, with those around it: see `inItems`. Absent: there is none. */
	within?: string;
	/** Values that were read before in the same round, or one around it: they stand in each row. */
	columns?: Row;
	/** Inside a scroll loop, where the rows of earlier rounds may still be on the page. */
	scrolling?: Scrolling;
}

/** What a scroll loop has shown. */
export interface Scrolling {
	/** Where the loop is in the steps. */
	position: string;
	/** By position of what has read it. */
	lists: Map<string, ScrolledRows>;
	/** Whether all of it has been scrolled through, so that no row is still to come into sight. */
	isAtEnd?: boolean;
}

/**
 * A URL or text, or an element of the page: with its text where a field wants that, what it is known by if where it leads
 * to is opened at once, the address of the page that it is on, and the position of its round.
 */
export type Item = { value: string } | ElementItem;

interface ElementItem {
	element: true;
	text: string;
	mark?: Mark | undefined;
	page: string;
	position: string;
}

/** What a field with the source "loopItem" says. */
export function itemText(item: Item | undefined): string {
	if (!item) return '';
	return 'value' in item ? item.value : item.text;
}

/** Where a step leads to: to its address, or where the item of the round leads to on the open page, the URL that it is, or what its element links to. */
export async function linkOfStep(
	{ config }: NavigateStep,
	{ item }: Place,
	page: Page,
): Promise<Link> {
	if ('url' in config) return config;
	if (item && 'value' in item) return { url: item.value };
	const url = item?.mark?.address ?? (await page.enteredLink());
	if (!item) return { url };
	const mayStay = withoutFragment(item.page) === withoutFragment(url);
	const isItself = isSameAddress(url, item.page);
	const name = isItself ? (item.mark?.name ?? (await page.enteredText())) : '';
	return { url, mayStay, doubt: withoutOwnPage(name) };
}

/** Of an element that leads to the page that it is on, unless it is but a number, as in a pager. */
function withoutOwnPage(name: string): string | undefined {
	if (!/\p{L}/u.test(name)) return undefined;
	return `the link of "${shortened(name, 60)}" leads to the page that it is on: what is read behind it is of that page, and nothing of its own`;
}

/** The text that the item of the round is, or that its element on the open page has. */
export function textOfItem({ item }: Place, page: Page): Promise<string> | string {
	return item && 'value' in item ? item.value : page.enteredText();
}

/**
 * What tells the page that is read at a place, and has this address, from others: of the elements of one
 * page, each round reads a part.
 */
export function pageAt(place: Place, address: string): string {
	const isPart = entryAt(place, address) !== undefined;
	return `${address} ${isPart ? place.position.replace(/\.\d+[^.]*$/, '') : place.position}`;
}

/** What tells the element of the page with this address, of which a part is read at a place, from the others there. */
export function entryAt({ item }: Place, address: string): string | undefined {
	return item && 'element' in item && item.page === address ? item.position : undefined;
}

/** Where the first row of the steps from `from` on is read, if one of them gives rows. */
export function firstRowPlace(steps: Step[], place: Place, from = 0): Place | undefined {
	for (const [index, step] of steps.entries()) {
		if (index < from) continue;
		const here = { ...place, position: `${place.position}/${index}` };
		if (givesRows(step)) return here;
		if (step.type !== 'loop') continue;
		const { config } = step;
		const inside = config.loopType === 'scroll' ? here.position : `${here.position}.0`;
		const begun = { position: here.position, lists: new Map<string, ScrolledRows>() };
		const scrolling = here.scrolling ?? (config.loopType === 'scroll' ? begun : undefined);
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
	readonly #list: ScrolledRows | undefined;
	/** Whether the loop by scroll itself reads them, and not a loop inside of it. */
	readonly #isOfLoop: boolean;
	/** The ids of fields that do not say which row it is. */
	readonly #others: ReadonlySet<string>;
	/** What the rows are called that are to be stored next. */
	readonly #names: string[] = [];
	#read = 0;
	#count = 0;

	/** `ofPage`: the ids of fields that say something of the page, or of the time, and make of no row another one. */
	constructor(place: Place, ofPage: ReadonlySet<string>) {
		const { scrolling, position, columns } = place;
		this.#place = place;
		this.#others = new Set([...ofPage, ...Object.keys(columns ?? {})]);
		this.#list = scrolling?.lists.get(position) ?? (scrolling && new ScrolledRows());
		if (this.#list) scrolling?.lists.set(position, this.#list);
		this.#isOfLoop = /^\/\d+$/.test(position.slice(scrolling?.position.length));
		this.#list?.begin();
	}

	/** Whether the rows that came last may be others than all before: a feed may show the same ones again and again. */
	get haveNew(): boolean {
		return this.#list?.hasNew ?? true;
	}

	/** Of rows that were read next, those that are to be stored now. `places`: of all that are read here; `document`: where that is. */
	take(rows: Row[], { places, document }: { places: RowPlace[]; document: OpenDocument }): Row[] {
		if (!this.#list) return rows;
		if (this.#isOfLoop) this.#list.isReadIn(document);
		const now = rows.map((row, index): PlacedRow => ({
			row,
			said: this.#saidBy(row),
			place: places[this.#read + index],
		}));
		this.#read += rows.length;
		const elements = new Set(places.map(({ element }) => element));
		const read = this.#isOfLoop ? this.#list.asTaken(now) : now;
		const names = this.#shown(read, this.#list);
		const named = read.map((each, index) => ({ ...each, name: names[index] ?? '' }));
		if (!this.#isOfLoop) return this.#named(named);
		const { isAtEnd = false } = this.#place.scrolling ?? {};
		return this.#named(this.#list.take(named, { elements, isAtEnd }));
	}

	/** What was still to come into sight. */
	rest(): Row[] {
		return this.#named(this.#list?.rest() ?? []);
	}

	/** The next rows that are to be stored, with their positions. */
	of(rows: Row[]): NewRow[] {
		const names = this.#names.splice(0, rows.length);
		const list = this.#list;
		// Of columns that stand in the place of a row that has not come, too.
		const own = () => rows.map((row) => ({ row, said: this.#saidBy(row), place: undefined }));
		if (names.length === 0) {
			names.push(...(list ? this.#shown(own(), list) : rows.map(() => String(this.#count++))));
			list?.noteStored(names);
		}
		return rows.map((row, index) => ({
			position: `${this.#place.position}:${names[index]}`,
			content: JSON.stringify(row),
		}));
	}

	#named(rows: NamedRow[]): Row[] {
		const names = rows.map(({ name }) => name);
		this.#list?.noteStored(names);
		this.#names.push(...names);
		return rows.map(({ row }) => row);
	}

	#shown(rows: PlacedRow[], { windows }: ScrolledRows): string[] {
		const hashes = rows.map(({ said }) =>
			createHash('sha256').update(JSON.stringify(said)).digest('base64url'),
		);
		const at = rows.flatMap(({ place }) => (place ? [place.at] : []));
		const nths = windows.next(hashes, at.length === rows.length ? at : []);
		return hashes.map((hash, index) => nameOfRow(hash, nths[index] ?? 1));
	}

	/** Where it says nothing of itself, all that it says. */
	#saidBy(row: Row): Row {
		const own = Object.entries(row).filter(([id]) => !this.#others.has(id));
		return own.length > 0 ? Object.fromEntries(own) : row;
	}
}
