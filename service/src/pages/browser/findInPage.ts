/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { z } from 'zod';
import type { Entered } from '../page.ts';
import type { DocumentState } from './documentState.ts';
import { markShape } from './loopElements.ts';

/** What is looked for in a page; selectors of elements inside others are scoped ones. */
export interface Wanted {
	/** The elements that were entered, each one inside of the one before. */
	scope: Entered[];
	/** Those that had been when the address of the open document changed. */
	left?: Entered[];
	/** What is to be read: these elements; absent: the one that was entered last, or the page. */
	selector?: string;
	values: WantedValue[];
	/** All of it counts from the page: what was entered may have given its place to that. */
	isOfPage?: boolean;
	/** Each of them is a row. */
	areRows?: boolean;
	/** Where these are is told. */
	locates?: boolean;
	/** A loop over these elements begins: what they are is told, by which its rounds will find them. */
	begins?: boolean;
	/** A step follows: those of them that it hides are not there any more. */
	isBeforeStep?: boolean;
	/** A step has shown one part of these, as others show others. */
	isPart?: boolean;
	/** Whether a click on the first of them does something. */
	asksActive?: boolean;
	/** The first of them is handed over, for what is to be done with it. */
	hands?: boolean;
	/** That is a click: of an element which is nothing but the place of a link or button, it is meant for that. */
	isClicked?: boolean;
}

export interface WantedValue {
	/** Absent: of the element itself. */
	selector?: string;
	/** Looked for around the element instead of inside of it. */
	isAround?: boolean;
	/** Each of them; absent: its text. */
	attributes?: readonly string[] | undefined;
	/** All text inside, as the document has it, instead of what is shown. */
	exact?: boolean;
	/** The HTML inside of it, instead of its text. */
	html?: boolean;
	/** Of all that the selector finds. */
	all?: boolean;
}

export const foundShape = z.object({
	/** The first of `scope` that is not there; absent: all are, or what is wanted is there without. */
	missing: z
		.object({ selector: z.string(), index: z.number(), mark: markShape.optional() })
		.optional(),
	count: z.number(),
	/** Milliseconds since the page has changed, where it had come to rest before. */
	changedAgo: z.number().optional(),
	/** A column of rows says nothing yet, and scripts go on in a moment. */
	isBlank: z.boolean(),
	/** Of the elements of the loop that begins. */
	marks: z.array(markShape).optional(),
	/**
	 * A click on the first element does nothing: the control that it is, or is in, is disabled, or is
	 * said to be so.
	 */
	isInactive: z.boolean().optional(),
	/** A class of it, or of what it stands in, says so: style sheets make it look so. */
	looksDisabled: z.boolean().optional(),
	/** It has no place on the page. */
	isHidden: z.boolean().optional(),
	/** By which the first element is known from now on; absent: there is none. */
	handed: z.number().optional(),
	/**
	 * All wanted values of the first element, then those of the next: each what is said by the elements
	 * that it is of, of several attributes one after the other, null by one that lacks it.
	 */
	values: z.array(z.array(z.string().nullable())),
	/** Of each wanted value, of how many elements of the page it is the first; 0 where it is inside of another one. */
	counts: z.array(z.number()).optional(),
	/** Of rows. */
	places: z
		.array(
			z.object({
				at: z.tuple([z.number(), z.number()]),
				seenAt: z.tuple([z.number(), z.number()]),
				element: z.number(),
				isAhead: z.boolean(),
			}),
		)
		.optional(),
	/** Of a list that holds only rows that are in sight. */
	toCome: z.object({ count: z.number(), scroller: z.string().optional() }).optional(),
	/** What addresses in it count from. */
	base: z.object({ url: z.string(), encoding: z.string() }),
});

export type Found = z.output<typeof foundShape>;

