import type { Entered } from '../page.ts';
import type { Typed } from './typeInto.ts';

/** What was done on the open page. */
export interface PageUse {
	/** The elements that were entered, each one counted from the one before. */
	entered: Entered[];
	/** What was typed into its fields or switched there, and how that is taken back. */
	typed: Typed[];
	/** Whether something was clicked on it, other than a switch, which is switched back. */
	isPressed: boolean;
}

export function unused(): PageUse {
	return { entered: [], typed: [], isPressed: false };
}
