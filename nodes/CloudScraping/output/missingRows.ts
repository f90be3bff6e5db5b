import { hasEnded } from '../api/batchStatus';
import { saidIn } from '../api/errors';
import { PagingError } from '../api/paging/page';
import type { FetchPage } from '../api/paging/page';
import type { CountedPage } from '../api/paging/rows';
import { toInteger } from '../api/wire';
import type { Batch, WireInteger } from '../api/wire';
import { minRowsName } from '../settings/rowSettings';

/** How the rows that came differ from those that the service counts. */
export interface Gap {
	counted: number;
	came: number;
	/** The first page that has fewer or more rows than belonged there when it came, or those of an earlier one. */
	oddPage?: OddPage;
	/** Only the beginning of the batch was read. */
	isBeginning: boolean;
	/** The list of rows was another one for some pages than for others: rows may be doubled and missing. */
	hasChanged: boolean;
	/** Why the service gives no rows behind those that came. */
	refused?: Error;
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

	/** The first page with rows, and whether the `total` of another one differs from its own. */
	#first: CountedPage<unknown> | undefined;

	#isDoubtful = false;

	#hasChanged = false;

	#refused: Error | undefined;

	readonly #batch: Batch;

	constructor(batch: Batch) {
		this.#batch = batch;
	}

	/** Whether the pages are not all of one list: rows may have moved from one to another in between. */
	get hasChanged(): boolean {
		return this.#hasChanged;
	}

	add(counted: CountedPage<unknown>): void {
		const { page, rows, places, end, total, repeats } = counted;
		this.#came += rows;
		this.#end = end;
		this.#total = total;
		this.#refused = counted.refused;
		if (rows > 0) {
			this.#first ??= counted;
			this.#isDoubtful ||= counted.counted !== this.#first.counted;
			this.#hasChanged ||= counted.hasGrown ?? false;
		}
		if (rows !== places || repeats !== undefined) {
			this.#oddPage ??= { page, rows, places, repeats };
		}
	}

	/**
	 * Where pages say different totals, the first is asked for once more: a service may estimate `total`
	 * page by page, and says the same of it then; a batch that runs may have more rows at its end.
	 */
	async compareFirst(fetchPage: FetchPage<unknown>): Promise<void> {
		if (!this.#first || !this.#isDoubtful || this.#hasChanged) return;
		const { items, page, end, counted } = this.#first;
		const again = await fetchPage(page, end / page);
		this.#hasChanged =
			'refused' in again ||
			(again.pagination.total !== counted && hasEnded(this.#batch)) ||
			JSON.stringify(again.list.slice(0, items.length)) !== JSON.stringify(items);
	}

	/** What does not fit, if anything; `isBeginning` when the read has stopped at its limit. */
	gap(isBeginning: boolean): Gap | undefined {
		const came = this.#came;
		const [hasChanged, refused] = [this.#hasChanged, this.#refused];
		const found = { came, isBeginning, hasChanged, refused };
		const counted = isBeginning ? Math.min(this.#total, this.#end) : this.#total;
		if (this.#oddPage || came !== counted || hasChanged) {
			return { ...found, counted, oddPage: this.#oddPage, isSure: true };
		}
		const most = ownCount(this.#batch) ?? Infinity;
		if (came > most) return { ...found, counted: most, isBeginning: false, isSure: false };
		const least = minRowCount(this.#batch);
		if (isBeginning || least <= came) return undefined;
		return { ...found, counted: least, isSure: came === 0 || refused !== undefined };
	}
}

/** How many rows a batch has by its own word, once that does not change any more. */
export function ownCount(batch: Batch): number | undefined {
	const count = toInteger(batch.lineCount) ?? -1;
	return hasEnded(batch) && count >= 0 ? count : undefined;
}

/**
 * How many rows a batch has at least by its own word, once it has ended. The specification does not say
 * whether duplicates are among the rows that can be read.
 */
export function minRowCount(batch: Batch): number {
	const duplicates = Number(batch.duplicatedCount ?? 0);
	return Math.max(0, (ownCount(batch) ?? 0) - (Number.isSafeInteger(duplicates) ? duplicates : 0));
}

/** The gap in words, for an error or a hint. */
export function describeGap(batchID: WireInteger, gap: Gap): string {
	const { counted, came, isBeginning, refused } = gap;
	if (counted === came) {
		if (gap.hasChanged && !gap.oddPage) {
			return `The rows of batch ${batchID} changed while they were read: some may be duplicated or missing`;
		}
		return `Rows of batch ${batchID} came on the wrong pages`;
	}
	const where = isBeginning ? 'on the pages read from' : 'in';
	const isRefused = refused ? ', and refuses to return the rest' : '';
	return `The service counts ${inRows(counted)} ${where} batch ${batchID}, but returned ${came}${isRefused}`;
}

/** The same where it is so of several batches: what all have in common, and how it is with this one. */
export function gapOfSeveral(gap: Gap): { all: string; each?: string } {
	const { counted, came, isBeginning, refused } = gap;
	if (counted === came) {
		return gap.hasChanged && !gap.oddPage
			? { all: 'changed while they were read, and some rows may be duplicated or missing' }
			: { all: 'gave rows on the wrong pages' };
	}
	const where = isBeginning ? ' on the pages read' : '';
	const isRefused = refused ? ', and refuses to return the rest' : '';
	return {
		all: `gave ${came < counted ? 'fewer' : 'more'} rows than the service counts`,
		each: `(${came} instead of ${counted}${where}${isRefused})`,
	};
}

/** The error for a batch that has ended: nothing will change any more. */
export function missingRows(batchID: WireInteger, gap: Gap): PagingError {
	return new PagingError(
		describeGap(batchID, gap),
		[
			...(gap.oddPage ? [describePage(gap.oddPage)] : []),
			...(gap.refused ? [describeRefused(gap.came, gap.refused)] : []),
			"Nothing was returned, because rows would be missing or duplicated. Try again later. If that does not help, set the option 'On Missing Rows' to 'Return Available Rows', and report this to the service.",
		].join(' '),
	);
}

/** A batch that has ended has no rows: there is nothing to read of it. */
export class NoRowsError extends PagingError {
	override name = 'NoRowsError';
}

/** The error for a batch that has ended with fewer rows than the user takes for right. */
export function tooFewRows(batch: Batch, total: number, minRows: number): PagingError {
	const message = `Batch ${batch.batchID} has ${inRows(total)}, fewer than ${minRows} (${minRowsName})`;
	if (total === 0 && !ownCount(batch)) {
		return new NoRowsError(
			message,
			"No row was found. Look at the batch's page in the service's web console: which pages failed, and which selectors found nothing.",
		);
	}
	return new PagingError(
		message,
		'Nothing was returned or remembered. Check what the task finds on its pages, or set a lower number.',
	);
}

function describePage({ page, rows, places, repeats }: OddPage): string {
	if (repeats !== undefined) {
		return `Page ${page} has the same rows as page ${repeats}, even when requested again: something between n8n and the service, such as a cache, may ignore the page number.`;
	}
	const again = rows < places ? ', even when requested again' : '';
	return `Page ${page} has ${inRows(rows)} instead of ${places}${again}.`;
}

/** A service may give no page that is too far back. */
function describeRefused(came: number, refused: Error): string {
	return `After ${inRows(came)} the service refused the next one, even on its own: ${saidIn(refused)}. To get the first ${inRows(came)}, turn off 'Return All' and set 'Limit' to ${came}.`;
}

function inRows(count: number): string {
	return `${count} ${count === 1 ? 'row' : 'rows'}`;
}
