/// <reference lib="dom" />
import { saysAnything } from '../../text/saysAnything.ts';
import type { Entered } from '../page.ts';
import type { DocumentState } from './documentState.ts';
import type { Found, Wanted } from './findInPage.ts';
import type { OpenedTab } from './openedTab.ts';

/** Of a page that goes on for ever, this many screens, and so many other things that scroll on it. */
const limits = { screens: 40, scrollers: 5, elements: 20_000 };

/**
 * As `OpenedTab.find` does; but where a column of the page says nothing, the page is scrolled through first, as somebody does
 * who looks for it: parts of it may be loaded once they come into sight. On a site where that brings nothing, it is not done
 * for ever.
 */
export async function findThroughout(
	opened: OpenedTab,
	scope: Entered[],
	wanted: Partial<Wanted>,
): Promise<Found> {
	const found = await opened.find(scope, wanted);
	const isOfPage =
		wanted.selector === undefined && (scope.length === 0 || wanted.isOfPage === true);
	if (!isOfPage || !hasBlank(found) || !opened.unseen.isLeft) return found;
	if ((await opened.world.call(scrollThrough, limits)) !== true) return found;
	await opened.network.settle({ untilAnswered: true });
	const again = await opened.find(scope, wanted);
	opened.unseen.note(JSON.stringify(again.values) !== JSON.stringify(found.values));
	return again;
}

function hasBlank({ values }: Found): boolean {
	return values.some((said) => !said.some(saysAnything));
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
