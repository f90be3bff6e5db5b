import { ServiceError } from '../../errors/serviceError.ts';
import { ownTurn } from '../../text/ownTurn.ts';
import type { Batch } from '../../store/batch.ts';
import type { ConsoleParts } from '../consoleParts.ts';

/** Rows of a slice, at most. */
const maxRows = 1_000;
/** Characters of a slice: of each file that is downloaded, some slices are held until its client takes them. */
const maxCharacters = 256 * 1024;

/** Rows that stand one behind the other; `offset`: how many rows the batch has before them. */
export interface Slice {
	offset: number;
	rows: string[];
}

/**
 * The rows `from` to `end` (excluded) of a batch, in slices, each in a turn of its own: however many are
 * read at once, other requests get theirs between two of them. Throws when a row is gone.
 */
export async function* rowSlices(
	parts: Pick<ConsoleParts, 'rows'>,
	batch: Batch,
	{ from = 0, end }: { from?: number; end: number },
): AsyncGenerator<Slice> {
	let offset = from;
	while (offset < end) {
		const size = Math.min(maxRows, end - offset);
		await ownTurn();
		const rows = await parts.rows.read(batch, { offset, size }, maxCharacters);
		if (rows.length === 0)
			throw new ServiceError('notFound', `Batch ${batch.id} was deleted while its rows were read.`);
		yield { offset, rows };
		offset += rows.length;
	}
}
