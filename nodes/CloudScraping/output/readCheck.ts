import { hasEnded } from '../api/batchStatus';
import type { Connection } from '../api/connection';
import { fetchRows } from '../api/paging/fetchRows';
import type { CountedPage } from '../api/paging/rows';
import type { Batch } from '../api/wire';
import type { Row } from '../rows/parseRow';
import type { RowSettings } from '../settings/rowSettings';
import type { WantedColumns } from './missingColumns';
import { RowCount, missingRows, tooFewRows } from './missingRows';
import type { Gap } from './missingRows';

/** What a read has met so far: for hints. */
export interface ReadReport {
	rows: number;
	duplicates: number;
	/** Rows that came out in earlier executions. */
	known: number;
	/** Rows whose key a newer batch had: they say nothing new. */
	older: number;
	/** Rows that come out because their values have changed. */
	changed: number;
	/** Whether rows are left for the next execution, at the limit or before. */
	isCut: boolean;
	/** Rows that do not come out, since the first execution is only to remember what is there. */
	remembered: number;
	pages: number;
	/** Whether rows have been asked for at all. */
	hasAsked: boolean;
	/** Characters of the rows that came, as the service sent them. */
	characters: number;
	/** Rows that the service says the batch has. */
	total: number;
	/** What does not fit between the rows that came and those that the service counts. */
	gap: Gap | undefined;
	/** The columns that settings name, and which of them neither the batch nor any row has had. */
	columns: readonly WantedColumns[];
}

export function newReport(): ReadReport {
	return {
		rows: 0,
		duplicates: 0,
		known: 0,
		older: 0,
		changed: 0,
		isCut: false,
		remembered: 0,
		pages: 0,
		hasAsked: false,
		characters: 0,
		total: 0,
		gap: undefined,
		columns: [],
	};
}

/** What a read may do about rows that a batch has, and does not give as it should. */
export interface Patience {
	/** Waits for rows that are counted; false where they have had their time. */
	waitForMore: () => Promise<boolean>;
	/** Whether what came is thrown away for `RowsChanged`, so that the read can begin again. */
	mayBeginAgain: boolean;
}

/** Thrown where rows of a batch that has ended change while they are read: nothing is remembered yet. */
export class RowsChanged extends Error {
	override name = 'RowsChanged';
}

/** What a read looks for, what it may do about what is missing, and where it says what it has met. */
export interface Reading {
	report: ReadReport;
	columns: WantedColumns[];
	patience?: Patience;
}

/** Looks whether a read gives what the batch has, page by page and row by row, and throws where it does not. */
export function readCheck(
	connection: Connection,
	batch: Batch,
	settings: RowSettings,
	{ report, columns, patience }: Reading,
) {
	const count = new RowCount(batch);
	let hasRows = false;
	// It leaves out what it has sent before: neither rows nor columns are missing for that.
	const isByService = settings.deduplication === 'service';
	const mayBeginAgain = patience?.mayBeginAgain && !isByService && hasEnded(batch);
	const refuseChanged = () => {
		if (mayBeginAgain && count.hasChanged) throw new RowsChanged();
	};
	return {
		page(page: CountedPage<unknown>): void {
			count.add(page);
			refuseChanged();
			report.pages++;
			report.total = page.total;
		},

		/** `text`: the row as the service sent it. */
		row(row: Row, text: unknown): void {
			report.characters += typeof text === 'string' ? text.length : 0;
			hasRows = true;
			for (const wanted of columns) wanted.note(row);
		},

		/** When no more pages are asked for; `isBeginning` where that is so because of the limit. */
		async end({ isBeginning }: { isBeginning: boolean }): Promise<void> {
			if (isByService) return;
			const { batchID } = batch;
			await count.compareFirst(fetchRows(connection, { batchID, preview: settings.preview }));
			refuseChanged();
			report.gap = count.gap(isBeginning);
			if (report.gap?.isSure && settings.onMissingRows !== 'return' && hasEnded(batch)) {
				throw missingRows(String(batchID), report.gap);
			}
			refuseTooFew(batch, report.total, settings);
			if (hasRows) refuseMissingColumns(connection, batch, settings, columns);
		},
	};
}

/** Throws where the user takes so few rows for a mistake. */
export function refuseTooFew(batch: Batch, total: number, { minRows }: RowSettings): void {
	if (total < minRows && hasEnded(batch)) throw tooFewRows(batch, total, minRows);
}

/** Throws the first error of columns that are missing. */
export function refuseMissingColumns(
	connection: Connection,
	batch: Batch,
	settings: RowSettings,
	columns: WantedColumns[],
): void {
	for (const wanted of columns) {
		const error = wanted.missing(connection, batch, settings);
		if (error) throw error;
	}
}
