import type { Element } from 'domhandler';
import type { HtmlDocument } from '../../pages/http/htmlDocument.ts';
import { all, first } from '../../pages/http/select.ts';
import type { PageField } from '../../pages/page.ts';
import { statesIn } from '../selectors/states.ts';
import { labelOf } from './next.ts';
import { numberOf, outlineOf } from './numbering.ts';
import { goesByPlace, maxInOne, saysPlace } from './place.ts';

/** What a draft finds on a page, to be lit up: numbers of elements. */
export interface Marks {
	entries: number[];
	/** Whether they, or what they are in, are told by their place from others. */
	areEntriesByPlace: boolean;
	/** The classes that tell them, and say how they are at the moment. */
	statesOfEntries: string[];
	/** Of each column the elements that it reads, one in each entry that has it unless it reads all. */
	columns: number[][];
	/** How many entries have any. */
	having: number[];
	/** The most that an entry has of them. */
	most: number[];
	/** In how many entries each column has a value, which its elements may lack. */
	filled: number[];
	/** Whether nothing but its place tells what each column finds from the rest. */
	byPlace: boolean[];
	next: number[];
	/** What that link says. */
	nextLabel: string | undefined;
	/** By which pages are told apart whose elements have other numbers. */
	outline: string;
}

/** What a draft looks for. */
export interface MarkedSelectors {
	entries: string | undefined;
	columns: PageField[];
	next: string | undefined;
}

/** What selectors find on a page; `columns` without entries are those of the page. */
export function marks(document: HtmlDocument, selectors: MarkedSelectors): Marks {
	const { page } = document;
	const entries = selectors.entries === undefined ? [] : all(selectors.entries, page);
	const roots = selectors.entries === undefined ? [page] : entries;
	const numbers = (elements: (Element | undefined)[]) =>
		elements.filter((each) => each !== undefined).map((each) => numberOf(each, page));
	const next = selectors.next === undefined ? undefined : first(selectors.next, page);
	return {
		entries: numbers(entries),
		statesOfEntries: selectors.entries === undefined ? [] : statesIn(selectors.entries, entries),
		areEntriesByPlace: selectors.entries !== undefined && saysPlace(selectors.entries),
		columns: selectors.columns.map(({ selector, all: isAll }) => {
			if (selector === undefined) return numbers(entries);
			return numbers(
				roots.flatMap((root) => (isAll ? all(selector, root) : first(selector, root))),
			);
		}),
		having: selectors.columns.map(({ selector }) =>
			selector === undefined
				? entries.length
				: roots.filter((root) => first(selector, root) !== undefined).length,
		),
		most: selectors.columns.map(({ selector }) =>
			selector === undefined ? 1 : maxInOne(selector, roots),
		),
		filled: selectors.columns.map(
			(field) => roots.filter((root) => document.values(root, field).some(Boolean)).length,
		),
		byPlace: selectors.columns.map(
			({ selector, all: isAll }) =>
				!isAll && selector !== undefined && goesByPlace(selector, roots),
		),
		next: numbers([next]),
		nextLabel: next && labelOf(next),
		outline: outlineOf(page),
	};
}
