/// <reference lib="dom" />

/**
 * Of some elements those that are there for people: without what a step of the task has hidden, as a filter does
 * that leaves what it was not asked for on the page. What was hidden before is there. `isBeforeStep`: a step follows.
 */
export type Unhidden = <Each extends Node>(elements: Each[], isBeforeStep?: boolean) => Each[];

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepUnhidden(seenAt: (element: Element) => unknown): Unhidden {
	let areKnown = false;
	const shownBefore = new WeakSet<Node>();
	const isShown = (each: Node) => !(each instanceof Element) || seenAt(each) !== undefined;
	return (elements, isBeforeStep = false) => {
		if (!areKnown && !isBeforeStep) return elements;
		areKnown = true;
		return elements.filter((each) => {
			const isThere = isShown(each);
			if (isThere && isBeforeStep) shownBefore.add(each);
			return isThere || !shownBefore.has(each);
		});
	};
}
