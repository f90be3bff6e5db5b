import type { IDataObject } from 'n8n-workflow';

import { ByteWriter } from './byteWriter';

export type FileFormat = 'csv' | 'jsonl';

const lineEnd = '\r\n';

/** By it Excel knows that a file is UTF-8. */
const byteOrderMark = '\uFEFF';

/** What Excel takes for the beginning of a formula, also in full width, and behind what it does not show. */
const formulaBegin = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

export const fileTypes: Readonly<Record<FileFormat, { extension: string; mimeType: string }>> = {
	csv: { extension: 'csv', mimeType: 'text/csv' },
	jsonl: { extension: 'jsonl', mimeType: 'application/x-ndjson' },
};

/** Collects rows as the text of one file. */
export interface FileText {
	rows: number;
	/** Those that it was given, and those of CSV that have come since. */
	readonly columns: readonly string[];
	add(row: IDataObject): void;
	/** The whole file in UTF-8; nothing is added afterwards. */
	end(): Buffer;
}

/** How rows are written. */
export interface FileStyle {
	format: FileFormat;
	/** A CSV file that Excel opens by a double-click as it is meant. */
	forExcel: boolean;
}

/** A file in the given style; `columns` are the columns of a CSV file's header. */
export function fileText({ format, forExcel }: FileStyle, columns: readonly string[]): FileText {
	return format === 'csv' ? new CsvText(columns, forExcel) : new JsonlText(columns);
}

/** One JSON object a line. */
class JsonlText implements FileText {
	rows = 0;

	readonly columns: readonly string[];

	readonly #bytes = new ByteWriter();

	constructor(columns: readonly string[]) {
		this.columns = columns;
	}

	add(row: IDataObject): void {
		this.#bytes.write(`${JSON.stringify(row)}\n`);
		this.rows++;
	}

	end(): Buffer {
		return Buffer.concat(this.#bytes.pieces());
	}
}

/** Lines of a CSV file that were written when it had so many columns. */
interface CsvSection {
	columns: number;
	bytes: ByteWriter;
	/** Bytes of each line without its end. */
	lengths: number[];
}

/**
 * CSV as in RFC 4180. A key that is no column gets a column behind the others when it first comes;
 * the rows before it end in empty cells.
 */
class CsvText implements FileText {
	rows = 0;

	readonly columns: string[];

	readonly #known: Set<string>;

	readonly #forExcel: boolean;

	#section: CsvSection;

	readonly #sections: CsvSection[];

	constructor(columns: readonly string[], forExcel: boolean) {
		this.#forExcel = forExcel;
		this.columns = [...columns];
		this.#known = new Set(columns);
		this.#section = newSection(columns.length);
		this.#sections = [this.#section];
	}

	add(row: IDataObject): void {
		for (const key of Object.keys(row)) if (!this.#known.has(key)) this.#addColumn(key);
		const line = csvLine(this.columns.map((column) => this.#cell(row, column)));
		const length = this.#section.bytes.write(line + lineEnd);
		this.#section.lengths.push(length - lineEnd.length);
		this.rows++;
	}

	end(): Buffer {
		const mark = this.#forExcel ? byteOrderMark : '';
		const names = csvLine(this.columns.map((name) => this.#text(name)));
		const header = Buffer.from(mark + names + lineEnd, 'utf8');
		const lines = this.#sections.flatMap((section) => withEmptyCells(section, this.columns.length));
		return Buffer.concat([header, ...lines]);
	}

	#cell(row: IDataObject, column: string): string {
		if (!Object.hasOwn(row, column)) return '';
		const value = row[column];
		if (value === null || value === undefined) return '';
		return typeof value === 'string' ? this.#text(value) : quoted(JSON.stringify(value));
	}

	#text(text: string): string {
		return quoted(this.#forExcel && formulaBegin.test(text) && !isNumber(text) ? `'${text}` : text);
	}

	#addColumn(key: string): void {
		this.#known.add(key);
		this.columns.push(key);
		if (this.#section.lengths.length > 0) {
			this.#section = newSection(this.columns.length);
			this.#sections.push(this.#section);
		} else this.#section.columns = this.columns.length;
	}
}

function newSection(columns: number): CsvSection {
	return { columns, bytes: new ByteWriter(), lengths: [] };
}

/** The lines with a cell for each column that has come since. */
function withEmptyCells({ columns, bytes, lengths }: CsvSection, allColumns: number): Buffer[] {
	if (columns === allColumns) return bytes.pieces();
	const more = allColumns - columns;
	const cells = columns === 0 ? csvLine(Array<string>(more).fill('')) : ','.repeat(more);
	const end = Buffer.from(cells + lineEnd, 'utf8');
	const text = Buffer.concat(bytes.pieces());
	const parts: Buffer[] = [];
	let start = 0;
	for (const length of lengths) {
		parts.push(text.subarray(start, start + length), end);
		start += length + lineEnd.length;
	}
	return parts;
}

/** A line of one empty cell would be an empty line, which readers skip. */
function csvLine(cells: string[]): string {
	return cells.length === 1 && cells[0] === '' ? '""' : cells.join(',');
}

/** What Excel takes for a number as well, also where the sign is a text's. */
function isNumber(text: string): boolean {
	return /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text);
}

function quoted(cell: string): string {
	return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
