import { withoutFragment } from '../../text/withoutFragment.ts';
import type { Entered, RowPlace, RowsToCome } from '../page.ts';
import type { KnownDocument } from './knownDocument.ts';
import type { Typed } from './typeInto.ts';

/** What was done on the open page. */
export interface PageUse {
	/** The elements that were entered, each one counted from the one before. */
	entered: Entered[];
	/** Those that were when the address of the open document changed. */
	left: Entered[];
	/** What was typed into its fields or switched there, and how that is taken back. */
	typed: Typed[];
	/** Whether something was clicked on it, other than a switch, which is switched back. */
	isPressed: boolean;
	/** Whether scrolling it has brought more of it. */
	isScrolled?: boolean;
	/** Whether it was to be left by a click, and has stayed all the same. */
	hasStayed?: boolean;
	/** Where the rows that were read last are. */
	places?: RowPlace[] | undefined;
	/** The rows that are still to come of the list that was read last, or that a loop goes over. */
	toCome?: RowsToCome | undefined;
}

/** What a way back brings again. */
export type UsedBefore = Pick<PageUse, 'entered' | 'left' | 'typed'>;

/** What was entered by then, on the page as it is used now; see `Bookmark.now`. */
export function usedLater(
	{ entered, left, typed: before }: UsedBefore,
	{ typed }: PageUse,
	{ choicesAlone = false } = {},
): UsedBefore {
	const stays = (each: Typed) => !choicesAlone || each.isChoice || before.includes(each);
	return { entered, left, typed: typed.filter(stays) };
}

/** On a page that has just come. */
export function unused(): PageUse {
	return { entered: [], left: [], typed: [], isPressed: false };
}

/** On the same document at another address. */
export function moved({ entered, left }: PageUse): PageUse {
	return { ...unused(), left: entered.length > 0 ? entered : left };
}

/** Whether what was done on a page, or has made it, would not come again by its address. */
export function isMadeHere(
	{ typed, isPressed, isScrolled = false }: PageUse,
	document: KnownDocument,
): boolean {
	return document.isMade || document.isMoved || isPressed || isScrolled || typed.length > 0;
}

/**
 * Whether a page is to stay while an entry of it is opened, `to` its address: a loop over its elements goes back to it.
 * Where only the fragment is another one, its scripts show the entry.
 */
export function isToBeKept(use: PageUse, document: KnownDocument | undefined, to = ''): boolean {
	if (!document || use.entered.length === 0) return false;
	const isPlace = to.includes('#') && withoutFragment(to) === withoutFragment(document.address);
	return document.isMade || (isMadeHere(use, document) && !isPlace);
}

/**
 * Opens again what was opened by then, as a list of choices, and the page has closed since; nothing else is done again.
 * `now`: how the page is used.
 */
export async function openAgain(then: PageUse, now: () => PageUse): Promise<void> {
	for (const each of then.typed) {
		if (each.isOn !== true || !(await each.isUndone?.())) continue;
		now().typed = now().typed.filter((other) => other !== each);
		await each.redo();
	}
	Object.assign(now(), { entered: then.entered, left: then.left });
}
