import type { Document, Element } from 'domhandler';
import { absoluteAddress } from '../../pages/absoluteAddress.ts';
import { foldSpaces } from '../../pages/fieldValue.ts';
import type { HtmlDocument } from '../../pages/http/htmlDocument.ts';
import { closest, formOf, submitButton } from '../../pages/http/controls.ts';
import { innerText } from '../../pages/http/innerText.ts';
import { linkAround } from '../../pages/http/links.ts';
import { all, first } from '../../pages/http/select.ts';
import { saysNext } from '../../pages/saysNext.ts';
import { partsOf } from '../selectors/parts.ts';
import { isNamed, selectorOfElement } from '../selectors/selectorOf.ts';
import { ancestorsOf, childrenOf, classesOf, pathBelow, siblingsOf } from '../selectors/tree.ts';
import { elementOf } from './numbering.ts';

/** What a selector of a link to the next page finds: what it says, and where it leads to, if it is a link. */
export interface SeenNext {
	label: string;
	href: string | undefined;
	/** Where the links beside it lead to. */
	beside: string[];
}

/** What a link says, and selectors that find it, those first that last. */
export interface NamedNext {
	label: string;
	selectors: string[];
}

/** A link to the next page. */
export interface FoundNext extends SeenNext, NamedNext {
	/** Whether it is the button of a form. */
	sendsForm: boolean;
	/**
	 * For the number of a page, what says “next” and leads there as well: numbers move from page to page, and
	 * that of the last page may be no link.
	 */
	saying: NamedNext | undefined;
}

/** Levels above a link at which others may stand beside it. */
const maxRowLevels = 3;

/** What an element stands for that is pointed at as "next": an icon for the link or button that it is in. */
export function foundNext(document: HtmlDocument, number: number): FoundNext {
	const { page } = document;
	const pointedAt = elementOf(number, page);
	const element = closest(pointedAt, canBePressed) ?? pointedAt;
	const button = submitButton(element);
	const sendsForm = button !== undefined && formOf(button) !== undefined;
	const found = { selectors: selectorsOfNext(element, page), ...seen(element, document) };
	const word = isNumber(found.label) ? wordFor(linkAround(element), document) : undefined;
	const saying = word && { selectors: selectorsOfNext(word, page), label: labelOf(word) };
	return { ...found, sendsForm, saying };
}

/** Whether this is the number of a page. */
export function isNumber(label: string): boolean {
	return /^\d+$/.test(label);
}

/** Another link that says “next” and leads where this one leads. */
function wordFor(link: Element | undefined, { page, base }: HtmlDocument): Element | undefined {
	const addressOf = ({ attribs: { href = '' } }: Element) => absoluteAddress(href, base);
	const address = link && addressOf(link);
	const leadingThere = all('a[href]', page).filter(
		(each) => each !== link && address !== undefined && addressOf(each) === address,
	);
	return (
		leadingThere.find((each) => saysNext(labelOf(each))) ??
		leadingThere.find((each) => isRelNext(each) && !isNumber(labelOf(each)))
	);
}

/** Whether a link says to programs that it leads to the next page. */
export function isRelNext({ attribs: { rel = '' } }: Element): boolean {
	return /(^|\s)next(\s|$)/i.test(rel);
}

/** What each selector finds first on another page, if anything. */
export function seenBy(document: HtmlDocument, selectors: string[]): (SeenNext | undefined)[] {
	return selectors.map((selector) => {
		const element = first(selector, document.page);
		return element && seen(element, document);
	});
}

/** Whether a link or button of a page says this. */
export function saysSomewhere({ page }: HtmlDocument, label: string): boolean {
	return all('a[href], button, [role="button"]', page).some((each) => labelOf(each) === label);
}

function seen(element: Element, document: HtmlDocument): SeenNext {
	const addressOf = (link: Element | undefined) => {
		const href = link?.attribs.href;
		return href && document.resolved(href);
	};
	const link = linkAround(element);
	const linksIn = ({ container }: Row) => all('a[href]', container).filter((each) => each !== link);
	const beside =
		rowsOf(element)
			.map(linksIn)
			.find(({ length }) => length > 0) ?? [];
	return {
		label: labelOf(element),
		href: addressOf(link),
		beside: beside.flatMap((each) => addressOf(each) ?? []),
	};
}

function canBePressed({ name, attribs }: Element): boolean {
	return (
		(name === 'a' && attribs.href !== undefined) ||
		name === 'button' ||
		attribs.role === 'button' ||
		attribs.role === 'link'
	);
}

/** The text of a link, or what an icon says for one. */
export function labelOf(element: Element): string {
	const picture = first('img[alt]', element);
	const { 'aria-label': label, title } = element.attribs;
	return (
		[innerText(element), label, title, picture?.attribs.alt]
			.map((text) => foldSpaces(text ?? ''))
			.find((text) => text !== '') ?? ''
	);
}

/**
 * By a name; by what says that it leads on; by the page that is shown as the current one, which stands before it; by its place from the
 * end, since what stands before it ("previous") is there on some pages only; by its place.
 */
