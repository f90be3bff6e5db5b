import { PagingError } from '../api/pagesAhead';
import type { Part } from '../api/pages';
import type { WireInteger } from '../api/types';

/** A batch gives other than the rows that it counts. */
export interface Gap {
	counted: number;
	came: number;
	/** The first page that has fewer or more rows than belong there. */
	page: number;
	rows: number;
	places: number;
	/** Only the beginning of the batch was read. */
	isBeginning: boolean;
}

/** Compares what came with what the service counts, page by page. */
export class RowCount {
	#came = 0;

	#places = 0;

	#total = 0;

	#oddPage: Pick<Gap, 'page' | 'rows' | 'places'> | undefined;

	add({ page, rows, places, total }: Part<unknown>): void {
		this.#came += rows;
		this.#places += places;
		this.#total = total;
		if (rows !== places) this.#oddPage ??= { page, rows, places };
	}

	/** What does not fit, if anything; `isBeginning` when the read has stopped at its limit. */
	gap(isBeginning: boolean): Gap | undefined {
		if (!this.#oddPage) return undefined;
		const counted = isBeginning ? this.#places : this.#total;
		return { counted, came: this.#came, ...this.#oddPage, isBeginning };
	}
}

/** The gap in words, for an error or a hint. */
export function describeGap(batchID: WireInteger, { counted, came, isBeginning }: Gap): string {
	if (counted === came)
		return `The rows of batch ${batchID} are not on the pages where they belong`;
	return isBeginning
		? `Of the first ${counted} rows that the service counts in batch ${batchID} it gave ${came}`
		: `The service counts ${counted} rows in batch ${batchID}, but gave ${came}`;
}

/** The error for a batch that has ended: nothing will change any more. */
export function missingRows(batchID: WireInteger, gap: Gap): PagingError {
	const { page, rows, places } = gap;
	return new PagingError(
		describeGap(batchID, gap),
		`Page ${page} has ${rows} rows where ${places} belong, also when it is asked for again. Nothing was returned, because rows would be missing or doubled. Try again later; if it stays, set the option "On Missing Rows" to "Return What Came", and report this to the service.`,
	);
}
