import { z } from 'zod';
import { id, name, selector } from './values.ts';

/** What every field has, wherever its value comes from. */
const anyField = {
	id: id.describe(
		'A UUID by which the column is known in the rows. Absent: one that follows from taskID and the place of the field.',
	),
	name: name.describe('The name of the column.'),
	match: z
		.string()
		.optional()
		.describe(
			'A regular expression (RE2), such as "([0-9.]+) €": of the value, only its first group is kept, or all that it matches if it has none; nothing where it does not match.',
		),
	default: z
		.string()
		.optional()
		.describe(
			'The value where there is none on the page, or none is left by match; an empty text unless set.',
		),
};

const elementField = z
	.strictObject({
		...anyField,
		source: z
			.literal('element')
			.optional()
			.describe('The value comes from an element of the page; so it does without a source.'),
		selector: selector
			.optional()
			.describe('CSS selector of the element in the row, the first one; absent: the row itself.'),
		attribute: z
			.string()
			.min(1)
			.optional()
			.describe(
				'An attribute of the element, such as "href"; absent: its text. Addresses come out absolute, also in data-src, data-original, data-lazy-src, srcset and data-srcset.',
			),
		picture: z
			.boolean()
			.optional()
			.describe(
				'true: the absolute address of the picture that the element is: what it keeps for a script that loads it late (data-src, data-original, data-lazy-src, the first of data-srcset), else its src, else the first of srcset.',
			),
		html: z
			.boolean()
			.optional()
			.describe('true: the HTML inside of the element, instead of its text.'),
		all: z
			.boolean()
			.optional()
			.describe(
				'true: the values of all elements that the selector finds, a line each; match counts for each.',
			),
		trim: z
			.boolean()
			.optional()
			.describe(
				'false: the text as the document has it, with all white space and hidden parts; else as a browser shows it.',
			),
	})
	.describe('A value of the page.');

const contextField = z
	.strictObject({
		...anyField,
		source: z
			.enum(['loopItem', 'pageUrl', 'time'])
			.describe(
				'"loopItem": the URL or text of the round, or the text of its element; "pageUrl": the address of the page; "time": when it was read (ISO 8601).',
			),
	})
	.describe('A value of the round, of the page as a whole, or of the moment.');

const constantField = z
	.strictObject({
		...anyField,
		source: z.literal('constant').describe('The value stands here, in value.'),
		value: z.string().describe('The value, the same in every row.'),
	})
	.describe('A value that is the same in every row.');

/** A column of the rows that a step reads, and where its values come from. */
export const field = z
	.discriminatedUnion('source', [elementField, contextField, constantField])
	.meta({ id: 'field', description: 'A column of the rows, and where its values come from.' });

export type ElementField = z.infer<typeof elementField>;
export type TaskField = z.infer<typeof field>;

/** Whether the value of a field is read from the page. */
export function isElementField(field: TaskField): field is ElementField {
	return field.source === undefined || field.source === 'element';
}
