import type { Claim } from './claim.ts';
import { numberIn, textIn, type Columns } from './columns.ts';

/** A page that was given up. */
export interface FailedPage {
	job: number;
	/** Where in its job's steps that was. */
	position: string;
	/** What was worked on: an address, a text, an element, a round. */
	what: string;
	/** The address that failed, or the last one that was opened; empty before the first. */
	address: string;
	reason: string;
	tries: number;
	/** Milliseconds since 1970. */
	time: number;
}

/** Pages of a batch that are kept; the batch's `failedPages` counts those beyond, too. */
export const maxFailuresKept = 1_000;

/** The pages that were given up. A place that fails again after a restart is kept and counted once. */
export interface FailureStore {
	/** Rejects with `PassedOn` where the job is not theirs any more. */
	add(claim: Claim, page: Omit<FailedPage, 'job'>): Promise<void>;
	/** The failed pages of a batch that were kept, the earliest first. */
	of(batchID: bigint): Promise<FailedPage[]>;
}

/** Reads a row of the table `failed_pages`. */
export function failureFrom(columns: Columns): FailedPage {
	return {
		job: numberIn(columns, 'job'),
		position: textIn(columns, 'position'),
		what: textIn(columns, 'what'),
		address: textIn(columns, 'address'),
		reason: textIn(columns, 'reason'),
		tries: numberIn(columns, 'tries'),
		time: numberIn(columns, 'time'),
	};
}
