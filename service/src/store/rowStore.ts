import { hash } from 'node:crypto';
import { status, type Batch } from './batch.ts';
import type { Claim } from './claim.ts';
import { numberIn, type Columns } from './columns.ts';
import { rowIn } from './row.ts';

/** A scraped row: `content` is its JSON object, `position` the place in its job where it was scraped. */
export interface NewRow {
	position: string;
	content: string;
}

/** Rows that stand one behind the other: so many, after the first `offset` of their batch. */
export interface RowWindow {
	offset: number;
	size: number;
}

/**
 * The rows of all batches. They are read in the order of their jobs, and a row never changes its
 * place: while a batch runs, the rows behind its first unfinished job are held back.
 */
export interface RowStore {
	/**
	 * Stores rows behind those of their job; a position that the job has a row for is left as it is.
	 * Resolves to the highest number that one of them has in its job, duplicates of the batch left out; -1
	 * if there is none. `firstItem`: the first item of their job that is still to be done besides, if that is said.
	 * Rejects with `PassedOn` where the job is not theirs any more.
	 */
	append(claim: Claim, rows: NewRow[], firstItem?: number): Promise<number>;
	/** How many rows of a batch can be read now. */
	count(batch: Batch): Promise<number>;
	/**
	 * The rows of a window as JSON, as many as have so many characters (unless said: some millions) together
	 * with the one that goes beyond: rows may be large. None only where there is none. They end where one is
	 * missing, as while their batch is deleted: what is behind it would not be in its place.
	 */
	read(batch: Batch, window: RowWindow, maxCharacters?: number): Promise<string[]>;
}

/** Characters of rows that are read at once. */
export const sliceLength = 4 * 1024 * 1024;

/** The rows of a job. */
export interface JobRows {
	number: number;
	done: boolean;
	rowCount: number;
}

/** Those of all jobs of a batch, in order, that can be read now. */
export function readableJobs({ status: now }: Batch, jobs: JobRows[]): JobRows[] {
	const firstUnfinished = jobs.findIndex(({ done }) => !done);
	const ended = now === status.successful || now === status.stopped;
	return ended || firstUnfinished === -1 ? jobs : jobs.slice(0, firstUnfinished + 1);
}

/** The parts of a window that lie in these jobs: the numbers `from` to `to` (excluded) of their rows. */
export function partsOf(
	{ offset, size }: RowWindow,
	jobs: JobRows[],
): { job: number; from: number; to: number }[] {
	let jobStart = 0;
	return jobs.flatMap(({ number: job, rowCount }) => {
		const from = Math.max(offset - jobStart, 0);
		const to = Math.min(offset + size - jobStart, rowCount);
		jobStart += rowCount;
		return from < to ? [{ job, from, to }] : [];
	});
}

/** Equal for rows whose field values are all equal (section 4.4), in whatever order their fields stand. */
export function hashOf(content: string): Uint8Array {
	const row = rowIn(content) ?? {};
	const ids = Object.keys(row);
	const sorted = ids.toSorted();
	if (ids.every((id, place) => id === sorted[place])) return hash('sha256', content, 'buffer');
	const inOrder = Object.fromEntries(sorted.map((id) => [id, row[id]]));
	return hash('sha256', JSON.stringify(inOrder), 'buffer');
}

/** Reads how many rows a job has from a row of the table `jobs`. */
export function jobRowsFrom(columns: Columns): JobRows {
	return {
		number: numberIn(columns, 'number'),
		done: numberIn(columns, 'done') === 1,
		rowCount: numberIn(columns, 'row_count'),
	};
}
