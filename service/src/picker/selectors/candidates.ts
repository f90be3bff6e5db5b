import { isTag, type Document, type Element } from 'domhandler';
import { innerText } from '../../pages/http/innerText.ts';
import { all, first } from '../../pages/http/select.ts';
import { isStableId, stableClasses, stableStems } from './stableNames.ts';
import { waysOnlyInside } from './onlyInside.ts';
import { ancestorsOf, pathBelow, placeOf, siblingsOf } from './tree.ts';

/** A list that two of its elements stand for. */
export interface PickedList {
	/** What all entries are in. */
	container: Element;
	/** The entries, in the order of the page. */
	entries: Element[];
	/** The names of the elements from below the container down to an entry; undefined: at any depth. */
	path: string[] | undefined;
	/** The names from below an entry down to what was pointed at. */
	inside: string[];
}

/** A way to name elements: the less it costs, the shorter it is and the longer it lasts. */
interface Part {
	text: string;
	cost: number;
}

/** Attributes that say what an element is. */
const semanticAttributes = [
	'itemprop',
	'itemtype',
	'data-testid',
	'data-test',
	'data-qa',
	'data-type',
	'rel',
	'accesskey',
	'role',
	'aria-label',
	'title',
	'name',
	'type',
	'property',
];

/** Titles that say where a link leads from here, and not what is there. */
const direction = /^(next|prev(ious)?|first|last|older|newer|up)\b/i;

/** Elements of which a page mostly has one, or which hold its parts. */
const landmarks = new Set([
	'h1',
	'main',
	'article',
	'nav',
	'aside',
	'header',
	'footer',
	'table',
	'body',
]);

/** What a bare name of an element costs more by itself: there will be others of it on the page. */
const alone = 4.5;

/** What an id costs more that other pages of the kind will not have. */
const ofThisPage = 4;

/** Selectors that are tried, the cheapest first. */
const maxTried = 400;

/**
 * The shortest selector of the page that finds the entries of a list and nothing else, of names that
 * last rather than of places.
 */
export function selectorOfList(list: PickedList, page: Document): string | undefined {
	const candidates = [...listCandidates(list)];
	return cheapestExact(candidates, list.entries, page);
}

/**
 * The same for a single element, such as a link to the next page or a detail: also meant for other
 * pages of its kind, on which sections have other headings, and ids that were made of them.
 */
export function selectorOfElement(element: Element, page: Document): string {
	const named = partsOf([element]);
	const bare = { text: element.name, cost: 1.5 };
	const own = [...named, bare];
	const anchors = anchorsAbove(element).map((anchor) =>
		anchor.text === `#${anchor.element.attribs.id}` && isOfHeading(anchor.element)
			? { ...anchor, cost: anchor.cost + ofThisPage }
			: anchor,
	);
	const candidates = [
		...named,
		{ ...bare, cost: bare.cost + (landmarks.has(element.name) ? 0 : alone) },
		...anchors.flatMap((anchor) => own.map((part) => joined(anchor, ' ', part))),
	];
	return cheapestExact(candidates, [element], page) ?? positionOf(element);
}

