/// <reference lib="dom" />
import type { Entered } from '../page.ts';

/** What is looked for in a page; selectors of elements inside others are scoped ones. */
export interface Wanted {
	/** The elements that were entered, each one inside of the one before. */
	scope: Entered[];
	/** What is to be read: these elements; absent: the one that was entered last, or the page. */
	selector?: string;
	values: WantedValue[];
	/** A loop over these elements begins: its rounds will find them where they are now. */
	keeps?: boolean;
}

export interface WantedValue {
	/** Absent: of the element itself. */
	selector?: string;
	/** Looked for around the element instead of inside of it. */
	isAround?: boolean;
	/** Absent: its text. */
	attribute?: string;
	/** All text inside, as the document has it, instead of what is shown. */
	exact?: boolean;
	/** The HTML inside of it, instead of its text. */
	html?: boolean;
	/** Of all that the selector finds. */
	all?: boolean;
}

export interface Found {
	/** The first of `scope` that is not there; absent: all are. */
	missing?: Entered;
	count: number;
	first: Element | null;
	/**
	 * All wanted values of the first element, then those of the next: each what is said by the elements
	 * that it is of, null by one that lacks the attribute.
	 */
	values: (string | null)[][];
	base: string;
}

declare global {
	/** The elements of loops, by where they were looked for. */
	var cloudScrapingLists: WeakMap<Node, Map<string, Element[]>> | undefined;
}

/** Runs in the page, so it can use nothing that is outside of it. Asks each element for its own text. */
export function findInPage({ scope, selector, values, keeps }: Wanted): Found {
	const lists = (globalThis.cloudScrapingLists ??= new WeakMap());
	const listOf = (
		root: Element | Document,
		wanted: string,
		isValid: (list: Element[]) => boolean,
	) => {
		const known = lists.get(root) ?? new Map<string, Element[]>();
		lists.set(root, known);
		const kept = known.get(wanted);
		if (kept && isValid(kept)) return kept;
		const list = Array.from(root.querySelectorAll(wanted));
		known.set(wanted, list);
		return list;
	};
	const nothing = { count: 0, first: null, values: [], base: document.baseURI };

	let root: Element | Document = document;
	for (const entered of scope) {
		const { index } = entered;
		// Scripts may have put others in their place.
		const isStillThere = (list: Element[]) => list[index]?.isConnected;
		const element: Element | undefined = listOf(root, entered.selector, isStillThere)[index];
		if (!element) return { ...nothing, missing: entered };
		root = element;
	}
	if (keeps && selector !== undefined) {
		const { length } = listOf(root, selector, () => false);
		return { ...nothing, count: length };
	}
	const elements = selector === undefined ? [root] : Array.from(root.querySelectorAll(selector));
	const elementsOf = (element: Element | Document, wanted: WantedValue) => {
		if (wanted.selector === undefined) return [element];
		if (wanted.all) return Array.from(element.querySelectorAll(wanted.selector));
		const found = wanted.isAround
			? element instanceof Element && element.closest(wanted.selector)
			: element.querySelector(wanted.selector);
		return found ? [found] : [];
	};
	const saidBy = (element: Element | Document, wanted: WantedValue): string | null => {
		const named = element instanceof Document ? element.documentElement : element;
		if (wanted.attribute !== undefined) return named.getAttribute(wanted.attribute);
		if (wanted.html) return named.innerHTML;
		return wanted.exact || !(named instanceof HTMLElement) ? named.textContent : named.innerText;
	};
	const valueOf = (element: Element | Document, wanted: WantedValue) =>
		elementsOf(element, wanted).map((each) => saidBy(each, wanted));
	const [first] = elements;
	return {
		count: elements.length,
		first: first instanceof Element ? first : null,
		values: elements.flatMap((element) => values.map((wanted) => valueOf(element, wanted))),
		base: document.baseURI,
	};
}
