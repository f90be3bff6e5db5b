import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A line of pointedLists.md: two things pointed at, and the list that a person means by them. */
export interface ExpectedList {
	page: string;
	pointedAt: string[];
	entries: number;
	/** What counts the entries in the source of the page, and between which of its texts. */
	counted: { by: RegExp; after?: string; before?: string };
	/** How the texts of the first and the last entry begin. */
	ends: string[];
	columns: ExpectedColumn[];
}

export interface ExpectedColumn {
	pointedAt: string;
	/** Entries in which there is something. */
	found: number;
	/** In the last entry, where the line says it. */
	last?: string;
}

/** The lines of pointedLists.md. Throws where one cannot be read. */
export function expectedLists(): ExpectedList[] {
	const lines = readFileSync(join(__dirname, 'pointedLists.md'), 'utf8').split('\n');
	return lines.filter((line) => line.startsWith('| `')).map(readLine);
}

function readLine(line: string): ExpectedList {
	const [, page = '', pointedAt = '', entries = '', ends = '', columns = ''] = line
		.split(/(?<!\\)\|/)
		.map((cell) => cell.replaceAll('\\|', '|').trim());
	const number = Number(/^\d+(?= by )/.exec(entries)?.[0]);
	const [by] = quoted(entries);
	if (!(number > 0) || by === undefined || quoted(ends).length !== 2) {
		throw new Error(`This line of pointedLists.md cannot be read: ${line}`);
	}
	return {
		page: quoted(page).join(),
		pointedAt: quoted(pointedAt),
		entries: number,
		counted: {
			by: new RegExp(by, 'g'),
			after: /after `(.*?)`/.exec(entries)?.[1],
			before: /before `(.*?)`/.exec(entries)?.[1],
		},
		ends: quoted(ends),
		columns: columns.split('<br>').filter(Boolean).map(readColumn),
	};
}

function readColumn(text: string): ExpectedColumn {
	const [pointedAt = '', last] = quoted(text);
	const found = Number(/` (\d+)/.exec(text)?.[1]);
	if (!(found > 0)) throw new Error(`This column of pointedLists.md cannot be read: ${text}`);
	return { pointedAt, found, last };
}

function quoted(text: string): string[] {
	return [...text.matchAll(/`(.*?)`/g)].map(([, inside = '']) => inside);
}

/** How many entries the source of the page has, by its regular expression. */
export function countedIn(source: string, { by, after, before }: ExpectedList['counted']): number {
	const start = after === undefined ? 0 : source.indexOf(after) + after.length;
	const end = before === undefined ? source.length : source.indexOf(before, start);
	if (start < (after?.length ?? 0) || end < 0) return 0;
	return [...source.slice(start, end).matchAll(by)].length;
}
