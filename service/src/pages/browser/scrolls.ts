/// <reference lib="dom" />

/**
 * Where what the steps of a task scroll stood before: what loops by scroll go through, and what is around elements that
 * are used, which brings them into sight.
 */
export interface Scrolls {
	any: () => boolean;
	/** What scrolls the inside of an element up and down: it, or what is around it; undefined: the window. */
	scrollerOf: (element: Element) => Element | undefined;
	/** The same to its sides, of what is no longer than what is seen of it, as carousels are. */
	scrollerAcross: (element: Element) => Element | undefined;
	/** Takes note of where an element stands, unless that is known. */
	note: (element: Element) => void;
	noteAround: (element: Element) => void;
	/** Puts an element back to where it stood. */
	undo: (element: Element) => void;
}

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepScrolls(own: <Target extends Node>(node: Target) => Target): Scrolls {
	const before = new Map<Element, { left: number; top: number }>();
	const note = (element: Element) => {
		if (before.has(element)) return;
		const { scrollLeft, scrollTop } = own(element);
		before.set(element, { left: scrollLeft, top: scrollTop });
	};
	const isLonger = (element: Element) => own(element).scrollHeight > own(element).clientHeight + 1;
	const isScroller = (element: Element) =>
		isLonger(element) && /auto|scroll/.test(getComputedStyle(element).overflowY);
	const goesAcross = (element: Element) =>
		own(element).scrollWidth > own(element).clientWidth + 1 &&
		/auto|scroll/.test(getComputedStyle(element).overflowX) &&
		!isLonger(element);
	const around = (element: Element, fits: (each: Element) => boolean) => {
		const { body, documentElement } = document;
		let each: Element | null = element;
		while (each && each !== body && each !== documentElement) {
			if (fits(each)) return each;
			each = own(each).parentElement;
		}
		return undefined;
	};
	return {
		any: () => before.size > 0,
		scrollerOf: (element) => around(element, isScroller),
		scrollerAcross: (element) => around(element, goesAcross),
		note,
		noteAround(element) {
			for (let around = own(element).parentElement; around; around = own(around).parentElement) {
				const { scrollHeight, clientHeight, scrollWidth, clientWidth } = own(around);
				if (scrollHeight > clientHeight || scrollWidth > clientWidth) note(around);
			}
		},
		undo(element) {
			const place = before.get(element);
			if (place) own(element).scrollTo({ ...place, behavior: 'instant' });
		},
	};
}
