/// <reference lib="dom" />

/**
 * Of the elements in `root` those that are there for people: without what was seen before, and is hidden now, as by a
 * filter that leaves what it was not asked for on the page, or by a list of suggestions that is closed. What was never
 * seen is there; so is what stands in an entry of a loop, whatever a click in it has made of that. `isBeforeStep`: a
 * step follows. `areRows`: they are read as rows. What was seen as one, and is hidden since while others have
 * come, is left over of the page or part of a list that was shown before. `isUsed`: the first of them is to be used, which
 * is the first that is seen, where one is: a page may have one for each width, or keep what it showed before.
 * `isOfPage`: they say something beside rows; what was seen so, and is hidden since, is so no more where others are there,
 * as the panels of earlier clicks.
 */
export type Unhidden = (
	root: Node,
	elements: Element[],
	how?: Partial<Record<'isBeforeStep' | 'areRows' | 'isUsed' | 'isOfPage', boolean | undefined>>,
) => Element[];

/** A row as it was read last. */
interface ReadRow {
	said: string | null;
	wasSeen: boolean;
	isLeftOver: boolean;
}

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepUnhidden(
	seenAt: (element: Element) => unknown,
	{
		textOf,
		isUsedUnseen,
	}: {
		textOf: (element: Element) => string | null;
		isUsedUnseen: (element: Element) => boolean;
	},
): Unhidden {
	let areKnown = false;
	const seen = new WeakSet<Element>();
	const rows = new WeakMap<Element, ReadRow>();
	const shown = new WeakSet<Element>();
	/** Without those that were seen before, and are hidden now. */
	const unlessHidden = (elements: Element[], seenBefore: WeakSet<Element>) =>
		elements.filter((each) => {
			const isSeen = seenAt(each) !== undefined;
			if (isSeen) seenBefore.add(each);
			return isSeen || !seenBefore.has(each);
		});
	const keptByStep = (root: Node, elements: Element[], isBeforeStep: boolean) => {
		if (!areKnown && !isBeforeStep) return elements;
		areKnown = true;
		if (!isBeforeStep && root instanceof Element && !seenAt(root)) return elements;
		return unlessHidden(elements, seen);
	};
	const withoutLeftOver = (elements: Element[]) => {
		const now = elements.map((each) => {
			const said = textOf(each);
			const before = rows.get(each);
			return {
				each,
				said,
				before,
				isSeen: seenAt(each) !== undefined,
				isSame: before?.said === said,
			};
		});
		const haveOthersCome = now.some(({ isSeen, isSame }) => isSeen && !isSame);
		return now.flatMap(({ each, said, before, isSeen }) => {
			const wasSeen = before?.wasSeen === true;
			const isLeftOver = !isSeen && wasSeen && (haveOthersCome || before.isLeftOver);
			rows.set(each, { said, wasSeen: isSeen || wasSeen, isLeftOver });
			return isLeftOver ? [] : [each];
		});
	};
	const toBeUsed = (elements: Element[]) => {
		const [first] = elements;
		if (!first || seenAt(first) !== undefined || isUsedUnseen(first)) return elements;
		const seen = elements.find((each) => seenAt(each) !== undefined);
		return seen ? [seen] : elements;
	};
	const beside = (elements: Element[]) => {
		const there = unlessHidden(elements, shown);
		return there.length > 0 ? there : elements;
	};
	return (root, elements, { isBeforeStep = false, areRows, isUsed, isOfPage } = {}) => {
		if (isOfPage) return beside(elements);
		const kept = keptByStep(root, elements, isBeforeStep);
		if (isUsed) return toBeUsed(kept);
		return areRows && !(root instanceof Element) ? withoutLeftOver(kept) : kept;
	};
}
