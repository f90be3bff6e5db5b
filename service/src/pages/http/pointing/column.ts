import type { Element } from 'domhandler';
import { first } from '../select.ts';
import { innerText } from '../innerText.ts';
import { stemsOf } from './kind.ts';
import { lastingClasses } from './lastingNames.ts';
import { partsOf } from './selectorOf.ts';
import { ancestorsOf, childrenOf, pathBelow, placeOf, siblingsOf } from './tree.ts';

/** A column of a list: what is read from each entry. */
export interface PointedColumn {
	/** Inside of an entry; undefined: the entry itself. */
	selector: string | undefined;
	name: string;
}

/**
 * The column that an element inside of an entry stands for: found in as many entries as possible, in
 * the same place of each, by names that last rather than by places. `isExact`: the element itself is
 * meant, not what is around it and has the same text.
 */
export function columnOf(
	element: Element,
	entry: Element,
	entries: Element[],
	{ isExact = false } = {},
): PointedColumn {
	if (element === entry) return { selector: undefined, name: nameOf(element) };
	const [best] = [element, ...(isExact ? [] : coveredBy(element, entry))]
		.flatMap((each) => choices(each, entry, entries, each === element))
		.sort(
			(a, b) =>
				a.strange - b.strange ||
				b.found - a.found ||
				Number(b.isPointedAt) - Number(a.isPointedAt) ||
				a.cost - b.cost,
		);
	const selector = best?.text ?? placesOf(pathBelow(entry, element));
	return { selector, name: nameOf(element) };
}

/**
 * What is around an element inside of its entry, and has no other text: entries may lack the element
 * alone. One of several of its name is not meant, unless it is a cell: the next entry has others there.
 */
function coveredBy(element: Element, entry: Element): Element[] {
	const above = ancestorsOf(element);
	const text = innerText(element);
	return above
		.slice(0, above.indexOf(entry))
		.filter((each) => innerText(each) === text)
		.filter(
			(each) => isCell(each) || lastingClasses(each).length > 0 || siblingsOf(each).length === 1,
		);
}

function isCell({ name }: Element): boolean {
	return name === 'td' || name === 'th';
}

interface Choice {
	text: string;
	cost: number;
	found: number;
	strange: number;
	/** Whether it finds the very element, and not what is around it: in other entries that may have more text. */
	isPointedAt: boolean;
}

/** Selectors that find an element in its entry, with what they find in the others. */
function choices(
	element: Element,
	entry: Element,
	entries: Element[],
	isPointedAt: boolean,
): Choice[] {
	const path = pathBelow(entry, element);
	return selectorsInside(element, path)
		.filter(({ text }) => first(text, entry) === element)
		.map(({ text, cost }) => ({ text, cost, isPointedAt, ...alignment(text, path, entries) }));
}

function selectorsInside(element: Element, path: Element[]): { text: string; cost: number }[] {
	const own = [...partsOf([element]), { text: element.name, cost: 3 }];
	const around = path
		.slice(0, -1)
		.flatMap((above) => [
			...partsOf([above]),
			{ text: above.name, cost: 2 },
			{ text: stepTo(above), cost: 4 },
		]);
	const place = { text: stepTo(element), cost: 4 };
	return [
		...own,
		place,
		...[...own, place].flatMap((part) =>
			around.map((above) => ({
				text: `${above.text} ${part.text}`,
				cost: above.cost + part.cost,
			})),
		),
		{ text: placesOf(path), cost: 8 + path.length },
	];
}

/**
 * In how many entries a selector finds something, and in how many of those something that is not of the
 * kind: with other names on the way to it, or another place among the cells of a row.
 */
function alignment(
	selector: string,
	path: Element[],
	entries: Element[],
): { found: number; strange: number } {
	let found = 0;
	let strange = 0;
	for (const entry of entries) {
		const element = first(selector, entry);
		if (!element) continue;
		found += 1;
		if (!isAlike(pathBelow(entry, element), path)) strange += 1;
	}
	return { found, strange };
}

function isAlike(one: Element[], other: Element[]): boolean {
	return (
		one.length === other.length &&
		one.every((step, level) => {
			const wanted = other[level];
			return (
				wanted?.name === step.name &&
				(isCell(step)
					? placeOf(step) === placeOf(wanted)
					: isOfKindOf(step, wanted, level < one.length - 1))
			);
		})
	);
}

