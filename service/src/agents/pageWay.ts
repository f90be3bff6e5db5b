import type { Reading } from '../pages/page.ts';
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
	/** Whether "next" could be seen on a page of the loop, in a browser in whichever round of those around it; and whether one that was not is followed all the same. */
	next: { wasSeen: boolean; mayBeHidden: boolean };
	/** Clicks "next". */
	turn: () => Promise<unknown>;
}

/** On http pages, a script is to show what is hidden: it is followed all the same. */
export function nextOf({ page }: Task): Way['next'] {
	return { wasSeen: false, mayBeHidden: page === 'http' };
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
