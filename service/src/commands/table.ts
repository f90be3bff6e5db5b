import stringWidth from 'string-width';

/** Columns of a terminal for a column of the table at least. */
const minColumns = 8;

/** Characters of a value that are looked at: no terminal shows more. */
const maxLength = 2_000;

const gap = '  ';
const graphemes = new Intl.Segmenter();

/** A table of aligned columns, at most `width` columns of a terminal wide; longer values are cut. */
export function table(header: string[], rows: string[][], width: number): string {
	const cells = [header, ...rows].map((row) => row.map(shown));
	const natural = header.map((_, column) =>
		Math.max(1, ...cells.map((row) => stringWidth(row[column] ?? ''))),
	);
	const most = fairShare(natural, width - gap.length * (header.length - 1));
	const widths = natural.map((columns) => Math.min(columns, most));
	const [head = '', ...body] = cells.map((row) =>
		widths
			.map((columns, index) => fit(row[index] ?? '', columns))
			.join(gap)
			.trimEnd(),
	);
	const line = widths.map((columns) => '─'.repeat(columns)).join(gap);
	return [head, line, ...body].join('\n');
}

/** What would move the cursor, change colours, or turn the direction. */
const unseen = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/** A text on one line, without what would move the cursor, change colours, or turn the direction. */
export function shown(text: string): string {
	return text.slice(0, maxLength).replace(/\s+/g, ' ').replace(unseen, '\uFFFD');
}

/** A line of JSON that says the same, and holds nothing of that as it is. */
export function shownJson(json: string): string {
	const code = (sign: string) => sign.charCodeAt(0).toString(16).padStart(4, '0');
	return json.replace(unseen, (sign) => `\\u${code(sign)}`);
}

/** The largest width of columns that brings all of them into `available`: only the widest are cut. */
function fairShare(widths: number[], available: number): number {
	const ascending = [...widths].sort((a, b) => a - b);
	let left = available;
	for (const [index, columns] of ascending.entries()) {
		const share = Math.floor(left / (ascending.length - index));
		if (columns > share) return Math.max(share, minColumns);
		left -= columns;
	}
	return Math.max(minColumns, ...widths);
}

/** The text in exactly so many columns. */
function fit(text: string, columns: number): string {
	const width = stringWidth(text);
	if (width <= columns) return text + ' '.repeat(columns - width);
	let kept = '';
	let taken = 0;
	for (const { segment } of graphemes.segment(text)) {
		const wider = taken + stringWidth(segment);
		if (wider > columns - 1) break;
		kept += segment;
		taken = wider;
	}
	return `${kept}…${' '.repeat(columns - 1 - taken)}`;
}
