/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { z } from 'zod';
import type { DocumentState } from './documentState.ts';

export const scrolledShape = z.object({
	isAtEnd: z.boolean(),
	/** Whether its readers can scroll it, if no script does. */
	scrolls: z.boolean(),
	/** Where its middle is seen, in pixels from the left and from the top. */
	middle: z.tuple([z.number(), z.number()]),
	/** Pixels to turn the wheel by. */
	turn: z.number(),
	/** Pixels before what is seen; of what does not scroll, how far what is in it has moved up or to the left. */
	top: z.number(),
	/** Pixels of what is seen at once. */
	seen: z.number(),
	/** Pixels of all that can be scrolled through. */
	whole: z.number(),
	/** Of the page: grows when a list does, also where that gets no longer. */
	elements: z.number(),
	/** Changes when other things are shown, as in a list that holds only what is seen of it. */
	content: z.number(),
	/** Changes when things are shown elsewhere in what scrolls: rows that say the same as those before. 0: not asked for. */
	places: z.number(),
});

/** Where scrolling has come to. */
export type Scrolled = z.output<typeof scrolledShape>;

export interface HowToScroll {
	times: number;
	/** Where `places` are asked for, which takes a look at each element: pixels that are no other place. */
	guess?: number | undefined;
	/** To where it stood before any step has scrolled it, instead. */
	isBack?: boolean;
}

/** Runs in the page, so it can use nothing that is outside of it. */
export async function scrollInPage(
	{ own, taken, nextFrame, scrolls: known }: DocumentState,
	{ handed, times, guess, isBack }: HowToScroll & { handed?: number },
): Promise<unknown> {
	const { documentElement, body } = document;
	const overflow = (element: Element | null, axis: 'overflowX' | 'overflowY' = 'overflowY') =>
		element ? getComputedStyle(element)[axis] : '';
	const isLonger = (element: Element) => own(element).scrollHeight > own(element).clientHeight + 1;
	const isWider = (element: Element) => own(element).scrollWidth > own(element).clientWidth + 1;
	const room = (element: Element) => own(element).clientWidth * own(element).clientHeight;
	const roomiest = (fits: (element: Element) => boolean) => {
		let found: Element | undefined;
		// What the body says of scrolling is meant for the window, unless its parent says something, too.
		const all = overflow(documentElement) === 'visible' ? 'body *' : 'body, body *';
		for (const element of document.querySelectorAll(all)) {
			if (fits(element) && (!found || room(element) > room(found))) found = element;
		}
		return found;
	};
	const named = handed === undefined ? undefined : taken(handed);
	const page = document.scrollingElement ?? documentElement;
	const isFixed = /hidden|clip/.test(overflow(documentElement) + overflow(body));
	const longest = (way: RegExp) =>
		roomiest((element) => isLonger(element) && way.test(overflow(element)));
	const isWindow = !isFixed && isLonger(page);
	// Scripts move by themselves what does not scroll for its readers, when they turn the wheel.
	const inPage = () => longest(/auto|scroll/) ?? longest(/hidden/) ?? longest(/clip/);
	const scroller = named ?? (isWindow ? page : (inPage() ?? page));
	const goes = (element: Element, axis: 'overflowX' | 'overflowY') =>
		/auto|scroll/.test(overflow(element, axis));
	const isAcross =
		named !== undefined &&
		isWider(named) &&
		// A shadow is enough to make it longer than what is seen of it.
		(!isLonger(named) || (goes(named, 'overflowX') && !goes(named, 'overflowY')));
	const { scrollHeight, clientHeight, scrollWidth, clientWidth, textContent } = own(scroller);
	const [whole, seen] = isAcross ? [scrollWidth, clientWidth] : [scrollHeight, clientHeight];
	const sign = isAcross && getComputedStyle(scroller).direction === 'rtl' ? -1 : 1;
	const by = sign * times * seen;
	if (isBack) known.undo(scroller);
	if (times !== 0) {
		known.note(scroller);
		const move = (by: number) =>
			own(scroller).scrollBy({ ...(isAcross ? { left: by } : { top: by }), behavior: 'instant' });
		const { scrollLeft: fromLeft, scrollTop: fromTop } = own(scroller);
		// What snaps to its entries may pass one by, where it is moved by all that is seen.
		const snaps = isAcross && getComputedStyle(scroller).scrollSnapType !== 'none';
		if (snaps) move(by / 2);
		if (!snaps || own(scroller).scrollLeft === fromLeft) move(by);
		// A list that is shorter than what is seen never scrolls, and scripts ask for more of it only when it does.
		const isStill = own(scroller).scrollLeft === fromLeft && own(scroller).scrollTop === fromTop;
		if (isStill && times > 0) {
			const isPage = scroller === page;
			own<Node>(isPage ? document : scroller).dispatchEvent(
				new Event('scroll', { bubbles: isPage }),
			);
		}
		// By the second one, what has come into sight is told.
		await nextFrame();
		await nextFrame();
	}
	const at = isAcross ? sign * own(scroller).scrollLeft : own(scroller).scrollTop;
	let content = 0;
	for (let index = 0; index < textContent.length; index += 1) {
		content = (content * 31 + textContent.charCodeAt(index)) | 0;
	}
	const placesOf = (guess: number) => {
		let places = 1;
		const box = own(scroller).getBoundingClientRect();
		const start = (isAcross ? box.left : box.top) - (scroller === page ? 0 : sign * at);
		// What moves with the window stands elsewhere each time.
		const isMoved = (each: Element) => /fixed|sticky/.test(getComputedStyle(each).position);
		const walker = document.createTreeWalker(scroller, NodeFilter.SHOW_ELEMENT, (each) =>
			each instanceof Element && isMoved(each)
				? NodeFilter.FILTER_REJECT
				: NodeFilter.FILTER_ACCEPT,
		);
		while (walker.nextNode()) {
			const each = walker.currentNode;
			if (!(each instanceof Element) || own(each).firstElementChild) continue;
			const { left, top, width, height } = own(each).getBoundingClientRect();
			if (width === 0 || height === 0) continue;
			places = (places * 31 + Math.round(((isAcross ? left : top) - start) / guess)) | 0;
		}
		return places;
	};
	const isHidden = /hidden|clip/.test(overflow(scroller, isAcross ? 'overflowX' : 'overflowY'));
	const scrolls = whole > seen + 1 && !(scroller === page ? isFixed : isHidden);
	const isCut = (element: Element) => /hidden|clip/.test(overflow(element, 'overflowX'));
	const aside = scroller === page && !isWindow;
	const turned = (aside && roomiest((each) => isWider(each) && isCut(each))) || scroller;
	const inside = document.createRange();
	inside.selectNodeContents(turned);
	const { bottom, right, height, width } = inside.getBoundingClientRect();
	const { left, top } = own(turned).getBoundingClientRect();
	return {
		top: scrolls ? at : -bottom - right,
		isAtEnd: at + seen >= whole - 1,
		scrolls,
		middle:
			turned === page
				? [innerWidth / 2, innerHeight / 2]
				: [left + own(turned).clientWidth / 2, top + own(turned).clientHeight / 2],
		// The end of what was seen is seen again, so that nothing is left out.
		turn: Math.min(seen, isAcross || turned !== scroller ? width : height) * 0.4,
		seen,
		whole,
		elements: document.getElementsByTagName('*').length,
		content,
		places: guess === undefined ? 0 : placesOf(guess),
	};
}
