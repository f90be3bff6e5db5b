import { numberIn, textIn, type Columns } from './columns.ts';

/**
 * A field that was there on each of so many pages at first, or on so many pages for one that lacks it, is there
 * as a rule. What fewer pages have, such as a reduced price, is a matter of the entry: to name it with each
 * batch would teach people not to look. A site that stops giving data is seen by the first: it gave it before.
 */
export const asARule = { firstPages: 3, usually: 3 };

/** A selector of a loop over elements, or of an Extract Data step: that of its rows, or of a field in them. */
export interface StepSelector {
	step: string;
	/** Empty where a step or field has none. */
	selector: string;
	/** Absent: the selector is that of the rows, or of the elements of a loop. */
	field?: { id: string; name: string };
}

/** A selector that has found something on some pages of a batch, or in some elements of its loop, and nothing on others. */
export interface Gaps extends StepSelector {
	pages: number;
	emptyPages: number;
	/** The address of the first of these. */
	firstEmpty: string;
}

/** Whether a selector that was used has matched something, or its field was not empty. */
export interface UsedSelector {
	selector: StepSelector;
	found: boolean;
}

/** More pages, or elements of a page in rounds of a loop, on which a selector was used. */
export interface SelectorPages {
	selector: StepSelector;
	/** On which it has found something, and how many of these came before the first one on which it has not. */
	found: number;
	foundBefore: number;
	/** On which it has not, and the address of the first of these. */
	empty: number;
	firstEmpty: string;
}

/** Which selectors of a batch were used, and which of them have found anything. */
export interface SelectorStore {
	/** These were used, each once. */
	note(batchID: bigint, used: UsedSelector[]): Promise<void>;
	/** The selectors of a batch that were used and never found anything. */
	emptyOf(batchID: bigint): Promise<StepSelector[]>;
	/** These, which are known, were used on more pages, each once. */
	notePages(batchID: bigint, pages: SelectorPages[]): Promise<void>;
	/** No pages are known of those of a batch: it begins anew. */
	forgetPages(batchID: bigint): Promise<void>;
	/**
	 * The selectors that have found nothing on some pages and should have: those of rows and loops, and
	 * fields that are there as a rule, in the pages that have rows.
	 */
	emptyOnPages(batchID: bigint): Promise<Gaps[]>;
}

/** Reads a row of the table `selectors`. */
export function selectorFrom(columns: Columns): StepSelector {
	const id = textIn(columns, 'field_id');
	return {
		step: textIn(columns, 'step_id'),
		selector: textIn(columns, 'selector'),
		...(id !== '' && { field: { id, name: textIn(columns, 'field') } }),
	};
}

/** The same, with the pages that it says something about. */
export function gapsFrom(columns: Columns): Gaps {
	const emptyPages = numberIn(columns, 'empty_pages');
	return {
		...selectorFrom(columns),
		pages: numberIn(columns, 'found_pages') + emptyPages,
		emptyPages,
		firstEmpty: textIn(columns, 'first_empty'),
	};
}
