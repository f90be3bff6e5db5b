import type { Entered, Reading } from '../page.ts';
import { scopedSelector } from '../scopedSelector.ts';
import type { Wanted, WantedValue } from './findInPage.ts';

/** What is looked for in a page to read rows there, inside of what was entered. */
export function wantedBy(
	{ selector, fields }: Reading,
	entered: Entered[],
): Pick<Wanted, 'selector' | 'values'> {
	const isInside = selector !== undefined || entered.length > 0;
	const values = fields.map((field): WantedValue => ({
		selector: isInside && field.selector ? scopedSelector(field.selector) : field.selector,
		attribute: field.attribute,
		exact: field.trim === false,
		html: field.html,
		all: field.all,
	}));
	return { selector, values };
}
