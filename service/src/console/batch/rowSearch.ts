import type { Batch } from '../../store/batch.ts';
import { valuesOf } from '../../store/row.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { rowSlices } from './rowSlices.ts';
import type { NumberedRow } from './rowTable.ts';

/** Rows that one answer shows. */
const maxMatches = 50;

/** Characters of all rows that one answer shows; one row may be larger. */
const maxCharacters = 16 * 1024 * 1024;

/** Milliseconds of looking for one answer. */
const maxSearch = 2_000;

/** Characters of what is searched for. */
export const maxQuery = 1_000;

/** What a look at some rows of a batch has found. */
export interface Found {
	rows: NumberedRow[];
	/** Rows that were looked at: from this one on (counted from 0) to the next (excluded). */
	from: number;
	to: number;
	/** Rows that can be read now. */
	total: number;
	/** There are more matches from `to` on. Absent `more` below `total`: time was up. */
	more: boolean;
}

/** Matches a text wherever it stands in a value, in capitals or not. */
export function matchOf(query: string): RegExp {
	return new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
}

/**
 * Looks for rows with a value that matches, from the row `from` on: until there are enough for a page,
 * for two seconds at most, and only as long as `signal` is not aborted.
 */
export async function findRows(
	parts: ConsoleParts,
	batch: Batch,
	{ query, from, signal }: { query: string; from: number; signal: AbortSignal },
): Promise<Found> {
	const match = matchOf(query);
	const isMatch = rowMatcher(query, match);
	const deadline = performance.now() + maxSearch;
	const total = await parts.rows.count(batch);
	const rows: NumberedRow[] = [];
	let characters = 0;
	let to = Math.min(from, total);
	for await (const slice of rowSlices(parts, batch, { from, end: total })) {
		for (const [index, content] of slice.rows.entries()) {
			to = slice.offset + index;
			if (!isMatch(content)) continue;
			const isFull = rows.length === maxMatches || characters >= maxCharacters;
			if (isFull) return { rows, from, to, total, more: true };
			rows.push({ number: to + 1, content });
			characters += content.length;
		}
		to = slice.offset + slice.rows.length;
		if (signal.aborted || performance.now() > deadline) break;
	}
	return { rows, from, to, total, more: false };
}

/** Whether a row has a value that matches. Most that have none are known before their JSON is read. */
function rowMatcher(query: string, match: RegExp): (content: string) => boolean {
	const standsAsItIs = JSON.stringify(query) === `"${query}"`;
	return (content) =>
		(!standsAsItIs || match.test(content)) &&
		[...valuesOf(content).values()].some((value) => match.test(value));
}
