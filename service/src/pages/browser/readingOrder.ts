/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/**
 * Elements in the order in which people read them. Scripts that show a part of a long list at a time use its entries
 * again for what comes next, each where that belongs: then the document has them in any order. So entries that
 * are placed one by one (`position: absolute`) are taken from top to bottom, where they stand in one column or in
 * rows; of pictures and cards that fill columns of their own, only the document knows the order.
 */
export type InReadingOrder = (elements: Element[]) => Element[];

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepReadingOrder(
	own: <Target extends Node>(node: Target) => Target,
): InReadingOrder {
	const isPlaced = (entry: Element) => getComputedStyle(entry).position === 'absolute';
	/** What in a list an element is, or is in. */
	const entryIn = (list: Element, element: Element) => {
		let entry: Element | null = element;
		while (entry && own(entry).parentElement !== list) entry = own(entry).parentElement;
		return entry;
	};
	/** Pixels that do not count. */
	const close = 1;
	const isClose = (one: number, other: number) => Math.abs(one - other) <= close;

	return (elements) => {
		const [first, last] = [elements[0], elements.at(-1)];
		if (!first || !last || first === last) return elements;
		let list = own(first).parentElement;
		while (list && !own(list).contains(last)) list = own(list).parentElement;
		const entry = list && entryIn(list, first);
		if (!list || !entry || !isPlaced(entry)) return elements;
		const placed = elements.map((element) => {
			const around = entryIn(list, element);
			return around && isPlaced(around) && { element, box: own(around).getBoundingClientRect() };
		});
		const isRightToLeft = getComputedStyle(list).direction === 'rtl';
		const sorted = placed
			.filter((each) => each !== null && each !== false)
			.sort(({ box: one }, { box: other }) => {
				if (!isClose(one.top, other.top)) return one.top - other.top;
				return isRightToLeft ? other.right - one.right : one.left - other.left;
			});
		const isOrdered = sorted.every(({ box }, place) => {
			const before = sorted[place - 1]?.box ?? box;
			const isInRow = isClose(box.top, before.top) || box.top >= before.bottom - close;
			return isInRow || isClose(box.left, before.left);
		});
		const isList = sorted.some(({ box }) => !isClose(box.top, sorted[0]?.box.top ?? 0));
		const isWhole = sorted.length === elements.length;
		return isWhole && isOrdered && isList ? sorted.map(({ element }) => element) : elements;
	};
}
