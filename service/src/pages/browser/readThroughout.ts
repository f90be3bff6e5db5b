/// <reference lib="dom" />
import { saysAnything } from '../../text/saysAnything.ts';
import type { Entered, HowToRead } from '../page.ts';
import type { DocumentState } from './documentState.ts';
import { inside } from './elements.ts';
import type { Found, Wanted } from './findInPage.ts';
import type { OpenedTab } from './openedTab.ts';

/** Of a page that goes on for ever, this many screens, and so many other things that scroll on it; of a list, screens. */
const limits = { screens: 40, scrollers: 5, elements: 20_000, screensOfList: 200 };

/**
 * As `OpenedTab.find` does; but where it may scroll, what may come once it comes into sight is scrolled to first, as somebody
 * does who looks for it: the whole page, where a column of it says nothing; an entry; or a list, up to its last row, unless
 * it holds only rows that are in sight. What that adds to a list is left out. On a site where it brings nothing, it is not
 * done for ever.
 */
export async function findThroughout(
	opened: OpenedTab,
	scope: Entered[],
	{ mayScroll = false, ...wanted }: Partial<Wanted> & HowToRead,
): Promise<Found> {
	const first = await opened.find(scope, wanted);
	const found = mayScroll ? await bySight(opened, scope, wanted, first) : first;
	if (found.values.flat().some(saysAnything)) opened.noteRead();
	return found;
}

/** The same once what was found at `first` has been in sight. */
async function bySight(
	opened: OpenedTab,
	scope: Entered[],
	wanted: Partial<Wanted>,
	found: Found,
): Promise<Found> {
	const isOfPage =
		wanted.selector === undefined && (scope.length === 0 || wanted.isOfPage === true);
	const { host = '' } = URL.parse(opened.tab.url()) ?? {};
	const chance = opened.unseen.of(`${host} ${scope.length} ${wanted.selector ?? ''}`);
	const mayLack = isOfPage ? hasBlank(found) : found.count > 0;
	if (!mayLack || !chance.isLeft) return found;
	const hasScrolled = isOfPage
		? opened.world.call(scrollThrough, limits)
		: opened.world.call(bringIntoSight, { ...inside(scope, wanted), most: limits.screensOfList });
	if ((await hasScrolled) !== true) return found;
	await opened.network.settle({ untilAnswered: true });
	const again = firstOf(found.count, await opened.find(scope, wanted));
	// What takes rows away is nothing that they come to, and of those that are there only in sight, others are gone by now.
	const isKept = again.count === found.count && !again.toCome;
	chance.note(isKept && saidBy(again) !== saidBy(found));
	return isKept ? again : found;
}

function hasBlank({ values }: Found): boolean {
	return values.some((said) => !said.some(saysAnything));
}

function saidBy({ values, marks }: Found): string {
	return JSON.stringify([values, marks]);
}

/** What was found, but for elements behind that many. */
function firstOf(count: number, found: Found): Found {
	if (found.count <= count) return found;
	const { values, places, marks } = found;
	return {
		...found,
		count,
		values: values.slice(0, (values.length / found.count) * count),
		...(places && { places: places.slice(0, count) }),
		...(marks && { marks: marks.slice(0, count) }),
	};
}

/** Runs in the page, so it can use nothing that is outside of it. False where nothing scrolls. */
async function scrollThrough(
	{ own, nextFrame }: DocumentState,
	most: typeof limits,
): Promise<boolean> {
	const page = document.scrollingElement ?? document.documentElement;
	const isLonger = (each: Element) => own(each).scrollHeight > own(each).clientHeight + 1;
	const isScrolled = (each: Element) =>
		isLonger(each) && /auto|scroll/.test(getComputedStyle(each).overflowY);
	const all = [...document.querySelectorAll('body *')];
	const inPage = all.length > most.elements ? [] : all.filter(isScrolled);
	const scrollers = [page, ...inPage.slice(0, most.scrollers)].filter(isLonger);
	for (const each of scrollers) {
		const { scrollTop: before, clientHeight } = own(each);
		for (let screens = 0; screens < most.screens; screens += 1) {
			const { scrollTop } = own(each);
			own(each).scrollBy({ top: clientHeight, behavior: 'instant' });
			// By the second one, what has come into sight is told.
			await nextFrame();
			await nextFrame();
			if (own(each).scrollTop === scrollTop) break;
		}
		own(each).scrollTo({ top: before, behavior: 'instant' });
	}
	return scrollers.length > 0;
}

/** The same with the elements that are wanted, or that was entered. False where all were in sight. */
async function bringIntoSight(
	{ own, nextFrame, loopElements }: DocumentState,
	{ scope, selector, isOfPage, most }: Wanted & { most: number },
): Promise<boolean> {
	let root: Element | Document | undefined = document;
	for (const entered of scope) root = root && loopElements.find(root, entered);
	if (!root && isOfPage) root = document;
	const all = root && selector !== undefined ? loopElements.all(root, selector) : [root];
	const wanted = all.filter((each) => each instanceof Element);
	const before = new Map<Element, { left: number; top: number }>();
	const noteAround = (element: Element | null) => {
		for (let around = element; around && !before.has(around); around = own(around).parentElement) {
			before.set(around, { left: own(around).scrollLeft, top: own(around).scrollTop });
		}
	};
	let screens = 0;
	for (const each of wanted) {
		noteAround(own(each).parentElement);
		const { top, left } = own(each).getBoundingClientRect();
		own(each).scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
		const now = own(each).getBoundingClientRect();
		if (now.top === top && now.left === left) continue;
		own(each).scrollIntoView({ block: 'start', inline: 'start', behavior: 'instant' });
		await nextFrame();
		await nextFrame();
		screens += 1;
		if (screens >= most) break;
	}
	if (screens === 0) return false;
	for (const [around, place] of before) own(around).scrollTo({ ...place, behavior: 'instant' });
	return true;
}
