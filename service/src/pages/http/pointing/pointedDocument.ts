import type { Document, Element } from 'domhandler';
import { PageError } from '../../page.ts';
import { innerText } from '../innerText.ts';
import { linkOf } from '../links.ts';
import { all, first } from '../select.ts';
import { columnOf } from './column.ts';
import { nameOf } from './columnName.ts';
import { listOf } from './entries.ts';
import { foundNext, labelOf, type FoundNext } from './nextLink.ts';
import { elementOf, numberOf } from './numbering.ts';
import { pictureAttributeOf, type PictureAttribute } from './pictureAddress.ts';
import { selectorOfElement, selectorOfList } from './selectorOf.ts';
import { ancestorsOf } from './tree.ts';

/** A column that was found by an element of it. */
export interface FoundColumn {
	name: string;
	/** Whether the element is a picture. */
	isPicture: boolean;
	/** Where each is to be found that the column can hold. */
	selectors: {
		text: FoundSelector;
		href?: FoundSelector;
		src?: FoundPicture;
		datetime?: FoundSelector;
	};
}

/** Inside of an entry, or on the page without entries; without a selector: the entry itself. */
export interface FoundSelector {
	selector: string | undefined;
}

/** A picture, and the attribute that says where it is. */
export interface FoundPicture extends FoundSelector {
	attribute: PictureAttribute;
}

/** The selector of the list that two elements stand for; undefined if they are not alike. */
export function foundList(page: Document, one: number, another: number): string | undefined {
	const [a, b] = [elementAt(page, one), elementAt(page, another)];
	if (a === b) throw new PageError('This is the same thing twice: point at another one like it.');
	const list = listOf(a, b);
	return list && selectorOfList(list, page);
}

/** An element of an entry stands for a column; `entries`: their selector, without which the page is one. */
export function foundColumn(
	page: Document,
	entries: string | undefined,
	number: number,
): FoundColumn {
	const element = elementAt(page, number);
	const isPicture = element.name === 'img';
	if (entries === undefined) {
		const onPage = (each: Element) => ({ selector: selectorOfElement(each, page) });
		const selectors = { text: onPage(element), ...linkPictureAndTime(element, [page], onPage) };
		return { name: nameOf(element), isPicture, selectors };
	}
	const found = all(entries, page);
	const around = new Set([element, ...ancestorsOf(element)]);
	const entry = found.find((each) => around.has(each));
	if (!entry) {
		throw new PageError('This is in no entry of the list: point at something inside of one.');
	}
	const inEntry = (each: Element) => {
		const isInside = each === entry || ancestorsOf(each).includes(entry);
		return isInside
			? { selector: columnOf(each, entry, found, { isExact: true }).selector }
			: undefined;
	};
	const { selector, name } = columnOf(element, entry, found);
	return {
		name,
		isPicture,
		selectors: { text: { selector }, ...linkPictureAndTime(element, found, inEntry) },
	};
}

/** Where the link, the picture and the time for machines are to be found that an element is or has; `roots`: the entries, or the page. */
function linkPictureAndTime(
	element: Element,
	roots: (Element | Document)[],
	selectorOf: (element: Element) => FoundSelector | undefined,
): Omit<FoundColumn['selectors'], 'text'> {
	const link = linkOf(element);
	const picture = element.name === 'img' ? element : first('img', element);
	const href = link && selectorOf(link);
	const src = picture && selectorOf(picture);
	const time =
		[element, ...ancestorsOf(element).slice(0, 1)].find(isTime) ?? first(timeTag, element);
	const datetime = time && selectorOf(time);
	const found = { ...(href && { href }), ...(datetime && { datetime }) };
	if (!src) return found;
	const { selector } = src;
	const alike = roots.map((root) => (selector === undefined ? undefined : first(selector, root)));
	const pictures = [picture, ...alike].filter((each) => each !== undefined);
	return { ...found, src: { selector, attribute: pictureAttributeOf(pictures) } };
}

/** A time that says itself for machines, too. */
const timeTag = 'time[datetime]';

function isTime({ name, attribs }: Element): boolean {
	return name === 'time' && attribs.datetime !== undefined;
}

/** A single element: a selector that finds it, and its text as people read it. */
export interface FoundElement {
	selector: string;
	text: string;
}

export function foundElement(page: Document, number: number): FoundElement {
	const element = elementAt(page, number);
	return { selector: selectorOfElement(element, page), text: innerText(element) };
}

/** What a draft finds on a page, to be lit up: numbers of elements. */
export interface Marks {
	entries: number[];
	/** Of each column the element in each entry that has it. */
	columns: number[][];
	next: number[];
	/** What that link says. */
	nextLabel: string | undefined;
}

/** The selectors of a draft. */
export interface MarkedSelectors {
	entries: string | undefined;
	columns: (string | undefined)[];
	next: string | undefined;
}

/** What selectors find on a page; `columns` without entries are those of the page. */
export function marksOn(page: Document, selectors: MarkedSelectors): Marks {
	const entries = selectors.entries === undefined ? [] : all(selectors.entries, page);
	const roots = selectors.entries === undefined ? [page] : entries;
	const numbers = (elements: (Element | undefined)[]) =>
		elements.filter((each) => each !== undefined).map((each) => numberOf(each, page));
	const next = selectors.next === undefined ? undefined : first(selectors.next, page);
	return {
		entries: numbers(entries),
		columns: selectors.columns.map((selector) =>
			selector === undefined
				? numbers(entries)
				: numbers(roots.map((root) => first(selector, root))),
		),
		next: numbers([next]),
		nextLabel: next && labelOf(next),
	};
}

/** What stands for a link to the next page. */
export function nextAt(page: Document, number: number): FoundNext {
	return foundNext(page, elementAt(page, number));
}

/** Where the link leads to that was pointed at, or that an element inside of the first entry is. */
export function linkIn(
	page: Document,
	at: number | { entries: string; link: string | undefined },
): string {
	const href = typeof at === 'number' ? hrefOf(elementAt(page, at)) : hrefInFirst(page, at);
	if (href === undefined) throw new PageError('There is no link here: point at one in an entry.');
	return href;
}

function hrefInFirst(
	page: Document,
	{ entries, link }: { entries: string; link: string | undefined },
): string | undefined {
	const [entry] = all(entries, page);
	const element = entry && (link === undefined ? entry : first(link, entry));
	return element && hrefOf(element);
}

function hrefOf(element: Element): string | undefined {
	return linkOf(element)?.attribs.href;
}

function elementAt(page: Document, number: number): Element {
	const element = elementOf(number, page);
	if (!element) throw new PageError('This is not on the page any more: open it again.');
	return element;
}
