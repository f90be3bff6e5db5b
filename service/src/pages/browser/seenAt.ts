/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** The place of an element on the page: its own boxes, or those of something in it where it has none. */
export interface Seen {
	/** To scroll to. */
	around: Element;
	/** On the screen as it is now. */
	boxes: () => DOMRect[];
}

/** Where people see an element; undefined if they do not. */
export type SeenAt = (element: Element) => Seen | undefined;

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepSeenAt(own: <Target extends Node>(node: Target) => Target): SeenAt {
	const hasRoom = ({ width, height }: DOMRect) => width > 0 && height > 0;
	const ownPlace = (element: Element): Seen | undefined => {
		const boxes = () => [...own(element).getClientRects()].filter(hasRoom);
		const isShown = own(element).checkVisibility({ visibilityProperty: true });
		return isShown && boxes().length > 0 ? { around: element, boxes } : undefined;
	};
	/** Of what a style sheet lays over an element around this one, as where a whole card is a link. */
	const overlaidPlace = (element: Element): Seen | undefined => {
		const around = element instanceof HTMLElement && own(element).offsetParent;
		if (!around || !own(element).checkVisibility({ visibilityProperty: true })) return undefined;
		for (const name of ['::before', '::after']) {
			const boxes = () => {
				const { position, left, top, width, height } = getComputedStyle(element, name);
				if (position !== 'absolute') return [];
				const box = own(around).getBoundingClientRect();
				const x = box.left + own(around).clientLeft + parseFloat(left);
				const y = box.top + own(around).clientTop + parseFloat(top);
				return [new DOMRect(x, y, parseFloat(width), parseFloat(height))].filter(hasRoom);
			};
			if (boxes().length > 0) return { around, boxes };
		}
		return undefined;
	};
	/** What is of one pixel is for those who hear the page. */
	const isForEyes = ({ boxes }: Seen) =>
		boxes().some(({ width, height }) => width > 1 && height > 1);
	/** Its own, or that of the first thing in it, unless it lets nothing of that be seen. */
	const placeOf = (element: Element): Seen | undefined => {
		const place = ownPlace(element);
		if (place || getComputedStyle(element).overflow !== 'visible') return place;
		for (const inner of own(element).children) {
			const innerPlace = placeOf(inner);
			if (innerPlace && isForEyes(innerPlace)) return innerPlace;
		}
		return undefined;
	};

	return (element) => placeOf(element) ?? overlaidPlace(element);
}
