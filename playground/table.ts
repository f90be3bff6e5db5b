import type { JsonObject } from './json.ts';

const widestColumn = 48;

/** Rows as a table for the terminal; long values are cut, and only the first rows are shown. */
export function table(rows: JsonObject[], shown: number): string {
	const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const lines = rows.slice(0, shown).map((row) => columns.map((column) => cell(row[column])));
	const widths = columns.map((column, index) =>
		Math.max(cell(column).length, ...lines.map((line) => line[index].length)),
	);
	const drawn = [columns.map(cell), widths.map((width) => '─'.repeat(width)), ...lines].map(
		(line) =>
			line
				.map((text, index) => text.padEnd(widths[index]))
				.join('  ')
				.trimEnd(),
	);
	const rest = rows.length - lines.length;
	return [...drawn, ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n');
}

function cell(value: unknown): string {
	if (value === undefined || value === null) return '';
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	const line = text.replace(/\s+/g, ' ');
	return line.length > widestColumn ? `${line.slice(0, widestColumn - 1)}…` : line;
}
