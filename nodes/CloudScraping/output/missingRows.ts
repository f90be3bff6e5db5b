import { hasEnded } from '../api/batchStatus';
import type { Part } from '../api/pages';
import { PagingError } from '../api/pagesAhead';
import type { Batch, WireInteger } from '../api/wire';
import { minRowsName } from '../settings/rowSettings';

/** A batch gives other than the rows that the service counts. */
export interface Gap {
	counted: number;
	came: number;
	/** The first page that has fewer or more rows than belonged there when it came, or those of an earlier one. */
	oddPage?: OddPage;
	/** Only the beginning of the batch was read. */
	isBeginning: boolean;
	/**
	 * Not sure is what the batch says of itself, unless nothing came at all: the specification leaves open
	 * what it counts.
	 */
	isSure: boolean;
}

interface OddPage {
	page: number;
	rows: number;
	places: number;
	repeats?: number;
}

/** Compares the rows that came with those that the service counts, page by page. */
export class RowCount {
	#came = 0;

	#end = 0;

	#total = 0;

	#oddPage: OddPage | undefined;

	readonly #batch: Batch;

	constructor(batch: Batch) {
		this.#batch = batch;
	}

	add({ page, rows, places, end, total, repeats }: Part<unknown>): void {
		this.#came += rows;
		this.#end = end;
		this.#total = total;
		if (rows !== places || repeats !== undefined) {
			this.#oddPage ??= { page, rows, places, repeats };
		}
	}

	/** What does not fit, if anything; `isBeginning` when the read has stopped at its limit. */
	gap(isBeginning: boolean): Gap | undefined {
		const came = this.#came;
		const counted = isBeginning ? Math.min(this.#total, this.#end) : this.#total;
		if (this.#oddPage || came !== counted) {
			return { counted, came, oddPage: this.#oddPage, isBeginning, isSure: true };
		}
		const least = leastRows(this.#batch);
		if (isBeginning || least <= came) return undefined;
		return { counted: least, came, isBeginning, isSure: came === 0 };
	}
}

/** How many rows a batch has by its own word, once that does not change any more. */
export function ownCount(batch: Batch): number | undefined {
	const count = Number(batch.lineCount ?? NaN);
	return hasEnded(batch) && Number.isSafeInteger(count) ? count : undefined;
}

/**
 * How many rows a batch has at least by its own word, once it has ended. The specification does not say
 * whether duplicates are among the rows that can be read.
 */
export function leastRows(batch: Batch): number {
	const duplicates = Number(batch.duplicatedCount ?? 0);
	return Math.max(0, (ownCount(batch) ?? 0) - (Number.isSafeInteger(duplicates) ? duplicates : 0));
}

/** The gap in words, for an error or a hint. */
export function describeGap(batchID: WireInteger, { counted, came, isBeginning }: Gap): string {
	if (counted === came) {
		return `Rows of batch ${batchID} came on the wrong pages`;
	}
	const where = isBeginning ? 'on the pages that were read of' : 'in';
	return `The service counts ${inRows(counted)} ${where} batch ${batchID}, but gave ${came}`;
}

/** The error for a batch that has ended: nothing will change any more. */
export function missingRows(batchID: WireInteger, gap: Gap): PagingError {
	return new PagingError(
		describeGap(batchID, gap),
		[
			...(gap.oddPage ? [describePage(gap.oddPage)] : []),
			'Nothing was returned, because rows would be missing or doubled. Try again later. If it stays, set the option "On Missing Rows" to "Return Available Rows", and report this to the service.',
		].join(' '),
	);
}

/** The error for a batch that has ended with fewer rows than the user takes for right. */
export function tooFewRows(batchID: WireInteger, total: number, minRows: number): PagingError {
	return new PagingError(
		`Batch ${batchID} has ${inRows(total)}, fewer than ${minRows} (${minRowsName})`,
		'Nothing was returned, and nothing is remembered of it. Look at what the task finds on its pages, or set a lower number.',
	);
}

function describePage({ page, rows, places, repeats }: OddPage): string {
	if (repeats !== undefined) {
		return `Page ${page} has the same rows as page ${repeats}, also when it was asked for again: something between n8n and the service may not look at the page that is asked for, such as a cache.`;
	}
	const again = rows < places ? ', also when it was asked for again' : '';
	return `Page ${page} has ${inRows(rows)} instead of ${places}${again}.`;
}

function inRows(count: number): string {
	return `${count} ${count === 1 ? 'row' : 'rows'}`;
}
