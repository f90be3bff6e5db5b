import { isObject, parseJson } from '../api/json';
import { quoted } from '../api/quoted';
import { redact } from '../api/redact';

/** Where a row stands, for error texts. Page and position count from 1. */
export interface RowPlace {
	batchID: string;
	page: number;
	position: number;
}

/** A scraped row: values by field id. */
export type Row = Readonly<Record<string, unknown>>;

/** A row that is no JSON object (section 2.5), or cannot be written as one. */
export class RowError extends Error {
	override name = 'RowError';

	readonly description =
		'Nothing was returned, because a row would be missing. Report this to the service.';
}

/** Some thousands of levels are more than can be written as JSON again. */
const maxLevels = 1_000;

/**
 * A row from the text that the service sent (section 2.5). Throws a RowError that names its place
 * and shows the text of what is no row, without the API key.
 */
export function parseRow(row: unknown, place: RowPlace, apiKey: string): Row {
	const parsed = typeof row === 'string' ? tryParse(row) : row;
	// A level takes two characters, so that most rows need no look.
	const mayBeDeep = typeof row !== 'string' || row.length > 2 * maxLevels;
	if (mayBeDeep && isDeeper(parsed, maxLevels)) {
		throw rowError(place, `nested more than ${maxLevels} levels deep`);
	}
	if (isObject(parsed)) return parsed;
	const text = typeof row === 'string' ? row : JSON.stringify(row);
	throw rowError(place, `not a JSON object: ${quoted(redact(text, apiKey).slice(0, 100))}`);
}

function rowError({ batchID, page, position }: RowPlace, problem: string): RowError {
	return new RowError(`Row ${position} on page ${page} of batch ${batchID} is ${problem}`);
}

function isDeeper(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

function tryParse(text: string): unknown {
	try {
		return parseJson(text);
	} catch {
		return undefined;
	}
}
