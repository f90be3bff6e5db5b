import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { Connection } from '../api/connection';
import { fetchRows } from '../api/paging/fetchRows';
import { readPages } from '../api/paging/rows';
import type { CountedPage } from '../api/paging/rows';
import { readUnseenPages } from '../api/paging/unseen';
import { batchFields } from '../api/wire';
import type { Batch } from '../api/wire';
import { newInThisRead, rowFingerprint } from '../rows/deduplicate';
import { ownKeys, chooseColumns, rowKeys } from '../rows/fieldNames';
import { namesAsIds } from '../rows/namesAsIds';
import { parseRow } from '../rows/parseRow';
import type { Row } from '../rows/parseRow';
import { toJson } from '../rows/toJson';
import type { RowShape } from '../rows/toJson';
import type { RowSettings } from '../settings/rowSettings';
import { WantedColumns } from './missingColumns';
import { minRowCount, ownCount } from './missingRows';
import { readCheck, refuseMissingColumns, refuseTooFew } from './readCheck';
import type { Patience, ReadReport, Reading } from './readCheck';

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
	reading: Reading,
): AsyncGenerator<Row[]> {
	const { deduplication, limit } = settings;
	const { report, columns, patience } = reading;
	if (deduplication === 'service') {
		await countRows(connection, batch, settings);
		await lookForColumns(connection, batch, settings, columns);
	}
	report.hasAsked = true;
	const check = readCheck(connection, batch, settings, reading);
	const isNew = deduplication === 'read' ? newRows() : () => true;
	// How many rows the history will drop is not known here.
	let left = deduplication === 'history' ? Infinity : limit;
	const underIds = namesAsIds(batchFields(batch));
	for await (const page of pagesOf(connection, batch, settings, patience?.waitForMore)) {
		check.page(page);
		const items = deduplication === 'read' ? page.items : page.items.slice(0, left);
		const parsed = underIds(parsedPage(connection, batch, page.page, items));
		const rows: Row[] = [];
		for (const [index, row] of parsed.entries()) {
			if (left === 0) break;
			check.row(row, items[index]);
			if (isNew(row)) {
				rows.push(row);
				left--;
			} else report.duplicates++;
		}
		// Whoever has all that was wanted does not ask for more.
		if (left === 0) await check.end({ isBeginning: true });
		yield rows;
	}
	await check.end({ isBeginning: left === 0 });
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

function pagesOf(
	connection: Connection,
	batch: Batch,
	{ deduplication, deduplicationId, limit, pageSize, preview, concurrency }: RowSettings,
	waitForMore?: Patience['waitForMore'],
): AsyncGenerator<CountedPage<unknown>> {
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

/** Throws where there are too few rows, before any are asked for that the service does not send again. */
async function countRows(
	connection: Connection,
	batch: Batch,
	settings: RowSettings,
): Promise<void> {
	if (settings.minRows === 0) return;
	const one = { ...settings, deduplication: 'off', limit: 1, concurrency: 1 } as const;
	let count = 0;
	for await (const { total } of pagesOf(connection, batch, one)) count = total;
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
	for await (const { items, page } of pagesOf(connection, batch, plain)) {
		for (const row of underIds(parsedPage(connection, batch, page, items))) {
			for (const wanted of columns) wanted.note(row);
			hasRows = true;
		}
		if (areFound()) return;
	}
	if (hasRows) refuseMissingColumns(connection, batch, settings, columns);
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
