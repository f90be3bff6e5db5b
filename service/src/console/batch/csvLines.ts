import { inSlices } from '../../text/inSlices.ts';
import { ownTurn } from '../../text/ownTurn.ts';

/**
 * What a spreadsheet takes for formulas by how they begin, also in full width, in cells that it may part at a `;` or a tab: then
 * the quotes of a text are none, so that its lines are lines of the file, and those before a formula are no part of it.
 */
const formulas =
	/(?=[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])(?<=(?:^|[;\t]|[\r\n](?![\r\n]))"*)(?:[^;\t\r\n]+|[\t\r\n])/g;

/** A whole text: what follows in it may go on a formula, also in the next line. */
const plainNumber = /^[+-](\d+([.,]\d+)*|[.,]\d+)(e[+-]?\d+)?$/i;

/** The byte order mark, by which spreadsheets know UTF-8. */
export const byteOrderMark = '\uFEFF';

/** What has to stand in quotes; spreadsheets of some countries split at `;` and tabs where no quote begins their cell. */
const quotable = /["\r\n,;\t]/;

/** Characters, and apostrophes, between which others have a turn. */
const [turn, formulasInTurn] = [100_000, 10_000];

/**
 * Lines of a CSV file (RFC 4180). What a spreadsheet would run as a formula gets an apostrophe before
 * it, which makes it a text; numbers stay as they are.
 */
export async function csvLines(records: string[][]): Promise<string> {
	const lines: string[] = [];
	let since = 0;
	for (const record of records) {
		const fields: string[] = [];
		for (const text of record) {
			fields.push(await fieldOf(text, record.length === 1));
			since += text.length;
			if (since < turn) continue;
			since = 0;
			await ownTurn();
		}
		lines.push(`${fields.join(',')}\r\n`);
	}
	return lines.join('');
}

/** An empty line would be no row to most readers: what stands alone is quoted. */
async function fieldOf(text: string, isAlone: boolean): Promise<string> {
	const field = await withoutFormulas(text);
	if (!quotable.test(field)) return field === '' && isAlone ? '""' : field;
	const parts = await inSlices(field, (slice) => slice.replaceAll('"', '""'));
	return `"${parts.join('')}"`;
}

async function withoutFormulas(text: string): Promise<string> {
	if (!isFormula(text)) return text;
	const parts: string[] = [];
	let end = 0;
	for (const { index } of text.matchAll(formulas)) {
		parts.push(text.slice(end, index));
		end = index;
		if (parts.length % formulasInTurn === 0) await ownTurn();
	}
	return [...parts, text.slice(end)].join("'");
}

/** Whether a spreadsheet would take a text, or a part of it that it splits off, for a formula. */
export function isFormula(text: string): boolean {
	return !plainNumber.test(text) && text.search(formulas) >= 0;
}
