/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { ElementHandle, Page as Tab } from 'playwright-core';

/** What scrolling came to. */
export interface Scrolled {
	/** False at the end. */
	hasMoved: boolean;
	/** Changes when something new comes. */
	size: string;
}

/**
 * Scrolls an element on by what is seen of it at once, so many times. Without an element the window;
 * where that can't scroll the element that can and takes up most room.
 */
export function scrollOn(
	tab: Tab,
	named: ElementHandle<Element> | undefined,
	times: number,
): Promise<Scrolled> {
	return tab.evaluate(scrollInPage, { named: named ?? null, times });
}

/** Runs in the page, so it can use nothing that is outside of it. */
function scrollInPage({ named, times }: { named: Element | null; times: number }): Scrolled {
	const canScroll = (element: Element) =>
		element.scrollHeight > element.clientHeight + 1 &&
		/auto|scroll|overlay/.test(getComputedStyle(element).overflowY);
	const room = (element: Element) => element.clientWidth * element.clientHeight;
	const page = document.scrollingElement ?? document.documentElement;
	const isFixed = [document.documentElement, document.body].some(
		(element) => element && /hidden|clip/.test(getComputedStyle(element).overflowY),
	);
	let scroller = named ?? page;
	if (!named && (isFixed || page.scrollHeight <= page.clientHeight + 1)) {
		for (const element of document.querySelectorAll('body *')) {
			if (canScroll(element) && (scroller === page || room(element) > room(scroller))) {
				scroller = element;
			}
		}
	}
	const before = scroller.scrollTop;
	const size = [scroller.scrollHeight, document.getElementsByTagName('*').length].join();
	const top = before + times * scroller.clientHeight;
	if (times > 0) scroller.scrollTo({ top, behavior: 'instant' });
	return { hasMoved: scroller.scrollTop > before, size };
}
