/// <reference lib="dom" />

/**
 * Of the elements in `root` those that are there for people: without what a step of the task has hidden, as a filter
 * does that leaves what it was not asked for on the page. What was hidden before is there; so is what stands in an
 * entry of a loop, whatever a click in it has made of that. `isBeforeStep`: a step follows.
 */
export type Unhidden = (root: Node, elements: Element[], isBeforeStep?: boolean) => Element[];

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepUnhidden(seenAt: (element: Element) => unknown): Unhidden {
	let areKnown = false;
	const shownBefore = new WeakSet<Element>();
	return (root, elements, isBeforeStep = false) => {
		if (!areKnown && !isBeforeStep) return elements;
		areKnown = true;
		if (!isBeforeStep && root instanceof Element && !seenAt(root)) return elements;
		return elements.filter((each) => {
			const isThere = seenAt(each) !== undefined;
			if (isThere && isBeforeStep) shownBefore.add(each);
			return isThere || !shownBefore.has(each);
		});
	};
}
