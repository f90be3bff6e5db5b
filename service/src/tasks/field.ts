import { z } from 'zod';
import { id, isRegularExpression, selector } from './values.ts';

/** What every field has, wherever its value comes from. */
const anyField = {
	id,
	name: z.string().min(1).describe('The name of the column.'),
	match: z
		.string()
		.refine(isRegularExpression, {
			error: 'must be a regular expression (RE2: without look-around and back-references)',
		})
		.optional()
		.describe(
			'A regular expression: of the value, only its first group is kept, or all that it matches if it has none; nothing where it does not match.',
		),
	default: z.string().optional().describe('What the value is where there is none.'),
};

const elementField = z
	.strictObject({
		...anyField,
		source: z.literal('element').optional().describe('Where the value comes from.'),
		selector: selector.optional().describe('An element in the row; absent: the row itself.'),
		attribute: z
			.string()
			.min(1)
			.optional()
			.describe('An attribute of the element; absent: its text. Addresses come out absolute.'),
		html: z
			.literal(true)
			.optional()
			.describe('The HTML inside of the element, instead of its text.'),
		all: z
			.literal(true)
			.optional()
			.describe('The values of all elements that the selector finds, a line each.'),
		trim: z
			.boolean()
			.optional()
			.describe('Whether white space is folded as a browser shows it; true unless set.'),
	})
	.describe('A value of the page.');

const contextField = z
	.strictObject({
		...anyField,
		source: z
			.enum(['loopItem', 'pageUrl', 'time'])
			.describe(
				'The URL, the text or the element\u2019s text of the round; the address of the page; the time of reading (ISO 8601).',
			),
	})
	.describe('A value of the run.');

const constantField = z
	.strictObject({
		...anyField,
		source: z.literal('constant').describe('A value that stands here.'),
		value: z.string().describe('The value itself.'),
	})
	.describe('A value that is the same in every row.');

/** A column of the rows that a step reads, and where its values come from. */
export const field = z.discriminatedUnion('source', [elementField, contextField, constantField]);

export type ElementField = z.infer<typeof elementField>;
export type TaskField = z.infer<typeof field>;

/** Whether the value of a field is read from the page. */
export function isElementField(field: TaskField): field is ElementField {
	return field.source === undefined || field.source === 'element';
}
