import { attributesOf, fieldValues } from '../fieldValue.ts';
import type { Entered, PageField, ReadRow, Reading } from '../page.ts';
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
	const selectors = selector === undefined ? fields.map((field) => field.selector) : [selector];
	const areOfPage = selectors.every((each) => each !== undefined && isOfPage(each));
	return { selector, values, isOfPage: areOfPage && selectors.length > 0, areRows: true };
}

/** What was found for the fields of one of the rows. */
export function rowOf({ values, base }: Found, fields: PageField[], index: number): ReadRow {
	return Object.fromEntries(
		fields.map((field, column) => {
			const said = values[index * fields.length + column] ?? [];
			return [field.id, fieldValues(said, field, base)];
		}),
	);
}
