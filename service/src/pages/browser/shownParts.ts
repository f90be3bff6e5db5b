/// <reference lib="dom" />

type IsSeen = (element: Element) => boolean;

/** Lists that stand in the page whole, and of which it shows a part at a time, as filters and pagers of scripts do. */
export interface ShownParts {
	/** A step follows, by which others of these elements may be shown. */
	note: (elements: Element[], isSeen: IsSeen) => void;
	/** It is known beforehand that steps show one part after the other: what is hidden beside others is of no part yet. */
	noteParts: (elements: Element[], isSeen: IsSeen) => void;
	/** Without what stays hidden beside others of which a step has hidden or shown some. */
	of: (elements: Element[], isSeen: IsSeen) => Element[];
	/** Whether any of that has gone since it was asked last, and was never shown: then these were no parts, and all is read. */
	haveGone: () => boolean;
}

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepShownParts(own: <Target extends Node>(node: Target) => Target): ShownParts {
	/** In what each stood hidden before the last step; undefined for one that was seen. */
	const before = new WeakMap<Element, Element | undefined>();
	/** What is around such lists. */
	let lists = new WeakSet<Element>();
	/** What was left out so far, and was not shown since. */
	const leftOut = new Set<Element>();
	const parentOf = (element: Element) => own(element).parentElement ?? undefined;
	const isShown = (element: Element) => own(element).checkVisibility({ visibilityProperty: true });
	/** What is around the outermost thing that hides it; undefined where it is shown, if without a place. */
	const hiddenIn = (element: Element) => {
		if (isShown(element)) return undefined;
		let hidden = element;
		for (let outer = parentOf(hidden); outer && !isShown(outer); outer = parentOf(hidden))
			hidden = outer;
		return parentOf(hidden);
	};
	return {
		note(elements, isSeen) {
			for (const each of elements) before.set(each, isSeen(each) ? undefined : hiddenIn(each));
		},
		noteParts(elements, isSeen) {
			const around = new Set<Element | undefined>();
			for (const each of elements) if (isSeen(each)) around.add(parentOf(each));
			for (const each of elements) {
				const list = isSeen(each) ? undefined : hiddenIn(each);
				if (list && around.has(list)) lists.add(list);
			}
		},
		of(elements, isSeen) {
			const hidden = new Map<Element, Element | undefined>();
			for (const each of elements) {
				const [list, isNow] = [hiddenIn(each), isSeen(each)];
				if (list) hidden.set(each, list);
				if (!before.has(each)) continue;
				const listBefore = before.get(each);
				// What is hidden by a step, or shown.
				if (list && !listBefore) lists.add(list);
				if (isNow && listBefore) lists.add(listBefore);
			}
			return elements.filter((each) => {
				const list = hidden.get(each);
				const isLeftOut = list !== undefined && lists.has(list);
				if (isLeftOut) leftOut.add(each);
				else leftOut.delete(each);
				return !isLeftOut;
			});
		},
		haveGone() {
			const gone = [...leftOut].filter((each) => !own(each).isConnected);
			for (const each of gone) leftOut.delete(each);
			if (gone.length > 0) lists = new WeakSet();
			return gone.length > 0;
		},
	};
}
