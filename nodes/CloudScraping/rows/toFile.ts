import type { IDataObject } from 'n8n-workflow';

export type FileFormat = 'csv' | 'jsonl';

const LINE_END = '\r\n';

export const FILE_TYPES: Readonly<Record<FileFormat, { extension: string; mimeType: string }>> = {
	csv: { extension: 'csv', mimeType: 'text/csv' },
	jsonl: { extension: 'jsonl', mimeType: 'application/x-ndjson' },
};

/** Collects rows as the text of one file: as bytes, which cost the garbage collector nothing. */
export interface FileText {
	rows: number;
	add(row: IDataObject): void;
	/** The whole file in UTF-8; nothing is added afterwards. */
	end(): Buffer;
}

/** A file in the given format; `columns` are the columns of a CSV file's header. */
export function fileText(format: FileFormat, columns: readonly string[]): FileText {
	return format === 'csv' ? new CsvText(columns) : new JsonlText();
}

/** Rows that are kept as strings until they become bytes together. */
const ROWS_A_CHUNK = 1_000;

/** One JSON object a line. */
class JsonlText implements FileText {
	rows = 0;

	private text = '';

	private readonly chunks: Buffer[] = [];

	add(row: IDataObject): void {
		this.text += `${JSON.stringify(row)}\n`;
		this.rows++;
		if (this.rows % ROWS_A_CHUNK === 0) this.endChunk();
	}

	end(): Buffer {
		this.endChunk();
		return Buffer.concat(this.chunks);
	}

	private endChunk(): void {
		this.chunks.push(Buffer.from(this.text, 'utf8'));
		this.text = '';
	}
}

/** Lines of a CSV file that were written when it had so many columns. */
interface CsvChunk {
	columns: number;
	bytes: Buffer;
	/** Bytes of each line without its end. */
	lengths: number[];
}

/**
 * CSV as in RFC 4180. A key that is no column gets a column behind the others when it first comes;
 * the rows before it end in empty cells.
 */
class CsvText implements FileText {
	rows = 0;

	private readonly columns: string[];

	private readonly known: Set<string>;

	private lines: string[] = [];

	private readonly chunks: CsvChunk[] = [];

	constructor(columns: readonly string[]) {
		this.columns = [...columns];
		this.known = new Set(columns);
	}

	add(row: IDataObject): void {
		for (const key of Object.keys(row)) if (!this.known.has(key)) this.addColumn(key);
		this.lines.push(csvLine(this.columns.map((column) => csvCell(row, column))));
		this.rows++;
		if (this.lines.length === ROWS_A_CHUNK) this.endChunk();
	}

	end(): Buffer {
		this.endChunk();
		const header = Buffer.from(csvLine(this.columns.map(quoted)) + LINE_END, 'utf8');
		const lines = this.chunks.map((chunk) => withEmptyCells(chunk, this.columns.length));
		return Buffer.concat([header, ...lines]);
	}

	private addColumn(key: string): void {
		this.endChunk();
		this.known.add(key);
		this.columns.push(key);
	}

	private endChunk(): void {
		if (this.lines.length === 0) return;
		this.chunks.push({
			columns: this.columns.length,
			bytes: Buffer.from(this.lines.join(LINE_END) + LINE_END, 'utf8'),
			lengths: this.lines.map((line) => Buffer.byteLength(line, 'utf8')),
		});
		this.lines = [];
	}
}

/** The lines with a cell for each column that has come since. */
function withEmptyCells({ columns, bytes, lengths }: CsvChunk, allColumns: number): Buffer {
	if (columns === allColumns) return bytes;
	const end = Buffer.from(','.repeat(allColumns - columns) + LINE_END, 'utf8');
	const parts: Buffer[] = [];
	let start = 0;
	for (const length of lengths) {
		parts.push(bytes.subarray(start, start + length), end);
		start += length + LINE_END.length;
	}
	return Buffer.concat(parts);
}

/** A line of one empty cell would be an empty line, which readers skip. */
function csvLine(cells: string[]): string {
	return cells.length === 1 && cells[0] === '' ? '""' : cells.join(',');
}

function csvCell(row: IDataObject, column: string): string {
	if (!Object.hasOwn(row, column)) return '';
	const value = row[column];
	if (value === null || value === undefined) return '';
	return quoted(typeof value === 'string' ? value : JSON.stringify(value));
}

function quoted(cell: string): string {
	return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
