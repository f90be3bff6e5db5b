/// <reference lib="dom" />

type IsSeen = (element: Element) => boolean;

/** Lists that stand in the page whole, and of which it shows a part at a time, as filters and pagers of scripts do. */
export interface ShownParts {
	/** A step follows, by which others of these elements may be shown. */
	note: (elements: Element[], isSeen: IsSeen) => void;
	/**
	 * It is known that steps show one part after the other: what is hidden beside what they show is of no part yet. A part
	 * that has none of these elements is known by the hidden ones that it is like (`areAlike`).
	 */
	noteParts: (
		elements: Element[],
		isSeen: IsSeen,
		areAlike: (one: Element, other: Element) => boolean,
	) => void;
	/** Without what stays hidden beside others of which a step has hidden or shown some. */
	of: (elements: Element[], isSeen: IsSeen) => Element[];
	/** The parts come from elsewhere: what is hidden beside others then is read. */
	forget: () => void;
	/** Whether any of what was left out has gone since it was asked last, and was never shown: it was none of these parts. */
	haveGone: () => boolean;
}

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepShownParts(own: <Target extends Node>(node: Target) => Target): ShownParts {
	/** In what each stood hidden before the last step; undefined for one that was seen. */
	const before = new WeakMap<Element, Element | undefined>();
	/** What is around such lists. */
	let inParts = new WeakSet<Element>();
	/** Whether any was noted, and whether steps of a loop show one part after the other. */
	let [isNoted, areParts] = [false, false];
	/** What was left out so far, and was not shown since. */
	const leftOut = new Set<Element>();
	const parentOf = (element: Element) => own(element).parentElement ?? undefined;
	const around = (element: Element): Element[] => {
		const outer = parentOf(element);
		return outer ? [outer, ...around(outer)] : [];
	};
	const isShown = (element: Element): boolean => {
		if (own(element).checkVisibility({ visibilityProperty: true })) return true;
		// That has no box itself.
		const outer = getComputedStyle(element).display === 'contents' ? parentOf(element) : undefined;
		return outer !== undefined && isShown(outer);
	};
	/** The outermost thing that hides it; undefined where it is shown, if without a place. */
	const hiddenBy = (element: Element) => {
		if (isShown(element)) return undefined;
		let hidden = element;
		for (let outer = parentOf(hidden); outer && !isShown(outer); outer = parentOf(hidden))
			hidden = outer;
		return hidden;
	};
	/** What is around the outermost thing that hides each of those that are not seen. */
	const listsAround = (elements: Element[], isSeen: IsSeen) => {
		const found = new Map<Element, { by: Element; list: Element }>();
		for (const each of elements) {
			const by = isSeen(each) ? undefined : hiddenBy(each);
			const list = by && parentOf(by);
			if (by && list) found.set(each, { by, list });
		}
		return found;
	};
	/** Without those in lists of which each stands behind something shown that is none of them, as the details behind the rows of a table. */
	const withoutDetails = (elements: Element[], hidden: ReturnType<typeof listsAround>) => {
		const holders = new Set(elements.flatMap((each) => [each, ...around(each)]));
		const isDetail = (element: Element) => {
			const before = own(element).previousElementSibling;
			return before !== null && !holders.has(before) && isShown(before);
		};
		const lists = new Set([...hidden.values()].map(({ list }) => list));
		const others = new Set(
			[...lists].filter((list) =>
				[...own(list).children].some((each) => holders.has(each) && !isDetail(each)),
			),
		);
		return new Map([...hidden].filter(([, { list }]) => others.has(list)));
	};
	const forget = () => {
		inParts = new WeakSet();
		leftOut.clear();
	};
	return {
		note(elements, isSeen) {
			isNoted = true;
			const shown = elements.filter(isSeen);
			const hiddenIn = listsAround(elements, isSeen);
			for (const each of elements) {
				// Of slides, one is shown at a time, and the next by itself.
				if (shown.length === 1) before.delete(each);
				else before.set(each, hiddenIn.get(each)?.list);
			}
		},
		noteParts(elements, isSeen, areAlike) {
			isNoted = areParts = true;
			const all = listsAround(elements, isSeen);
			// An entry is shown that hides something of its own.
			const holders = elements.map((each) => all.get(each)?.list ?? each);
			const shownIn = new Set(holders.flatMap(around));
			const hidden = withoutDetails(elements, all);
			const isNoneShown = elements.length === all.size;
			const hasOpenPart = ({ by, list }: { by: Element; list: Element }) =>
				[...own(list).children].some((each) => isShown(each) && areAlike(each, by));
			const beside = new Set(
				[...hidden.values()]
					.filter((each) => shownIn.has(each.list) || (isNoneShown && hasOpenPart(each)))
					.map(({ list }) => list),
			);
			// What a pane hides of its own is shown by something else than the pane; and so is what each group of a page does.
			const [only, ...others] = [...beside].filter(
				(list) => !around(list).some((outer) => beside.has(outer)),
			);
			if (only && others.length === 0) inParts.add(only);
		},
		of(elements, isSeen) {
			if (!isNoted) return elements;
			const all = listsAround(elements, () => false);
			const hidden = areParts ? all : withoutDetails(elements, all);
			for (const each of elements) {
				if (!before.has(each)) continue;
				const [list, listBefore] = [hidden.get(each)?.list, before.get(each)];
				const isIn = (inner: Element | undefined, outer: Element) =>
					inner === undefined || (inner !== outer && own(outer).contains(inner));
				// What is hidden by a step, or shown, be it what is around it.
				if (list && isIn(listBefore, list)) inParts.add(list);
				else if (listBefore && isIn(list, listBefore) && (list ?? isSeen(each)))
					inParts.add(listBefore);
			}
			return elements.filter((each) => {
				const list = hidden.get(each)?.list;
				const isLeftOut = list !== undefined && inParts.has(list);
				if (isLeftOut) leftOut.add(each);
				else leftOut.delete(each);
				return !isLeftOut;
			});
		},
		forget,
		haveGone() {
			const areGone = [...leftOut].some((each) => !own(each).isConnected);
			if (areGone) forget();
			return areGone;
		},
	};
}
