/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import type { ElementHandle, Page as Tab } from 'playwright-core';

/** Where scrolling has come to. */
export interface Scrolled {
	isAtEnd: boolean;
	/** Pixels above what is seen. */
	top: number;
	/** Changes when a list grows. */
	size: string;
	/** Changes when other things are shown, as in a list that holds only what is seen of it. */
	content: number;
}

/**
 * Scrolls an element on by what is seen of it at once, so many times. Without an element the window;
 * where that can't scroll, the element that can and takes up most room.
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
	const styleOf = (element: Element | null) => (element ? getComputedStyle(element).overflowY : '');
	const isLonger = (element: Element) => element.scrollHeight > element.clientHeight + 1;
	const room = (element: Element) => element.clientWidth * element.clientHeight;
	const page = document.scrollingElement ?? document.documentElement;
	const isFixed = /hidden|clip/.test(styleOf(document.documentElement) + styleOf(document.body));
	let scroller = named ?? page;
	if (!named && (isFixed || !isLonger(page))) {
		for (const element of document.querySelectorAll('body *')) {
			if (!isLonger(element) || !/auto|scroll/.test(styleOf(element))) continue;
			if (scroller === page || room(element) > room(scroller)) scroller = element;
		}
	}
	const top = scroller.scrollTop + times * scroller.clientHeight;
	if (times > 0) scroller.scrollTo({ top, behavior: 'instant' });
	const { scrollTop, clientHeight, scrollHeight, textContent } = scroller;
	let content = 0;
	for (let index = 0; index < textContent.length; index += 1) {
		content = (content * 31 + textContent.charCodeAt(index)) | 0;
	}
	return {
		top: scrollTop,
		isAtEnd: scrollTop + clientHeight >= scrollHeight - 1,
		size: [scrollHeight, document.getElementsByTagName('*').length].join(),
		content,
	};
}
