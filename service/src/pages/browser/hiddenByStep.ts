/// <reference lib="dom" />
import type { OtherPanels } from './otherPanels.ts';
import type { ShownParts } from './shownParts.ts';

/**
 * Of the elements in `root` those that are there for people: without what was seen before, and is hidden now, as by a
 * filter that leaves what it was not asked for on the page, or by a list of suggestions that is closed. What was never
 * seen is there, unless a step has hidden or shown others beside it; so is what stands in an entry of a loop, whatever a
 * click in it has made of that.
 *
 * - `isBeforeStep`: a step follows.
 * - `isPart`: a step has shown one part of the list, as those of a loop over tabs do, one after the other, or "next".
 * - `entries`: those of the loop in which they are looked for on the whole page, each of which may have a panel of its own.
 * - `areRows`: they are read as rows. What was seen as one, and is hidden since while others have come, is left over of
 *   the page or part of a list that was shown before.
 * - `isUsed`: the first of them is to be used, which is the first that is seen, where one is: a page may have one for each
 *   width, or keep what it showed before.
 * - `isOfPage`: they say something beside rows. What was seen so, and is hidden since, is so no more where others are
 *   there, as the panels of earlier clicks; neither is what was hidden before a step by which others have come, or have
 *   come into sight, nor what stands in another panel than the one that the step has shown.
 * - `areAll`: all of those are wanted, and not the first alone.
 */
