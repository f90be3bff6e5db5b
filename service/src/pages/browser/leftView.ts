/// <reference lib="dom" />

/**
 * A view that was left: there are pages that keep their list, hidden, while they show one of its entries at an address of
 * its own. What stands in it, or is hidden beside it as another view, is not on the page that is shown.
 */
export interface LeftView {
	/** The entry by which it was left; undefined: none was. Where that is shown, its view is there again. */
	note: (entry: Element | undefined) => void;
	/** Whether an entry stands in one, should it have been left by that. */
	holds: (entry: Element) => boolean;
	/** Those of these elements of the page that stand in no such view. */
	without: (elements: Element[]) => Element[];
}

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepLeftView(own: <Target extends Node>(node: Target) => Target): LeftView {
	let views: Element[] = [];
	const parentOf = (element: Element) => own(element).parentElement ?? undefined;
	const isUnseen = (element: Element) => {
		const { display, visibility } = getComputedStyle(element);
		return display === 'none' || visibility === 'hidden';
	};
	/** Views slide aside; what stands below or above is scrolled to. */
	const isAside = (element: Element) => {
		const { left, right, width } = own(element).getBoundingClientRect();
		return width > 0 && (right <= 0 || left >= innerWidth);
	};
	const isHidden = (element: Element) => isUnseen(element) || isAside(element);
	/** The outermost thing that hides an element, or that itself; entries of a carousel stand aside by themselves. */
	const hiderOf = (element: Element) => {
		let hider = isUnseen(element) ? element : undefined;
		for (let outer = parentOf(element); outer; outer = parentOf(outer)) {
			if (isHidden(outer)) hider = outer;
		}
		return hider;
	};
	return {
		note(entry) {
			const view = entry && own(entry).isConnected ? hiderOf(entry) : undefined;
			const around = view && parentOf(view);
			views = around ? [...own(around).children].filter(isHidden) : [];
		},
		holds: (entry) => hiderOf(entry) !== undefined,
		without: (elements) =>
			views.length === 0
				? elements
				: elements.filter((each) => !views.some((view) => own(view).contains(each))),
	};
}