function selectorsOfNext(element: Element, page: Document): string[] {
	const usual = selectorOfElement(element, page);
	const rows = rowsOf(element);
	// Of an item that has the link alone, the place counts among the items: with more pages, more stand before it.
	const isOfOthers = (row: Row) => hasOthers(row, element);
	const inRow = [...rows.filter(isOfOthers), ...rows.filter((row) => !isOfOthers(row))].flatMap(
		(row) => [
			...(row.item === element || isOfOthers(row) ? afterCurrent(element, row, page) : []),
			...fromEnd(element, row, page),
		],
	);
	const named = [...saying(element), ...rows.flatMap((row) => ownNames(element, row))];
	const selectors = isNamed(usual) ? [usual, ...named, ...inRow] : [...named, ...inRow, usual];
	return selectors.filter((each) => first(each, page) === element);
}

/** Names that an element has for leading on, on each page: those of other links there are others. */
function saying(element: Element): string[] {
	const { name, attribs } = element;
	const label = attribs['aria-label'] ?? attribs.title ?? '';
	const attribute = attribs['aria-label'] === undefined ? 'title' : 'aria-label';
	return [
		...(isRelNext(element) ? [`${name}[rel~="next" i]`] : []),
		...(/^[\p{L} -]{1,40}$/u.test(label) ? [`${name}[${attribute}="${label}"]`] : []),
	];
}

/** What stands beside a link to the next page: links to others, mostly each in an item of a list. */
interface Row {
	container: Element;
	/** The link, or the item that it is in. */
	item: Element;
}

/** The link may stand alone on this page, and beside "previous" on the next one. */
function rowsOf(element: Element): Row[] {
	return [element, ...ancestorsOf(element)].slice(0, maxRowLevels).flatMap((item) => {
		const [container] = ancestorsOf(item);
		return container ? [{ item, container }] : [];
	});
}

/** Items of lists and cells: what has a link alone is one of a row, even where the others come on other pages. */
const itemNames = new Set(['li', 'td', 'th', 'dd']);

/** Whether other links stand in the row, each alone in an item of its own that is like this one. */
function hasOthers({ container, item }: Row, element: Element): boolean {
	if (itemNames.has(item.name)) return innerText(item) === innerText(element);
	const kind = item.attribs.class;
	return childrenOf(container).some((each) => {
		const link = each.name === 'a' ? each : first('a[href]', each);
		const isAlone = link !== undefined && innerText(link) === innerText(each);
		const isAlike = each === link || each.attribs.class === kind;
		return each !== item && each.name === item.name && isAlone && isAlike;
	});
}

/** From an item of the row down to the link in it. */
function wayDown({ item }: Row, element: Element): string {
	return item === element ? '' : ` ${pathBelow(item, element).at(-1)?.name ?? ''}`;
}

/** By any name that it has for itself, or the item that it is in: "previous" may have the others as well. */
function ownNames(element: Element, row: Row): string[] {
	return partsOf([row.item]).map(({ text }) => text + wayDown(row, element));
}

function fromEnd(element: Element, row: Row, page: Document): string[] {
	const { item, container } = row;
	const kind = siblingsOf(item);
	const place = kind.length - kind.indexOf(item);
	const around = selectorOfElement(container, page);
	return [`${around} > ${item.name}${placeFromEnd}(${place})${wayDown(row, element)}`];
}

const placeFromEnd = ':nth-last-of-type';

/** Whether a selector of what leads on counts from the end. */
export function isFromEnd(selector: string): boolean {
	return selector.includes(placeFromEnd);
}

/** The link behind the one to the page that is shown, where that is marked or is no link. */
function afterCurrent(element: Element, row: Row, page: Document): string[] {
	const { item, container } = row;
	const items = childrenOf(container);
	const current = items[items.indexOf(item) - 1];
	if (!current || !mayBeCurrent(innerText(current), labelOf(element))) return [];
	const around = selectorOfElement(container, page);
	return marksOf(current, items).map(
		(mark) => `${around} > ${mark} + ${item.name}${wayDown(row, element)}`,
	);
}

/** Whether what stands before a link may say which page is shown: before the number 2, the number 1. */
function mayBeCurrent(text: string, label: string): boolean {
	const numbers = text.match(/\d+/g) ?? [];
	if (isNumber(label)) return numbers.map(Number).includes(Number(label) - 1);
	// Before "Next" may stand "Previous", which is no link on the first page, and one on those behind it.
	return numbers.length > 0 || !saysNext(label);
}

const currentClass = /(^|[-_])(active|current|selected|cur)$/i;

function marksOf(current: Element, items: Element[]): string[] {
	const classes = (element: Element) =>
		classesOf(element).filter((name) => currentClass.test(name));
	const inside = all('[class]', current).flatMap(classes);
	const isAlone = items.filter((each) => each.name === current.name).length === 1;
	const hasLink = current.name === 'a' || first('a[href]', current) !== undefined;
	return [
		...('aria-current' in current.attribs ? [`${current.name}[aria-current]`] : []),
		...(first('[aria-current]', current) ? [`${current.name}:has([aria-current])`] : []),
		...classes(current).map((name) => `${current.name}.${name}`),
		...inside.map((name) => `${current.name}:has(.${name})`),
		...(!hasLink && isAlone ? [current.name] : []),
		...(!hasLink && !isAlone ? [`${current.name}:not(:has(a))`] : []),
	];
}
