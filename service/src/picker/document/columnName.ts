import { isTag, isText, type ChildNode, type Element } from 'domhandler';
import { foldSpaces } from '../../pages/fieldValue.ts';
import { innerText } from '../../pages/http/innerText.ts';
import { first } from '../../pages/http/select.ts';
import { state } from '../selectors/nameLists.ts';
import { ownWords, saysCommonName } from '../selectors/ownWords.ts';
import { isStableClass, stableClasses, stableStems } from '../selectors/stableNames.ts';
import { ancestorsOf, childrenOf } from '../selectors/tree.ts';

/**
 * What a column is called, as people would: by its heading, by what the page says that it is, by a class
 * that says so, by what it looks like, by any other class of its own. `others`: the same of other entries.
 */
export function nameOf(element: Element, others: Element[] = []): string {
	const said = headingOf(element) ?? saidByAttribute(element) ?? labelOfAll(element, others);
	if (said !== undefined) return said;
	const [parent] = ancestorsOf(element);
	const near = parent ? [element, parent] : [element];
	const around = parent ? namesInCode(parent).filter(isAround(others)) : [];
	const known = [...namesInCode(element), ...around].find(
		(words) => saysCommonName(words) && !state.test(words.join('-')),
	);
	const link = sameLinkText(element, others);
	if (!known && link !== undefined) return `${link} link`;
	const own = namesInCode(element).find((words) =>
		words.every((word) => word.length <= maxWordLength),
	);
	return sentence(known ?? lookOf(element, near) ?? own ?? ['text']);
}

/** A name of what is around each of some elements: "brand-acme" says what one of them is. */
function isAround(elements: Element[]): (words: string[]) => boolean {
	const names = elements.map((each) =>
		ancestorsOf(each)
			.slice(0, 1)
			.flatMap(namesInCode)
			.map((words) => words.join(' ')),
	);
	return (words) => names.every((each) => each.includes(words.join(' ')));
}

/** Entries from which on it is no chance that links say the same in all of them. */
const minSameLinks = 3;

/** What links say that say the same in each entry, such as "Details": that is no value, and where they lead is. */
export function sameLinkText(element: Element, others: Element[]): string | undefined {
	const text = innerText(element).trim();
	const isLink = (each: Element) =>
		each.attribs.href !== undefined && innerText(each).trim() === text;
	const hasLink = (each: Element) => [each, ...ancestorsOf(each).slice(0, 1)].some(isLink);
	const isSame = others.length >= minSameLinks && [element, ...others].every(hasLink);
	return isSame ? shortText(text) : undefined;
}

export function isCell({ name }: Element): boolean {
	return name === 'td' || name === 'th';
}

/** The text of the heading above a cell. */
function headingOf(element: Element): string | undefined {
	const cell = [element, ...ancestorsOf(element)].find(isCell);
	const [row, ...above] = cell ? ancestorsOf(cell) : [];
	const table = above.find(({ name }) => name === 'table');
	if (!cell || !row || !table) return undefined;
	const head = first('thead > tr, tr:has(> th ~ th)', table);
	const heading = head && cellAt(head, columnOf(cell, row));
	return heading?.name === 'th' ? shortText(innerText(heading)) : undefined;
}

/** In which column a cell of a row begins, from 0; those before it may be wide. */
function columnOf(cell: Element, row: Element): number {
	const cells = childrenOf(row).filter(isCell);
	return cells.slice(0, cells.indexOf(cell)).reduce((sum, each) => sum + widthOf(each), 0);
}

function cellAt(row: Element, column: number): Element | undefined {
	let end = 0;
	for (const cell of childrenOf(row).filter(isCell)) {
		end += widthOf(cell);
		if (end > column) return cell;
	}
	return undefined;
}

function widthOf({ attribs }: Element): number {
	return Math.max(1, Number.parseInt(attribs.colspan ?? '1', 10) || 1);
}

/** By attributes that are there for it: for search engines, and for tables that narrow windows show as lists. */
function saidByAttribute(element: Element): string | undefined {
	return [element, ...aloneIn(element).filter(({ attribs }) => attribs.itemscope === undefined)]
		.flatMap(
			({ attribs: { itemprop, 'data-field': field, 'data-label': label, 'data-th': head } }) => {
				const words = ownWords(itemprop?.trim().split(/\s+/)[0] ?? field ?? '');
				return [label, head, sentence(words)];
			},
		)
		.map((text) => shortText(text ?? ''))
		.find((text) => text !== undefined);
}

/** What is around an element and has no other text, the innermost first. */
function aloneIn(element: Element): Element[] {
	const text = innerText(element).trim();
	const above = ancestorsOf(element);
	const end = above.findIndex((each) => innerText(each).trim() !== text);
	return above.slice(0, end === -1 ? above.length : end);
}

