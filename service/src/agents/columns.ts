import { checkRow, PageError, type ReadRow, type Row } from '../pages/page.ts';
import { lengthOf } from '../store/row.ts';
import { isElementField, type TaskField } from '../tasks/field.ts';
import { maxValue } from '../text/rowLimits.ts';

/** What the values of a row come from that are not read from the page. */
export interface Surroundings {
	/** The URL or text of the round, or the text of its element. */
	loopItem: string;
	pageUrl: string;
	/** When the row was read, ISO 8601. */
	time: string;
}

/** Keeps of texts what an expression matches. */
export type Matches = (texts: string[][], match: string) => Promise<string[][]>;

/**
 * The values of all fields of some rows, in their order: those that the page was read for, and those of
 * other sources; of each what its expression keeps, of several elements a line each. Nothing where there
 * is none, also if there is a default. Throws a PageError where one is too long to be kept.
 */
export async function valuesOf(
	fields: TaskField[],
	rows: ReadRow[],
	around: Surroundings,
	matches: Matches,
): Promise<Row[]> {
	const values: Row[] = rows.map(() => ({}));
	for (const field of fields) {
		const said = rows.map((read) => sourceValues(field, read, around));
		const kept = field.match === undefined ? said : await matches(said, field.match);
		for (const [index, row] of values.entries()) row[field.id] = joined(field, kept[index] ?? []);
	}
	for (const row of values) checkRow(lengthOf(row));
	return values;
}

/** The same values with the defaults of those that are empty. */
export function withDefaults(fields: TaskField[], values: Row): Row {
	return Object.fromEntries(
		fields.map(({ id, default: otherwise = '' }) => [id, values[id] || otherwise]),
	);
}

function sourceValues(field: TaskField, read: ReadRow, around: Surroundings): string[] {
	if (isElementField(field)) return read[field.id] ?? [];
	return [field.source === 'constant' ? field.value : around[field.source]];
}

function joined({ name }: TaskField, texts: string[]): string {
	const length = texts.reduce((sum, text) => sum + text.length + 1, -1);
	if (length <= maxValue) return texts.join('\n');
	throw new PageError(
		`A value of the column "${name.slice(0, 100)}" has ${length} characters, more than ${maxValue}: choose a smaller part of the page for it.`,
	);
}
