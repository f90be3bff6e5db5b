import { stringify } from 'csv-stringify/sync';

/** What makes a spreadsheet take a text for a formula, also in full width. */
const formulaStart = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

const plainNumber = /^[+-](\d+([.,]\d+)*|[.,]\d+)(e[+-]?\d+)?$/i;

/** The byte order mark, by which spreadsheets know UTF-8. */
export const byteOrderMark = '\uFEFF';

/**
 * Lines of a CSV file (RFC 4180). What a spreadsheet would run as a formula gets an apostrophe before
 * it, which makes it a text; numbers stay as they are.
 */
export function csvLines(records: string[][]): string {
	return stringify(
		records.map((record) => record.map(withoutFormula)),
		{
			record_delimiter: 'windows',
			quote_record_delimiter: true,
			// Spreadsheets of some countries split there.
			quoted_match: ';',
			// An empty line would be no row to most readers.
			quoted_empty: records[0]?.length === 1,
		},
	);
}

/** Whether a spreadsheet would take a text for a formula. */
export function isFormula(text: string): boolean {
	return formulaStart.test(text) && !plainNumber.test(text);
}

function withoutFormula(text: string): string {
	return isFormula(text) ? `'${text}` : text;
}
