import type { IDataObject } from 'n8n-workflow';

export type FileFormat = 'csv' | 'jsonl';

const LINE_END = '\r\n';

export const FILE_TYPES: Readonly<Record<FileFormat, { extension: string; mimeType: string }>> = {
	csv: { extension: 'csv', mimeType: 'text/csv' },
	jsonl: { extension: 'jsonl', mimeType: 'application/x-ndjson' },
};

/** Collects rows as the text of one file. */
export interface FileText {
	rows: number;
	add(row: IDataObject): void;
	/** The whole file; nothing is added afterwards. */
	end(): string;
}

/** A file in the given format; `columns` are the columns of a CSV file's header. */
export function fileText(format: FileFormat, columns: readonly string[]): FileText {
	return format === 'csv' ? new CsvText(columns) : new JsonlText();
}

/** One JSON object a line. */
class JsonlText implements FileText {
	rows = 0;

	private text = '';

	add(row: IDataObject): void {
		this.text += `${JSON.stringify(row)}\n`;
		this.rows++;
	}

	end(): string {
		return this.text;
	}
}

/**
 * CSV as in RFC 4180. A key that is no column gets a column behind the others when it first comes;
 * the rows before it end in empty cells.
 */
class CsvText implements FileText {
	rows = 0;

	private readonly columns: string[];

	private readonly known: Set<string>;

	/** Lines without their ends, by the number of columns that there were when they were written. */
	private readonly blocks: Array<{ columns: number; lines: string[] }> = [];

	constructor(columns: readonly string[]) {
		this.columns = [...columns];
		this.known = new Set(columns);
	}

	add(row: IDataObject): void {
		for (const key of Object.keys(row)) this.addColumn(key);
		let block = this.blocks.at(-1);
		if (block?.columns !== this.columns.length) {
			block = { columns: this.columns.length, lines: [] };
			this.blocks.push(block);
		}
		block.lines.push(csvLine(this.columns.map((column) => csvCell(row, column))));
		this.rows++;
	}

	end(): string {
		const parts = [csvLine(this.columns.map(quoted)), LINE_END];
		for (const { columns, lines } of this.blocks) {
			const end = ','.repeat(this.columns.length - columns) + LINE_END;
			parts.push(lines.join(end), end);
		}
		return parts.join('');
	}

	private addColumn(key: string): void {
		if (this.known.has(key)) return;
		this.known.add(key);
		this.columns.push(key);
	}
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
