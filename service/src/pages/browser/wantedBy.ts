import { setImmediate as nextTurn } from 'node:timers/promises';
import { attributesOf, fieldValues } from '../fieldValue.ts';
import {
	rowsAtOnce,
	selectorsOf,
	type Entered,
	type PageField,
	type ReadRow,
	type Reading,
} from '../page.ts';
import { isOfPage, scopedSelector } from '../scopedSelector.ts';
import type { Found, Wanted, WantedValue } from './findInPage.ts';

/** What is looked for in a page to read rows there, inside of what was entered. */
export function wantedBy(
	{ selector, fields }: Reading,
	entered: Entered[],
): Pick<Wanted, 'selector' | 'values' | 'isOfPage' | 'areRows'> {
	const isInside = selector !== undefined || entered.length > 0;
	const values = fields.map((field): WantedValue => ({
		selector: isInside && field.selector ? scopedSelector(field.selector) : field.selector,
		attributes: attributesOf(field),
		exact: field.trim === false,
		html: field.html,
		all: field.all,
	}));
	const selectors = selectorsOf({ selector, fields });
	const areOfPage = selectors.every((each) => each !== undefined && isOfPage(each));
	return { selector, values, isOfPage: areOfPage && selectors.length > 0, areRows: true };
}

/** The same for rows that are stored: where they are is told as well, by which equal ones differ. */
export function rowsWantedBy(reading: Reading, entered: Entered[]): Partial<Wanted> {
	return { ...wantedBy(reading, entered), locates: true };
}

/** The rows that were found, some at once, with turns for others between. */
export async function* rowsOf(found: Found, fields: PageField[]): AsyncIterable<ReadRow[]> {
	const most = rowsAtOnce(fields.length);
	for (let from = 0; ; from += most) {
		const length = Math.min(most, found.count - from);
		yield Array.from({ length }, (_, index) => rowOf(found, fields, from + index));
		if (length < most) return;
		await nextTurn();
	}
}

/** What was found for the fields of one of the rows. */
function rowOf({ values, base }: Found, fields: PageField[], index: number): ReadRow {
	return Object.fromEntries(
		fields.map((field, column) => {
			const said = values[index * fields.length + column] ?? [];
			return [field.id, fieldValues(said, field, base)];
		}),
	);
}
