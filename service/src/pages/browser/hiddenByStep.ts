/// <reference lib="dom" />

/**
 * Of the elements in `root` those that are there for people: without what was seen before, and is hidden now, as by a
 * filter that leaves what it was not asked for on the page, or by a list of suggestions that is closed. What was never
 * seen is there; so is what stands in an entry of a loop, whatever a click in it has made of that. `isBeforeStep`: a
 * step follows.
 */
export type Unhidden = (root: Node, elements: Element[], isBeforeStep?: boolean) => Element[];

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepUnhidden(seenAt: (element: Element) => unknown): Unhidden {
	let areKnown = false;
	const seen = new WeakSet<Element>();
	return (root, elements, isBeforeStep = false) => {
		if (!areKnown && !isBeforeStep) return elements;
		areKnown = true;
		if (!isBeforeStep && root instanceof Element && !seenAt(root)) return elements;
		return elements.filter((each) => {
			const isThere = seenAt(each) !== undefined;
			if (isThere) seen.add(each);
			return isThere || !seen.has(each);
		});
	};
}
