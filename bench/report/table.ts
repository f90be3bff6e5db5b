/** A table in Markdown whose columns are aligned: the first to the left, numbers to the right. */
export function table(header: string[], rows: string[][]): string {
	const widths = header.map((cell, column) =>
		Math.max(...[cell, ...rows.map((row) => row[column])].map((text) => text.length)),
	);
	const line = (cells: string[]) =>
		`| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join(' | ')} |`;
	const rule = widths.map((width, column) =>
		column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
	);
	return [line(header), line(rule), ...rows.map(line)].join('\n');
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en');

export const twoDigits = (value: number): string => value.toFixed(2);