/** What stands before it, if it stands there in all entries: else it says something of one of them. */
function labelOfAll(element: Element, others: Element[]): string | undefined {
	const label = labelOf(element);
	return label !== undefined && others.every((other) => labelOf(other) === label)
		? label
		: undefined;
}

/** "Author" of "Author: Jane Austen", whatever is around the two; the term of a description, the head of a row. */
function labelOf(element: Element): string | undefined {
	const [start, ...rest] = element.children.filter(isShown);
	const own = start && rest.length > 0 ? labelIn(start) : undefined;
	const before = [element, ...aloneIn(element)].map(shownBefore).find((each) => each);
	return own ?? (before && labelIn(before));
}

function isShown(node: ChildNode): boolean {
	return isTag(node) || (isText(node) && node.data.trim() !== '');
}

function shownBefore(element: Element): ChildNode | undefined {
	const isSkipped = (node: ChildNode) =>
		!isShown(node) || (element.name === 'dd' && isTag(node) && node.name === 'dd');
	let before = element.prev;
	while (before && isSkipped(before)) before = before.prev;
	return before ?? undefined;
}

function labelIn(node: ChildNode): string | undefined {
	const text = (isTag(node) ? innerText(node) : isText(node) ? node.data : '').trim();
	const isLabel = text.endsWith(':') || (isTag(node) && ['dt', 'th'].includes(node.name));
	return isLabel ? shortText(text.replace(/\s*:$/, '')) : undefined;
}

/** A text that can stand over a column. */
function shortText(text: string): string | undefined {
	const folded = foldSpaces(text);
	return folded !== '' && folded.length <= maxLength ? folded : undefined;
}

const maxLength = 60;

/** The words of each name that the page's makers have given it: for tests, and for styles. */
function namesInCode(element: Element): string[][] {
	const forTests = ['data-testid', 'data-test', 'data-qa', 'data-cy']
		.flatMap((attribute) => element.attribs[attribute] ?? [])
		.filter(isStableClass);
	// Without what it is a part of, and what styled-components puts behind it.
	const stems = stableStems(element).map((stem) =>
		stem.replace(/(-sc)?[-_]+$/, '').replace(/^.*_/, ''),
	);
	return [...forTests, ...stableClasses(element), ...stems]
		.map(ownWords)
		.filter((words) => words.length > 0);
}

/** Letters of a word that people would put over a column. */
const maxWordLength = 12;

const currency = '(?:\\p{Sc}|EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|CZK|HUF|RON|kr\\.?|zł|Kč|Ft|lei)';
const amount = "\\d[\\d.,'’\\s–-]*";
const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';

/** What texts are, by the look of them. */
const shownKinds: [text: RegExp, word: string][] = [
	[new RegExp(`^(${currency}\\s?${amount}|${amount}${currency})$`, 'u'), 'price'],
	[/^\d{4}-\d\d-\d\d\b|^\d{1,2}([./])\d{1,2}\1\d{4}$/, 'date'],
	[new RegExp(`^(\\d{1,2} ${month}|${month} \\d{1,2},?) \\d{4}$`, 'i'), 'date'],
];

/** Whether an element says an amount of money, and nothing else. */
export function saysPrice(element: Element): boolean {
	return wordFor(innerText(element).trim()) === 'price';
}

function wordFor(text: string): string | undefined {
	return shownKinds.find(([pattern]) => pattern.test(text))?.[1];
}

/** What elements and links are for. */
const elementKinds: [isOne: (element: Element) => boolean, word: string][] = [
	[({ name }) => name === 'img', 'picture'],
	[({ name }) => name === 'time', 'date'],
	[({ attribs }) => /\bauthor\b/i.test(attribs.rel ?? ''), 'author'],
	[({ attribs }) => /^mailto:/i.test(attribs.href ?? ''), 'email'],
	[({ attribs }) => /^tel:/i.test(attribs.href ?? ''), 'phone'],
	[({ name }) => name === 'address', 'address'],
	[({ name }) => /^(a|th|h[1-6])$/.test(name), 'name'],
];

/** What something shows itself to be: a heading, also of a row, or a link is mostly the name of its entry. */
function lookOf(element: Element, near: Element[]): string[] | undefined {
	const word =
		wordFor(innerText(element).trim()) ?? elementKinds.find(([isOne]) => near.some(isOne))?.[1];
	return word === undefined ? undefined : [word];
}

/** As in "List price". */
function sentence(words: string[]): string {
	const text = words.join(' ');
	return text.charAt(0).toUpperCase() + text.slice(1);
}