export type Unhidden = (
	root: Node,
	elements: Element[],
	how?: Partial<
		Record<
			'isBeforeStep' | 'isPart' | 'areAll' | 'areRows' | 'isUsed' | 'isOfPage',
			boolean | undefined
		> & { entries: (() => Element[]) | undefined }
	>,
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
		own,
		otherPanels,
		shownParts,
		isUsedUnseen,
	}: {
		own: <Target extends Node>(node: Target) => Target;
		otherPanels: OtherPanels;
		shownParts: ShownParts;
		isUsedUnseen: (element: Element) => boolean;
	},
): Unhidden {
	let areKnown = false;
	const seen = new WeakSet<Element>();
	const rows = new WeakMap<Element, ReadRow>();
	const [shown, placed] = [new WeakSet<Element>(), new WeakSet<Element>()];
	/** What was there beside rows before the last step, and what of that nobody saw. */
	const [earlier, earlierUnseen] = [new WeakSet<Element>(), new WeakSet<Element>()];
	const isPlaced = (element: Element) => seenAt(element) !== undefined;
	/** Without those that were seen before, and are hidden now. */
	const unlessHidden = (
		elements: Element[],
		seenBefore: WeakSet<Element>,
		isSeenNow: (element: Element) => boolean,
	) =>
		elements.filter((each) => {
			const isSeen = isSeenNow(each);
			if (isSeen) seenBefore.add(each);
			return isSeen || !seenBefore.has(each);
		});
	const keptByStep = (root: Node, elements: Element[], isBeforeStep: boolean) => {
		areKnown ||= isBeforeStep;
		if (!isBeforeStep && root instanceof Element && !seenAt(root)) return elements;
		const kept = areKnown ? unlessHidden(elements, seen, isPlaced) : elements;
		const there = shownParts.of(kept, isPlaced);
		if (isBeforeStep) shownParts.note(elements, isPlaced);
		return there;
	};
	/** Before the beginning of all that can be scrolled to, as where lists put the rows that they have no use for. */
	const isOutOfReach = (element: Element) => {
		const { right, bottom } = own(element).getBoundingClientRect();
		if (right > 0 && bottom > 0) return false;
		let around = own(element).parentElement;
		while (around && getComputedStyle(around).overflow === 'visible')
			around = own(around).parentElement;
		// What the body says of scrolling is meant for the window.
		const box = around && around !== document.documentElement && around !== document.body && around;
		const { direction, flexDirection, writingMode } = getComputedStyle(
			box || document.documentElement,
		);
		const goesForward = direction === 'ltr' && writingMode.startsWith('h');
		if (!goesForward || flexDirection.endsWith('reverse')) return false;
		if (!box) return right + scrollX <= 0 || bottom + scrollY <= 0;
		const { left, top } = own(box).getBoundingClientRect();
		const { scrollLeft, scrollTop } = own(box);
		return right - left + scrollLeft <= 0 || bottom - top + scrollTop <= 0;
	};
	const isRowSeen = (element: Element) =>
		isPlaced(element) &&
		own(element).checkVisibility({ opacityProperty: true }) &&
		!isOutOfReach(element);
	const withoutLeftOver = (elements: Element[]) => {
		const now = elements.map((each) => {
			const said = own(each).textContent;
			const before = rows.get(each);
			return {
				each,
				said,
				before,
				isSeen: isRowSeen(each),
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
	/** Beyond the edge of something around it that cannot be scrolled, as in a panel that is collapsed to nothing. */
	const isClipped = (element: Element) => {
		let box = own(element).getBoundingClientRect();
		const isAside = () => box.left >= innerWidth || box.right <= 0;
		let outer: Element | null = element;
		for (; outer && outer !== document.body; outer = own(outer).parentElement) {
			const { overflow, clipPath, position } = getComputedStyle(outer);
			if (/^inset\((50|100)%/.test(clipPath)) return true;
			if (position === 'fixed') return isAside() || box.top >= innerHeight || box.bottom <= 0;
			if (overflow === 'visible' || outer === element) continue;
			const edge = own(outer).getBoundingClientRect();
			const isScrolled = /auto|scroll/.test(overflow);
			const [left, right] = [Math.max(edge.left, box.left), Math.min(edge.right, box.right)];
			const [top, bottom] = [Math.max(edge.top, box.top), Math.min(edge.bottom, box.bottom)];
			const isEmpty = edge.width < 1 || edge.height < 1;
			if (isEmpty || (!isScrolled && (right - left < 1 || bottom - top < 1))) return true;
			if (isScrolled) box = edge;
		}
		const pages = [document.documentElement, document.body];
		return isAside() && pages.some((page) => /hidden|clip/.test(getComputedStyle(page).overflowX));
	};
	const isShown = (element: Element) => isRowSeen(element) && !isClipped(element);
	/** The same, looked at once for each element. */
	const once = (look: typeof isShown) => {
		const looks = new Map<Element, boolean>();
		return (element: Element) => {
			const isNow = looks.get(element) ?? look(element);
			looks.set(element, isNow);
			return isNow;
		};
	};
	const toBeUsed = (elements: Element[]) => {
		const [first] = elements;
		if (!first || isUsedUnseen(first)) return elements;
		const seen = elements.find(isShown) ?? elements.find(isPlaced);
		return seen && seen !== first ? [seen] : elements;
	};
	const saidWhenSeen = new WeakMap<Element, string | null>();
	/** What has a place, but no room, or is transparent, is still to come into sight where it says something else by now, or moves with the window. */
	const isStillToBeSeen = (element: Element) => {
		if (!isPlaced(element)) return false;
		if (saidWhenSeen.get(element) !== own(element).textContent) return true;
		for (let outer: Element | null = element; outer; outer = own(outer).parentElement) {
			if (/fixed|sticky/.test(getComputedStyle(outer).position)) return true;
		}
		return false;
	};
	/** Of all that are wanted, those that wait beyond an edge are there, as in a carousel. */
	const beside = (
		elements: Element[],
		isBeforeStep: boolean,
		{ areAll, isShownNow }: { areAll: boolean; isShownNow: typeof isShown },
	) => {
		const [look, before] = areAll ? [once(isPlaced), placed] : [isShownNow, shown];
		const isSeen = (element: Element) => {
			const isNow = look(element);
			if (isNow) saidWhenSeen.set(element, own(element).textContent);
			return isNow;
		};
		const notLeft = unlessHidden(elements, before, isSeen);
		const isShownByStep = (each: Element) => earlierUnseen.has(each) && isSeen(each);
		const hasCome = notLeft.some((each) => !earlier.has(each) || isShownByStep(each));
		const there = hasCome ? notLeft.filter((each) => !earlier.has(each) || isSeen(each)) : notLeft;
		const elsewhere = otherPanels.among(elements, isSeen);
		if (isBeforeStep) {
			for (const each of elements) {
				earlier.add(each);
				if (isSeen(each)) earlierUnseen.delete(each);
				else earlierUnseen.add(each);
			}
			otherPanels.note(elements, isSeen);
		}
		if (elsewhere.size > 0) return there.filter((each) => !elsewhere.has(each));
		// A copy for another width is no more to be seen than what has been left.
		const areThere = notLeft.length === elements.length || there.some(isSeen);
		return areThere && there.length > 0 ? there : elements.filter(isStillToBeSeen);
	};
	return (
		root,
		elements,
		{ isBeforeStep = false, isPart, entries, areAll = false, areRows, isUsed, isOfPage } = {},
	) => {
		const isShownNow = once(isShown);
		const ofOthers = entries && otherPanels.ofEntries(elements, isShownNow, entries);
		const ofEntry = ofOthers ? elements.filter((each) => !ofOthers.has(each)) : elements;
		if (isOfPage) return beside(ofEntry, isBeforeStep, { areAll, isShownNow });
		if (isPart && areRows) shownParts.noteParts(elements, isPlaced, otherPanels.areAlike);
		const kept = keptByStep(root, ofEntry, isBeforeStep);
		if (isUsed) return toBeUsed(kept);
		return areRows && !(root instanceof Element) ? withoutLeftOver(kept) : kept;
	};
}
