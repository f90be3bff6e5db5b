import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { hasEnded } from '../api/batchStatus';
import type { Connection } from '../api/connection';
import { fetchRows } from '../api/paging/fetchRows';
import { readPages } from '../api/paging/rows';
import type { Part } from '../api/paging/rows';
import { readUnseenPages } from '../api/paging/unseen';
import { batchFields } from '../api/wire';
import type { Batch } from '../api/wire';
import { newInThisRead, rowFingerprint } from '../rows/deduplicate';
import { ownKeys, chooseColumns, rowKeys } from '../rows/fieldNames';
import { namesAsIds } from '../rows/namedKeys';
import { parseRow } from '../rows/parseRow';
import type { Row } from '../rows/parseRow';
import { toJson } from '../rows/toJson';
import type { RowShape } from '../rows/toJson';
import type { RowSettings } from '../settings/rowSettings';
import { WantedColumns } from './missingColumns';
import { RowCount, minRowCount, missingRows, ownCount, tooFewRows } from './missingRows';
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

/** A row under the service's field ids, and what is added to its item. */
export interface MarkedRow {
	row: Row;
	change?: 'new' | 'changed';
}

/** Keeps those rows that no earlier execution has returned. */
export type HistoryFilter = (
	rows: AsyncIterable<Row[]>,
	limit: number,
	report: ReadReport,
) => AsyncGenerator<MarkedRow[]>;

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

/**
 * The rows of a batch in the service's order, as the `json` of their items, a page at a time.
 * `report` is brought up to date before each page comes out.
 */
export async function* readRows(
	connection: Connection,
	batch: Batch,
	settings: RowSettings,
	report: ReadReport,
	{ keepNew, patience }: { keepNew?: HistoryFilter; patience?: Patience } = {},
): AsyncGenerator<IDataObject[]> {
	const shape = rowShape(batch, settings);
	const { columns } = shape;
	report.columns = columns;
	const rows = parsedRows(connection, batch, settings, { report, columns, patience });
	const marked = keepNew ? keepNew(rows, settings.limit, report) : unmarked(rows);

	for await (const page of marked) {
		const kept = page.slice(0, settings.limit - report.rows);
		report.rows += kept.length;
		report.changed += kept.filter(({ change }) => change === 'changed').length;
		const jsons = kept.map(({ row, change }) => toJson(row, withChange(shape, change)));
		yield jsons;
		if (report.rows >= settings.limit) return;
	}
}

/** The keys of the items, in the order of a table's columns. */
export function tableColumns(batch: Batch, settings: RowSettings): string[] {
	const { keys, only } = rowShape(batch, settings);
	const columns = only ?? keys.columns.map(([, name]) => name);
	return [...new Set([...columns, ...addedKeys(settings)])];
}

/** Keys that are no columns of the batch, in their order. */
function addedKeys(settings: RowSettings): string[] {
	return [
		...(settings.includeBatch ? [ownKeys.batchID, ownKeys.taskID] : []),
		...(marksChanges(settings) ? [ownKeys.change] : []),
	];
}

/** Whether every row says if it is new or changed. */
function marksChanges({ onlyNew }: RowSettings): boolean {
	return onlyNew !== undefined && onlyNew.keyFields.length > 0;
}

async function* parsedRows(
	connection: Connection,
	batch: Batch,
	settings: RowSettings,
	{
		report,
		columns,
		patience,
	}: { report: ReadReport; columns: WantedColumns[]; patience?: Patience },
): AsyncGenerator<Row[]> {
	const { deduplication, limit } = settings;
	const isByService = deduplication === 'service';
	if (isByService) {
		await countRows(connection, batch, settings);
		await lookForColumns(connection, batch, settings, columns);
	}
	report.hasAsked = true;
	const isNew = deduplication === 'read' ? newRows() : () => true;
	// How many rows the history will drop is not known here.
	let left = deduplication === 'history' ? Infinity : limit;
	const underIds = namesAsIds(batchFields(batch));
	const count = new RowCount(batch);
	let hasRows = false;
	const plainRequest = { batchID: batch.batchID, preview: settings.preview };
	const mayBeginAgain = patience?.mayBeginAgain && !isByService && hasEnded(batch);
	const refuseChanged = () => {
		if (mayBeginAgain && count.hasChanged) throw new RowsChanged();
	};
	const checkRead = async () => {
		if (!isByService) await count.compareFirst(fetchRows(connection, plainRequest));
		refuseChanged();
		report.gap = isByService ? undefined : count.gap(left === 0);
		const { gap } = report;
		if (gap?.isSure && settings.onMissingRows !== 'return' && hasEnded(batch)) {
			throw missingRows(String(batch.batchID), gap);
		}
		if (!isByService) refuseTooFew(batch, report.total, settings);
		const missing = hasRows ? missingColumns(connection, batch, settings, columns) : undefined;
		if (missing && !isByService) throw missing;
	};
	for await (const part of readParts(connection, batch, settings, patience?.waitForMore)) {
		count.add(part);
		refuseChanged();
		report.pages++;
		report.total = part.total;
		const rows: Row[] = [];
		const items = deduplication === 'read' ? part.items : part.items.slice(0, left);
		for (const [index, row] of underIds(
			parsedPage(connection, batch, part.page, items),
		).entries()) {
			if (left === 0) break;
			const text = items[index];
			report.characters += typeof text === 'string' ? text.length : 0;
			hasRows = true;
			for (const wanted of columns) wanted.note(row);
			if (isNew(row)) {
				rows.push(row);
				left--;
			} else report.duplicates++;
		}
		// Whoever has all that was wanted does not ask for more.
		if (left === 0) await checkRead();
		yield rows;
	}
	await checkRead();
}

