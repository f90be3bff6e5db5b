import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { hasEnded } from '../api/batches';
import type { Connection } from '../api/connection';
import { fetchRows } from '../api/fetchRows';
import { readPages } from '../api/pages';
import type { Part } from '../api/pages';
import { readUnseenPages } from '../api/unseenPages';
import { batchFields } from '../api/wire';
import type { Batch } from '../api/wire';
import { newInThisRead, rowFingerprint } from '../rows/deduplicate';
import { ownKeys, chooseColumns, rowKeys } from '../rows/fieldNames';
import type { RowKeys } from '../rows/fieldNames';
import { parseRow } from '../rows/parseRow';
import type { Row } from '../rows/parseRow';
import { toJson } from '../rows/toJson';
import type { RowShape } from '../rows/toJson';
import type { RowSettings } from '../settings/rowSettings';
import { missingColumns } from './missingColumns';
import { RowCount, leastRows, missingRows, ownCount } from './missingRows';
import type { Gap } from './missingRows';

/** What a read has met so far: for hints. */
export interface ReadReport {
	rows: number;
	duplicates: number;
	/** Rows that came out in earlier executions. */
	known: number;
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
	/** Wanted columns that neither the batch nor any row has had. */
	unknownColumns: Set<string>;
}

export function newReport(): ReadReport {
	return {
		rows: 0,
		duplicates: 0,
		known: 0,
		remembered: 0,
		pages: 0,
		hasAsked: false,
		characters: 0,
		total: 0,
		gap: undefined,
		unknownColumns: new Set(),
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

/**
 * The rows of a batch in the service's order, as the `json` of their items, a page at a time.
 * `report` is brought up to date before each page comes out.
 */
export async function* readRows(
	connection: Connection,
	batch: Batch,
	settings: RowSettings,
	report: ReadReport,
	keepNew?: HistoryFilter,
): AsyncGenerator<IDataObject[]> {
	const shape = rowShape(batch, settings);
	for (const name of shape.unknown) report.unknownColumns.add(name);
	const rows = parsedRows(connection, batch, settings, { report, keys: shape.keys });
	const marked = keepNew ? keepNew(rows, settings.limit, report) : unmarked(rows);

	for await (const page of marked) {
		const kept = page.slice(0, settings.limit - report.rows);
		report.rows += kept.length;
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
	{ report, keys }: { report: ReadReport; keys: RowKeys },
): AsyncGenerator<Row[]> {
	const batchID = String(batch.batchID);
	const { deduplication, limit } = settings;
	const isByService = deduplication === 'service';
	// What the service has sent once does not come again: nothing is asked for that may be of no use.
	if (isByService && Number(batch.lineCount) !== 0) {
		refuseUnknownColumns(connection, batch, settings, report);
	}
	report.hasAsked = true;
	const isNew = deduplication === 'read' ? newRows() : () => true;
	// How many rows the history will drop is not known here.
	let left = deduplication === 'history' ? Infinity : limit;
	const count = new RowCount(batch);
	let hasRows = false;
	const checkRead = () => {
		report.gap = isByService ? undefined : count.gap(left === 0);
		const { gap } = report;
		if (gap?.isSure && settings.onMissingRows !== 'return' && hasEnded(batch)) {
			throw missingRows(batchID, gap);
		}
		if (hasRows && !isByService) refuseUnknownColumns(connection, batch, settings, report);
	};
	for await (const part of readParts(connection, batch, settings)) {
		count.add(part);
		report.pages++;
		report.total = part.total;
		const rows: Row[] = [];
		for (const [index, text] of part.items.entries()) {
			if (left === 0) break;
			const place = { batchID, page: part.page, position: index + 1 };
			const row = parseRow(text, place, connection.apiKey);
			report.characters += typeof text === 'string' ? text.length : 0;
			hasRows = true;
			noteColumns(row, keys, report);
			if (isNew(row)) {
				rows.push(row);
				left--;
			} else report.duplicates++;
		}
		// Whoever has all that was wanted does not ask for more.
		if (left === 0) checkRead();
		yield rows;
	}
	checkRead();
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
): AsyncGenerator<Part<unknown>> {
	const { batchID } = batch;
	const lineCount = ownCount(batch);
	const leastCount = leastRows(batch);
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
		leastCount,
	});
}

function rowShape(batch: Batch, settings: RowSettings): RowShape & { unknown: string[] } {
	const added: IDataObject = settings.includeBatch
		? { [ownKeys.batchID]: batch.batchID, [ownKeys.taskID]: batch.taskID }
		: {};
	const reserved = addedKeys(settings);
	const keys = rowKeys(batchFields(batch), settings.fieldKeys, reserved);
	if (settings.fields.length === 0) return { keys, added, unknown: [] };
	const { only, unknown } = chooseColumns(settings.fields, keys);
	return { keys, added, only, unknown: unknown.filter((name) => !reserved.includes(name)) };
}

function withChange(shape: RowShape, change: MarkedRow['change']): RowShape {
	return change ? { ...shape, added: { ...shape.added, [ownKeys.change]: change } } : shape;
}

/** A column that is no field of the batch may still be a key of its rows. */
function noteColumns(row: Row, { nameOf }: RowKeys, { unknownColumns }: ReadReport): void {
	if (unknownColumns.size === 0) return;
	for (const key of Object.keys(row)) unknownColumns.delete(nameOf(key));
}

/** Throws for columns that are still unknown. A batch that lists no columns may have any. */
function refuseUnknownColumns(
	connection: Connection,
	batch: Batch,
	{ fieldKeys }: RowSettings,
	{ unknownColumns }: ReadReport,
): void {
	if (unknownColumns.size === 0 || batchFields(batch).length === 0) return;
	const missing = { asked: [...unknownColumns], setting: 'Columns to Return', fieldKeys };
	throw missingColumns(connection, batch, missing);
}

/**
 * Whether the service may have sent rows to a read that failed. Only of a request is it known that
 * it surely did not arrive, or was refused: what goes wrong otherwise does so with an answer.
 */
export function mayHaveLostRows(error: Error, { pages, hasAsked }: ReadReport): boolean {
	if (!hasAsked) return false;
	const sentNothing = error instanceof NodeApiError && error.context.mayHaveArrived !== true;
	return pages > 0 || !sentNothing;
}
