import { setImmediate } from 'node:timers/promises';
import type { Batch } from '../../store/batch.ts';
import type { ConsoleParts } from '../consoleParts.ts';

/** Rows of a slice, at most. */
const mostRows = 1_000;

/** Characters of a slice after which it has no more rows; one row may be larger. */
const mostCharacters = 4 * 1024 * 1024;

/** Rows that stand one behind the other; `offset`: how many rows the batch has before them. */
export interface Slice {
	offset: number;
	rows: string[];
}

/** The rows of a window, or the first ones of it if all would be too many characters. */
export function readSlice(
	{ rows }: Pick<ConsoleParts, 'rows'>,
	batch: Batch,
	window: { offset: number; size: number },
	characters = mostCharacters,
): string[] {
	const slice: string[] = [];
	let sum = 0;
	for (const row of rows.read(batch, window)) {
		slice.push(row);
		sum += row.length;
		if (sum >= characters) break;
	}
	return slice;
}

/**
 * The rows `from` to `end` (excluded) of a batch, in slices, between which other requests get their
 * turn. Throws when a row is gone, and when `signal` is aborted.
 */
export async function* rowSlices(
	parts: Pick<ConsoleParts, 'rows'>,
	batch: Batch,
	{ from = 0, end, signal }: { from?: number; end: number; signal?: AbortSignal },
): AsyncGenerator<Slice> {
	let offset = from;
	while (offset < end) {
		const size = Math.min(mostRows, end - offset);
		const rows = readSlice(parts, batch, { offset, size });
		if (rows.length === 0) throw new Error(`The rows of batch ${batch.id} are gone.`);
		yield { offset, rows };
		offset += rows.length;
		await setImmediate();
		signal?.throwIfAborted();
	}
}
