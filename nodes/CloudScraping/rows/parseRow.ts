import { isObject } from '../api/envelope';
import { parseJson } from '../api/parseJson';
import { redact } from '../api/redact';

/** Where a row stands, for error texts. Page and position count from 1. */
export interface RowPlace {
	batchID: string;
	page: number;
	position: number;
}

/** A scraped row: values by field id. */
export type Row = Readonly<Record<string, unknown>>;

/** A row that is no JSON object (section 2.5). */
export class RowError extends Error {
	override name = 'RowError';

	readonly description =
		'Nothing was returned, because a row would be missing. Run the task again, or report this to the service.';
}

/**
 * A row from the text that the service sent (section 2.5). Throws a RowError that shows the text of
 * what is no row, without the API key.
 */
export function parseRow(row: unknown, { batchID, page, position }: RowPlace, apiKey: string): Row {
	const parsed = typeof row === 'string' ? tryParse(row) : row;
	if (isObject(parsed)) return parsed;
	const text = typeof row === 'string' ? row : JSON.stringify(row);
	const shown = redact(text, apiKey).slice(0, 100);
	throw new RowError(
		`Row ${position} on page ${page} of batch ${batchID} is not a JSON object: ${shown}`,
	);
}

function tryParse(text: string): unknown {
	try {
		return parseJson(text);
	} catch {
		return undefined;
	}
}
