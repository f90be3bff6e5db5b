import { hash } from 'node:crypto';
import { isTag, type Document, type Element, type ParentNode } from 'domhandler';
import { PageError } from '../../pages/page.ts';

interface Numbering {
	elements: Element[];
	numbers: Map<Element, number>;
	outline: string;
}

const numbered = new WeakMap<Document, Numbering>();

/** The number of an element of a page: in the order of the page, from 0. */
export function numberOf(element: Element, page: Document): number {
	return numbering(page).numbers.get(element) ?? -1;
}

/** The element of a number; throws a PageError for people where there is none. */
export function elementOf(number: number, page: Document): Element {
	const element = numbering(page).elements[number];
	if (!element) throw new PageError('This is no longer on the page: open it again.');
	return element;
}

/** The same for two pages whose numbers stand for the same: all of their elements have the same names. */
export function outlineOf(page: Document): string {
	return numbering(page).outline;
}

function numbering(page: Document): Numbering {
	const known = numbered.get(page);
	if (known) return known;
	const elements: Element[] = [];
	collect(page, elements);
	const numbers = new Map(elements.map((element, number) => [element, number]));
	const names = elements.map(({ name }) => name).join(' ');
	const made = { elements, numbers, outline: hash('sha256', names).slice(0, 24) };
	numbered.set(page, made);
	return made;
}

function collect(parent: ParentNode, elements: Element[]): void {
	for (const child of parent.children) {
		if (!isTag(child)) continue;
		elements.push(child);
		collect(child, elements);
	}
}
