import type { Document, Element } from 'domhandler';
import { all } from '../../pages/http/select.ts';
import { elementCandidates, listCandidates, type PickedList } from './candidates.ts';
import { positionOf, type Part } from './parts.ts';

/** Selectors that are tried, the cheapest first. */
const maxTried = 400;

/**
 * The shortest selector of the page that finds the entries of a list and nothing else, of names that
 * last rather than of places.
 */
export function selectorOfList(list: PickedList, page: Document): string | undefined {
	return cheapestExact([...listCandidates(list)], list.entries, page);
}

/**
 * The same for a single element, such as a link to the next page or a detail: also meant for other
 * pages of its kind, on which sections have other headings, and ids that were made of them.
 */
export function selectorOfElement(element: Element, page: Document): string {
	return cheapestExact(elementCandidates(element), [element], page) ?? positionOf(element);
}

/** Whether a selector ends in a name: what is at a place may be something else on another page. */
export function isNamed(selector: string): boolean {
	const [last = ''] = selector.split(/[ >+]+/).slice(-1);
	return /[.#[\]]/.test(last);
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
