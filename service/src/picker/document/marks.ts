import type { Element } from 'domhandler';
import type { HtmlDocument } from '../../pages/http/htmlDocument.ts';
import { all, first } from '../../pages/http/select.ts';
import { labelOf } from './next.ts';
import { numberOf } from './numbering.ts';

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
export function marks({ page }: HtmlDocument, selectors: MarkedSelectors): Marks {
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