/** Runs in the page, so it can use nothing that is outside of it. Asks each element for its own text. */
export function findInPage(
	{
		own,
		loopElements,
		shownTexts,
		hand,
		seenAt,
		isDisabled,
		changedAgo,
		timesLeft,
		leftView,
		unhidden,
		ownParts,
		inReadingOrder,
		rowsToCome,
		placesOfRows,
		beginStep,
	}: DocumentState,
	{
		scope,
		left = [],
		selector,
		values,
		isOfPage,
		areRows,
		locates,
		begins,
		isBeforeStep,
		isPart,
		asksActive,
		hands,
		isClicked,
	}: Wanted,
): unknown {
	type Root = Element | Document;
	const { from, all } = loopElements;
	const isThere = (element: Element | undefined): boolean =>
		element !== undefined && own(element).isConnected;
	const base = { url: document.baseURI, encoding: document.characterSet };
	const nothing = { count: 0, values: [], base, changedAgo: changedAgo(), isBlank: false };

	leftView.note(loopElements.knownIn(left)?.element);

	let missing: Entered | undefined;
	const rootNow = (): Root | undefined => {
		const entered = loopElements.enter(scope);
		missing = entered.missing;
		return missing && !isOfPage ? undefined : entered.root;
	};
	const elementsNow = (root: Root) =>
		selector === undefined
			? [root]
			: unhidden(root, all(root, selector), {
					isBeforeStep,
					isPart,
					entries: isOfPage && areRows ? entries : undefined,
					areRows,
					isUsed: asksActive || hands,
				});

	const entries = scope.length > 0 ? () => loopElements.besides(scope) : undefined;
	const root = rootNow();
	if (!root) return { ...nothing, missing };
	if (begins && selector !== undefined) {
		const marks = loopElements.begin(root, selector);
		if (missing && marks.length === 0) return { ...nothing, missing };
		const toCome = rowsToCome(all(root, selector));
		return { ...nothing, count: marks.length, marks, toCome };
	}
	if (isBeforeStep) beginStep();
	const elements = elementsNow(root);
	const count = elements.length;
	if (missing && count === 0) return { ...nothing, missing };
	const controls = 'a[href], button, input, select, textarea, label, option, [role=button]';
	const saidIn = (element: Element) => own(element).textContent?.trim();
	const meant = (element: Element): Element => {
		if (!isClicked || own(element).closest(controls)) return element;
		const [only, ...others] = all(element, controls);
		const isAll = only && others.length === 0 && saidIn(only) === saidIn(element);
		return isAll ? only : element;
	};
	if (asksActive) {
		const [first] = elements;
		if (!(first instanceof Element)) return nothing;
		const isInactive = isDisabled(meant(first));
		// Nobody sees what stands in the head: it is followed by its address.
		const isHidden = !own(first).matches('link[href]') && !seenAt(meant(first));
		const { parentElement } = own(first);
		const looksDisabled = [first, parentElement].some(
			(each) => each && /(?:^|[\s_-])disabled(?:$|\s)/i.test(own(each).getAttribute('class') ?? ''),
		);
		return { ...nothing, count, isInactive, looksDisabled, isHidden };
	}
	if (hands) {
		let [first] = elements;
		let within = root;
		// Scripts that keep elements by place may put another entry into the one that was entered, up to the click itself.
		const firstNow = () => {
			const now = rootNow() ?? within;
			if (first instanceof Element && (now !== within || !isThere(first))) {
				within = now;
				[first] = elementsNow(now);
			}
			return first instanceof Element ? meant(first) : null;
		};
		return { ...nothing, count, ...(first instanceof Element && { handed: hand(firstNow) }) };
	}

	const counts = new Map<WantedValue, number>();
	const firstOf = (row: Root, parts: Element[]) => {
		const first = ownParts.firstOf(row, parts);
		return first ? [first] : [];
	};
	const elementsOf = (element: Root, wanted: WantedValue) => {
		if (wanted.selector === undefined) return [element];
		if (wanted.isAround) {
			const around = element instanceof Element && own(element).closest(wanted.selector);
			return around ? [around] : [];
		}
		const start = from(element, wanted.selector);
		if (start instanceof Document) {
			const there = unhidden(start, all(element, wanted.selector), {
				isOfPage: true,
				entries,
				isBeforeStep,
				areAll: wanted.all,
			});
			if (wanted.all) return there;
			counts.set(wanted, there.filter((each) => seenAt(each)).length);
			return firstOf(start, there);
		}
		const found = wanted.all
			? all(element, wanted.selector)
			: [...own(start).querySelectorAll(wanted.selector)];
		if (element instanceof Document) return wanted.all ? found : firstOf(element, found);
		const isEntry = root instanceof Element && own(root).contains(element);
		const { attributes } = wanted;
		const parts = ownParts.of(element, found, { attributes, isEntry });
		return wanted.all ? parts : firstOf(element, parts);
	};
	/** What stands in such a field, or is chosen there, is its value, whatever its page has begun with. */
	const holdsValue = (
		element: Element,
	): element is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | HTMLOptionElement =>
		element instanceof HTMLInputElement
			? !/^(checkbox|radio|file|hidden)$/.test(element.type)
			: /^(textarea|select|option)$/.test(element.localName) && element instanceof HTMLElement;
	const namedBy = (element: Root) =>
		element instanceof Document ? element.documentElement : element;
	const saidBy = (element: Root, wanted: WantedValue): unknown[] => {
		const named = namedBy(element);
		if (wanted.attributes) {
			return wanted.attributes.map((name) =>
				name === 'value' && holdsValue(named) ? own(named).value : own(named).getAttribute(name),
			);
		}
		if (wanted.html) return [own(named).innerHTML];
		const shown = wanted.exact ? undefined : texts.get(named);
		return [shown ?? own(named).textContent];
	};
	const ordered = elements.filter((each) => each instanceof Element);
	const inOrder = selector === undefined ? [] : inReadingOrder(ordered);
	const places = locates ? placesOfRows(inOrder) : undefined;
	const read = (selector === undefined ? elements : inOrder).flatMap((element) =>
		values.map((wanted) => ({ wanted, of: elementsOf(element, wanted) })),
	);
	const isShownText = ({ attributes, html, exact }: WantedValue) =>
		attributes === undefined && !html && !exact;
	const asShown = read.filter(({ wanted }) => isShownText(wanted)).flatMap(({ of }) => of);
	const { texts, hidden } = shownTexts(asShown.map(namedBy));
	const said = read.map(({ wanted, of }) => of.flatMap((each) => saidBy(each, wanted)));
	// A few dots or strokes, or what ends in dots, as "Loading…", may stand in the place of what comes.
	const saysAnything = (each: unknown) =>
		typeof each === 'string' && /[\p{L}\p{N}\p{So}]/u.test(each) && !/(…|\.\.\.)\s*$/.test(each);
	// What is hidden may say something else once it is shown; beside an entry, it may be a dialog that is still to be shown.
	const isUnshown = ({ wanted, of }: (typeof read)[number]) =>
		isShownText(wanted) &&
		of.every(
			(each) =>
				each instanceof Element &&
				(hidden.has(each) ||
					(scope.length > 0 &&
						root instanceof Element &&
						!own(root).contains(each) &&
						!seenAt(each))),
		);
	const isBlank = () => {
		const filled = new Set<number>();
		for (const [index, each] of read.entries()) {
			if (said[index]?.some(saysAnything) && !isUnshown(each)) filled.add(index % values.length);
		}
		return filled.size < values.length;
	};
	if (missing && !said.flat().some(saysAnything)) return { ...nothing, missing };
	const goesOn = () => {
		const { all, ofFrames } = timesLeft();
		return all > 0 || ofFrames > 0;
	};
	return {
		...nothing,
		count,
		values: said,
		counts: values.map((wanted) => counts.get(wanted) ?? 0),
		places,
		toCome: locates ? rowsToCome(inOrder) : undefined,
		isBlank: areRows === true && goesOn() && isBlank(),
	};
}