function parsedPage(
	{ apiKey }: Connection,
	{ batchID }: Batch,
	page: number,
	items: readonly unknown[],
): Row[] {
	return items.map((text, index) =>
		parseRow(text, { batchID: String(batchID), page, position: index + 1 }, apiKey),
	);
}

/** Says of each row whether it is the first with its values. */
function newRows(): (row: Row) => boolean {
	const isNew = newInThisRead();
	return (row) => isNew(rowFingerprint(row));
}

async function* unmarked(rows: AsyncIterable<Row[]>): AsyncGenerator<MarkedRow[]> {
	for await (const page of rows) yield page.map((row) => ({ row }));
}

function readParts(
	connection: Connection,
	batch: Batch,
	{ deduplication, deduplicationId, limit, pageSize, preview, concurrency }: RowSettings,
	waitForMore?: Patience['waitForMore'],
): AsyncGenerator<Part<unknown>> {
	const { batchID } = batch;
	const lineCount = ownCount(batch);
	const minCount = minRowCount(batch);
	const fetchPlain = fetchRows(connection, { batchID, preview });
	if (deduplication === 'service') {
		const request = { batchID, preview, deduplicationID: deduplicationId };
		return readUnseenPages(fetchRows(connection, request), fetchPlain, {
			pageSize,
			limit,
			lineCount,
		});
	}
	// How many rows are needed for `limit` rows without duplicates shows only while reading.
	const readLimit = deduplication === 'off' ? limit : Infinity;
	return readPages(fetchPlain, {
		pageSize,
		limit: readLimit,
		concurrency,
		lineCount,
		minCount,
		waitForMore,
	});
}

function rowShape(batch: Batch, settings: RowSettings): RowShape & { columns: WantedColumns[] } {
	const added: IDataObject = settings.includeBatch
		? { [ownKeys.batchID]: batch.batchID, [ownKeys.taskID]: batch.taskID }
		: {};
	const reserved = addedKeys(settings);
	const keys = rowKeys(batchFields(batch), settings.fieldKeys, reserved);
	const keyFields = settings.onlyNew?.keyFields ?? [];
	const keyColumns = new WantedColumns('Key Columns', keys, {
		wanted: keyFields,
		unknown: keyFields.filter((name) => keys.idOf(name) === undefined),
		// The memory knows rows by their own keys.
		writtenAs: (key) => key,
	});
	if (settings.fields.length === 0) return { keys, added, columns: [keyColumns] };
	const { only, unknown } = chooseColumns(settings.fields, keys);
	const [wanted, missing] = [only, unknown].map((names) =>
		names.filter((name) => !reserved.includes(name)),
	);
	const returned = new WantedColumns('Columns to Return', keys, { wanted, unknown: missing });
	return { keys, added, only, columns: [keyColumns, returned] };
}

function withChange(shape: RowShape, change: MarkedRow['change']): RowShape {
	return change ? { ...shape, added: { ...shape.added, [ownKeys.change]: change } } : shape;
}

function refuseTooFew(batch: Batch, total: number, { minRows }: RowSettings): void {
	if (total < minRows && hasEnded(batch)) throw tooFewRows(batch.batchID, total, minRows);
}

/** Throws where there are too few rows, before any are asked for that the service does not send again. */
async function countRows(
	connection: Connection,
	batch: Batch,
	settings: RowSettings,
): Promise<void> {
	if (settings.minRows === 0) return;
	const one = { ...settings, deduplication: 'off', limit: 1, concurrency: 1 } as const;
	let count = 0;
	for await (const { total } of readParts(connection, batch, one)) count = total;
	refuseTooFew(batch, count, settings);
}

/**
 * Throws where columns are missing, before anything is asked for that the service does not send again:
 * they are looked for in rows that are read without deduplication, as far as needed.
 */
async function lookForColumns(
	connection: Connection,
	batch: Batch,
	settings: RowSettings,
	columns: WantedColumns[],
): Promise<void> {
	const areFound = () => columns.every((wanted) => wanted.areFound);
	if (areFound()) return;
	let hasRows = Number(batch.lineCount) > 0;
	const underIds = namesAsIds(batchFields(batch));
	const plain = { ...settings, deduplication: 'off', limit: Infinity, concurrency: 1 } as const;
	for await (const { items, page } of readParts(connection, batch, plain)) {
		for (const row of underIds(parsedPage(connection, batch, page, items))) {
			for (const wanted of columns) wanted.note(row);
			hasRows = true;
		}
		if (areFound()) return;
	}
	const missing = hasRows ? missingColumns(connection, batch, settings, columns) : undefined;
	if (missing) throw missing;
}

/** The first error of columns that are missing. */
function missingColumns(
	connection: Connection,
	batch: Batch,
	settings: RowSettings,
	columns: WantedColumns[],
): Error | undefined {
	for (const wanted of columns) {
		const error = wanted.missing(connection, batch, settings);
		if (error) return error;
	}
	return undefined;
}

/**
 * Whether the service may have sent rows to a read that failed. A request
 * that failed tells whether it arrived; whatever else goes wrong does so with an answer.
 */
export function mayHaveLostRows(error: Error, { pages, hasAsked }: ReadReport): boolean {
	if (!hasAsked) return false;
	const sentNothing = error instanceof NodeApiError && error.context.mayHaveArrived !== true;
	return pages > 0 || !sentNothing;
}
