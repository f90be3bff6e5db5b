import type { IDataObject } from 'n8n-workflow';

import { fetchRows } from '../api/data';
import { readPages } from '../api/pages';
import type { Part } from '../api/pages';
import { batchFields } from '../api/readData';
import type { Batch } from '../api/types';
import { readUnseenPages } from '../api/unseenPages';
import { newInThisRead } from '../rows/deduplicate';
import { ADDED_KEYS, chooseColumns, rowKeys } from '../rows/fieldNames';
import { parseRow } from '../rows/parseRow';
import { toJson } from '../rows/toJson';
import type { RowShape } from '../rows/toJson';
import type { Run } from './operation';
import type { RowSettings } from './rowSettings';

/** What a read has met so far: for hints. */
export interface ReadReport {
	rows: number;
	duplicates: number;
	/** Wanted columns that neither the batch nor any row has had. */
	unknownColumns: Set<string>;
}

/**
 * The rows of a batch in the service's order, as the `json` of their items, a page at a time.
 * `report` is brought up to date before each page comes out.
 */
export async function* readRows(
	{ connection }: Run,
	batch: Batch,
	settings: RowSettings,
	report: ReadReport,
): AsyncGenerator<IDataObject[]> {
	const shape = rowShape(batch, settings, report);
	const isNew = settings.deduplication === 'read' ? newInThisRead() : () => true;
	const batchID = String(batch.batchID);

	for await (const { items, page, position } of readParts({ connection }, batch, settings)) {
		const jsons: IDataObject[] = [];
		for (const [index, text] of items.entries()) {
			const row = parseRow(text, { batchID, page, position: position + index });
			if (!isNew(row)) {
				report.duplicates++;
				continue;
			}
			jsons.push(toJson(row, shape));
			report.rows++;
			if (report.rows >= settings.limit) break;
		}
		noteColumns(jsons, report);
		yield jsons;
		if (report.rows >= settings.limit) return;
	}
}

export function newReport(): ReadReport {
	return { rows: 0, duplicates: 0, unknownColumns: new Set() };
}

function readParts(
	{ connection }: Pick<Run, 'connection'>,
	{ batchID }: Batch,
	{ deduplication, deduplicationId, limit, pageSize, preview, concurrency }: RowSettings,
): AsyncGenerator<Part<unknown>> {
	const fetchPlain = fetchRows(connection, { batchID, preview });
	if (deduplication === 'service') {
		const request = { batchID, preview, deduplicationID: deduplicationId };
		return readUnseenPages(fetchRows(connection, request), fetchPlain, { pageSize, limit });
	}
	// How many rows are needed for `limit` rows without duplicates shows only while reading.
	const readLimit = deduplication === 'off' ? limit : Infinity;
	return readPages(fetchPlain, { pageSize, limit: readLimit, concurrency });
}

function rowShape(
	batch: Batch,
	{ fieldKeys, fields, includeBatch }: RowSettings,
	report: ReadReport,
): RowShape {
	const added: IDataObject = includeBatch
		? { [ADDED_KEYS.batchID]: batch.batchID, [ADDED_KEYS.taskID]: batch.taskID }
		: {};
	const keys = rowKeys(batchFields(batch), fieldKeys, Object.keys(added));
	if (fields.length === 0) return { keys, added };
	const { only, unknown } = chooseColumns(fields, keys);
	for (const name of unknown) report.unknownColumns.add(name);
	return { keys, only, added };
}

/** A column that is no field of the batch may still be a key of its rows. */
function noteColumns(jsons: IDataObject[], { unknownColumns }: ReadReport): void {
	for (const name of unknownColumns) {
		if (jsons.some((json) => Object.hasOwn(json, name))) unknownColumns.delete(name);
	}
}