/** Whether a selector ends in a name: what is at a place may be something else on another page. */
export function isNamed(selector: string): boolean {
	const [last = ''] = selector.split(/[ >+]+/).slice(-1);
	return /[.#[\]]/.test(last);
}

/** Names for all of these elements, and maybe for others, too. */
export function partsOf(elements: Element[]): Part[] {
	const [first, ...others] = elements;
	if (!first) return [];
	const isShared = (test: (element: Element) => boolean) => others.every(test);
	const ids = others.length === 0 && first.attribs.id !== undefined ? [first.attribs.id] : [];
	const classes = stableClasses(first).filter((name) =>
		isShared((each) => stableClasses(each).includes(name)),
	);
	const stems = stableStems(first).filter((stem) =>
		isShared((each) => stableStems(each).includes(stem)),
	);
	const attributes = semanticAttributes.filter((name) => {
		const value = first.attribs[name];
		return (
			value !== undefined &&
			/^[\w -]{1,40}$/.test(value) &&
			(name !== 'title' || direction.test(value)) &&
			isShared((each) => each.attribs[name] === value)
		);
	});
	return [
		...ids.filter(isStableId).map((id) => ({ text: `#${id}`, cost: 1 })),
		...classes.map((name) => ({ text: `.${name}`, cost: 1.5 })),
		...classes.map((name) => ({ text: `${first.name}.${name}`, cost: 2 })),
		...stems.map((stem) => ({ text: `${first.name}[class*="${stem}"]`, cost: 2.2 })),
		...pairsOf(classes).map(([a, b]) => ({ text: `.${a}.${b}`, cost: 2.5 })),
		...attributes.map((name) => ({
			text: `${first.name}[${name}="${first.attribs[name]}"]`,
			cost: costOf(name),
		})),
	];
}

/** What was put there to be found by lasts longest. */
function costOf(attribute: string): number {
	if (attribute.startsWith('data-')) return 1.3;
	return attribute.startsWith('item') || attribute === 'rel' ? 1.8 : 2.5;
}

function pairsOf(names: string[]): [string, string][] {
	return names.flatMap((a, index) => names.slice(index + 1).map((b): [string, string] => [a, b]));
}

function* listCandidates({ container, entries, path, inside }: PickedList): Generator<Part> {
	const [entry] = entries;
	if (!entry) return;
	const own = partsOf(entries);
	const named = [...own, { text: entry.name, cost: 1.5 }];
	// A header row has the name of the others, as an advertisement among cards without classes.
	if (entry.name === 'tr') named.push({ text: 'tr:has(> td)', cost: 2.5 });
	if (inside.length > 0) {
		named.push({ text: `${entry.name}:has(> ${inside.join(' > ')})`, cost: 3 });
	}
	for (const path of waysOnlyInside(entries)) {
		named.push({ text: `${entry.name}:has(> ${path})`, cost: 3.2 });
	}
	for (const part of named) yield own.includes(part) ? part : { ...part, cost: part.cost + alone };
	const containers = [...anchorsOf(container), ...anchorsAbove(container)];
	const inContainer = anchorsOf(container);
	for (const anchor of containers) {
		for (const part of named) yield joined(anchor, ' ', part);
	}
	const tops = [
		...inContainer,
		...anchorsAbove(container).flatMap((anchor) => [
			joined(anchor, ' ', { text: container.name, cost: 1 }),
			joined(anchor, ' > ', { text: container.name, cost: 1.1 }),
		]),
		...anchorsAbove(container).map((anchor) => below(anchor, container)),
		{ text: positionOf(container), cost: 20 },
	];
	for (const top of tops) {
		for (const part of named) {
			if (path === undefined) yield joined(top, ' ', part);
			else
				for (const steps of waysTo(entries, path))
					yield joined(top, ' > ', chained([...steps, part]));
		}
	}
}

/** What is between a container and its entries: by the names of the elements, and by their classes, too. */
function waysTo(entries: Element[], path: string[]): Part[][] {
	const bare = path.slice(0, -1).map((name) => ({ text: name, cost: 0.7 }));
	const classed = bare.map((part, level) => {
		const elements = entries.flatMap((each) => ancestorsOf(each)[bare.length - 1 - level] ?? []);
		const named = partsOf([...new Set(elements)]).find(({ text }) =>
			text.startsWith(`${part.text}.`),
		);
		return named ?? part;
	});
	return [bare, classed];
}

function chained(parts: Part[]): Part {
	return parts.reduce((a, b) => joined(a, ' > ', b));
}

/** Names for what is around: of the element itself. */
function anchorsOf(element: Element): (Part & { element: Element })[] {
	const parts = partsOf([element]);
	if (landmarks.has(element.name)) parts.push({ text: element.name, cost: 2 });
	const before = elementBefore(element)?.attribs.id;
	if (before !== undefined && isStableId(before)) {
		parts.push({ text: `#${before} + ${element.name}`, cost: 2.5 });
	}
	return parts.map((part) => ({ ...part, element }));
}

function elementBefore(element: Element): Element | undefined {
	let before = element.prev;
	while (before && !isTag(before)) before = before.prev;
	return before ?? undefined;
}

/** Names for what is around, the nearest first: those further off cost more. */
function anchorsAbove(element: Element): (Part & { element: Element })[] {
	return ancestorsOf(element).flatMap((above, distance) =>
		anchorsOf(above).map((part) => ({ ...part, cost: part.cost + 0.3 * (distance + 1) })),
	);
}

/** The way from an anchor down to an element, by places where there are several of a kind. */
function below(anchor: Part & { element: Element }, element: Element): Part {
	const steps = pathBelow(anchor.element, element).map(stepTo);
	return {
		text: [anchor.text, ...steps].join(' > '),
		cost: anchor.cost + 2 * steps.length + 3,
	};
}

/** Whether an id is its heading once more: "the-debian-archive". */
function isOfHeading(element: Element): boolean {
	const letters = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');
	const heading = first('h1, h2, h3, h4, h5, h6', element);
	return heading !== undefined && letters(innerText(heading)) === letters(element.attribs.id ?? '');
}

/** A selector of places alone: where nothing has a name. */
function positionOf(element: Element): string {
	return [...ancestorsOf(element).reverse(), element].map(stepTo).join(' > ');
}

function stepTo(element: Element): string {
	const isAlone = siblingsOf(element).length === 1;
	return isAlone ? element.name : `${element.name}:nth-of-type(${placeOf(element)})`;
}

function joined(a: Part, by: ' ' | ' > ', b: Part): Part {
	return { text: `${a.text}${by}${b.text}`, cost: a.cost + b.cost + (by === ' > ' ? 0.1 : 0) };
}

function cheapestExact(candidates: Part[], wanted: Element[], page: Document): string | undefined {
	const ordered = [...candidates].sort((a, b) => a.cost - b.cost || a.text.length - b.text.length);
	const tried = new Set<string>();
	for (const { text } of ordered) {
		if (tried.has(text)) continue;
		if (tried.size >= maxTried) break;
		tried.add(text);
		if (isExact(all(text, page), wanted)) return text;
	}
	return undefined;
}

function isExact(found: Element[], wanted: Element[]): boolean {
	const set = new Set(wanted);
	return found.length === set.size && found.every((each) => set.has(each));
}