/**
 * Whether nothing in the classes of two elements speaks against it. What is read may say more than
 * another, but nothing else, as the parts of an entry do; what is around it may be of another category.
 * "r1" and "r2" are of one kind.
 */
function isOfKindOf(one: Element, other: Element, isAround: boolean): boolean {
	const [kinds, others] = [kindsOf(one), kindsOf(other)];
	const [fewer, more] = kinds.length < others.length ? [kinds, others] : [others, kinds];
	const isIn = (kind: string) => more.includes(kind);
	return fewer.length === 0 || (isAround ? fewer.some(isIn) : fewer.every(isIn));
}

function kindsOf(element: Element): string[] {
	return [...stemsOf(element)].map((stem) => stem.replace(/\d+$/, ''));
}

function stepTo(element: Element): string {
	return `${element.name}:nth-of-type(${placeOf(element)})`;
}

function placesOf(path: Element[]): string {
	return `> ${path.map(stepTo).join(' > ')}`;
}

/**
 * What a column is called, as people would: by its heading, by a class that says what it is, by what it
 * looks like, by any other class of its own.
 */
export function nameOf(element: Element): string {
	const heading = headingOf(element);
	if (heading) return heading;
	const { itemprop, 'data-label': label } = element.attribs;
	const [parent] = ancestorsOf(element);
	const near = parent ? [element, parent] : [element];
	const said = ownWords(itemprop ?? label ?? '');
	if (said.length > 0) return sentence(said);
	const known = near
		.flatMap(classWords)
		.find((words) => words.some((word) => commonNames.has(word)));
	const own = classWords(element).find((words) =>
		words.every((word) => word.length <= longestWord),
	);
	return sentence(known ?? lookOf(element, near) ?? own ?? ['text']);
}

function classWords(element: Element): string[][] {
	return lastingClasses(element)
		.map(ownWords)
		.filter((words) => words.length > 0);
}

/** What people call the things that lists are of. */
const commonNames = new Set(
	'name title subtitle headline price cost date time year author brand publisher rating stars score review reviews description summary teaser category genre type image picture photo address street city country location place phone email company salary stock availability status count number amount size color colour weight length duration version edition isbn sku model tag tags quote rank points comments views likes user link url website pages'.split(
		' ',
	),
);

/** Letters of a word that people would put over a column. */
const longestWord = 12;

const kinds: Record<string, string> = {
	img: 'picture',
	time: 'date',
};

/** What something shows itself to be: a heading or a link is mostly the name of its entry. */
function lookOf(element: Element, near: Element[]): string[] | undefined {
	const text = innerText(element).trim();
	const currency = '(?:[€$£¥]|EUR|USD|GBP|CHF)';
	if (new RegExp(`^(${currency} ?\\d[\\d.,' ]*|\\d[\\d.,' ]* ?${currency})$`).test(text))
		return ['price'];
	if (/^\d{4}-\d\d-\d\d\b/.test(text)) return ['date'];
	if (near.some(({ name }) => name === 'a' || /^h[1-6]$/.test(name))) return ['name'];
	const kind = kinds[element.name];
	return kind === undefined ? undefined : [kind];
}

/** The text of the heading above a cell. */
function headingOf(element: Element): string | undefined {
	const cell = [element, ...ancestorsOf(element)].find(isCell);
	const table = cell && ancestorsOf(cell).find(({ name }) => name === 'table');
	if (!cell || !table) return undefined;
	const head = first('thead > tr, tr:has(> th ~ th)', table);
	const text = head && childrenOf(head)[cellNumber(cell)];
	const said = text?.name === 'th' && innerText(text).trim();
	return said && said.length <= 60 ? said : undefined;
}

/** Counted with cells of both kinds, from 0. */
function cellNumber(cell: Element): number {
	const [row] = ancestorsOf(cell);
	return row ? childrenOf(row).filter(isCell).indexOf(cell) : -1;
}

/** The words of "list-price" and "listPrice"; what stands before "__" says which block it is a part of. */
function ownWords(name: string): string[] {
	return name
		.replace(/^.*[a-z\d]__(?=[a-z])/i, '')
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.split(/[-_ ]+/)
		.filter((word) => word !== '');
}

/** As in "List price". */
function sentence(words: string[]): string {
	const text = words.join(' ');
	return text.charAt(0).toUpperCase() + text.slice(1);
}
