import { isTag, type Document, type Element } from 'domhandler';
import { textContent } from 'domutils';
import { foldSpaces } from '../../pages/fieldValue.ts';
import type { HtmlDocument } from '../../pages/http/htmlDocument.ts';
import { innerText } from '../../pages/http/innerText.ts';
import { linkOf } from '../../pages/http/links.ts';
import { all, first, isForeign } from '../../pages/http/select.ts';
import { PageError } from '../../pages/page.ts';
import { selectorOfElement, selectorOfList } from '../selectors/selectorOf.ts';
import { saidEntries, standElsewhere } from './entriesElsewhere.ts';
import { foundColumn } from './foundColumn.ts';
import { framed, pictures, styleSheets } from './framedHtml.ts';
import { lackOfScripts } from './lackOfScripts.ts';
import { listOf } from './list.ts';
import { marks } from './marks.ts';
import { foundNext, saysSomewhere, seenBy } from './next.ts';
import { nextOffer } from './nextOffer.ts';
import { elementOf } from './numbering.ts';

/** What the picker asks of a document, in the thread that has it. */
export const pickingCommands = {
	checkPickable,
	title,
	asksForPassword,
	lackOfScripts,
	styleSheets,
	framed,
	pictures,
	marks,
	foundElement,
	foundList,
	foundColumn,
	foundNext,
	nextOffer,
	seenBy,
	saysSomewhere,
	saidEntries,
	standElsewhere,
	linkIn,
};

/** Throws a PageError for what cannot be shown in a frame and pointed at. */
function checkPickable({ page }: HtmlDocument): void {
	const root = page.children.find(isTag);
	if (!root || !isForeign(root)) return;
	throw new PageError(
		'This is XML, such as a feed, which cannot be pointed at. Write a task file with "page": "http", and selectors such as item, title and link.',
	);
}

/** What the page calls itself; empty if it does not. */
function title({ page }: HtmlDocument): string {
	const title = first('title', page);
	return title ? foldSpaces(textContent(title)) : '';
}

/** Whether there is a field for one, as on a page to sign in. */
function asksForPassword({ page }: HtmlDocument): boolean {
	return first('input[type="password" i]', page) !== undefined;
}

/** A single element: a selector that finds it, and its text as people read it. */
export interface FoundElement {
	selector: string;
	text: string;
}

function foundElement({ page }: HtmlDocument, number: number): FoundElement {
	const element = elementOf(number, page);
	return { selector: selectorOfElement(element, page), text: innerText(element) };
}

/** The selector of the list that two elements stand for; undefined if they are not alike. */
function foundList({ page }: HtmlDocument, one: number, another: number): string | undefined {
	const [a, b] = [elementOf(one, page), elementOf(another, page)];
	if (a === b) throw new PageError('This is the same thing twice: point at another one like it.');
	const list = listOf(a, b);
	return list && selectorOfList(list, page);
}

/** The link of an entry, by the selectors of a draft; without one: the entry itself. */
interface LinkInEntry {
	entries: string;
	link: string | undefined;
}

/** Where the link leads to that was pointed at, or that an element inside of the first entry is. */
function linkIn(document: HtmlDocument, at: number | LinkInEntry): string {
	const { page } = document;
	const element = typeof at === 'number' ? elementOf(at, page) : linkInFirst(page, at);
	const href = element && linkOf(element)?.attribs.href;
	if (href === undefined) throw new PageError('There is no link here: point at one in an entry.');
	return document.resolved(href);
}

function linkInFirst(page: Document, { entries, link }: LinkInEntry): Element | undefined {
	const [entry] = all(entries, page);
	return entry && link !== undefined ? first(link, entry) : entry;
}
