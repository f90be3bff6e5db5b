import type { Page, Presence, Reading } from '../pages/page.ts';
import { allSteps, fieldsOf, type PageLoop, type Step, type Task } from '../tasks/task.ts';
import { changesThePage, readingsBehind, readingsOf, readsRows } from './pageReadings.ts';

/** What leads a loop from page to page. */
export interface Way {
	/** Of "next". */
	selector: string;
	/** What that says, where the task tells. */
	says: string | undefined;
	/** What the loop reads of each page. */
	readings: Reading[];
	/** Whether its rounds read no rows, but add to a list. */
	isOfList: boolean;
	/** Whether rows say the address of their page, so that no two pages have the same. */
	areRowsOwn: boolean;
	/** Whether steps of its rounds change the page that they read. */
	changesPages: boolean;
	/** Whether "next" could be seen on a page of the loop, in a browser in whichever round of those around it; whether one that was not is followed all the same; and how often it was waited for in vain. */
	next: { wasSeen: boolean; mayBeHidden: boolean; inVain: number };
	/** Clicks "next". */
	turn: () => Promise<unknown>;
}

/** On http pages, a script is to show what is hidden: it is followed all the same. */
export function nextOf({ page }: Task): Way['next'] {
	return { wasSeen: false, mayBeHidden: page === 'http', inVain: 0 };
}

/** Lists whose "next" has not come into sight, in whose place no more of it is expected. */
const maxInVain = 2;

/**
 * Whether "next" is there. One that was never seen may be shown yet: that is waited for, but on lists of one page. The `first`
 * of what adds to a list may be far down, where scripts make it as it comes into sight, as below comments.
 */
export async function presenceOfNext(
	page: Page,
	{ selector, isOfList, next }: Way,
	{ isFirst }: { isFirst: boolean },
): Promise<Presence> {
	const presence = await page.presence(selector, { mayBeFarDown: isFirst && isOfList });
	next.wasSeen ||= presence === 'active';
	const isKnown = presence !== 'hidden' || next.wasSeen || next.mayBeHidden;
	if (isKnown || next.inVain === maxInVain) return presence;
	const later = await page.presence(selector, { isToBeShown: true });
	if (later === 'hidden') next.inVain += 1;
	return later;
}

/** `behind`: what is read of its pages later. */
export function wayOf(
	{ selector, says, steps }: PageLoop,
	{ behind, ...rest }: { behind: Step[] } & Pick<Way, 'next' | 'turn'>,
): Way {
	return {
		selector,
		says,
		readings: [...readingsOf(steps, behind), ...readingsBehind(steps)],
		isOfList: !readsRows(steps),
		areRowsOwn: fieldsOf(steps).some(({ source }) => source === 'pageUrl'),
		changesPages: allSteps(steps).some(({ type }) => changesThePage(type)),
		...rest,
	};
}
