import type { IExecuteFunctions } from 'n8n-workflow';

import { redact } from '../api/redact';
import { batchFields } from '../api/wire';
import type { Batch } from '../api/wire';
import { rowFingerprint, valuesFingerprint } from '../rows/deduplicate';
import { rowKeys } from '../rows/fieldNames';
import type { Row } from '../rows/parseRow';
import type { Run } from '../run';
import { invalid } from '../settings/fieldValues';
import type { RowSettings } from '../settings/rowSettings';
import type { HistoryFilter, MarkedRow } from './readRows';

const entriesMode = { mode: 'entries' } as const;

/** The store reads and writes all that it remembers each time, so it is asked for many rows at once. */
const rowsAtOnce = 1_000;

/**
 * Keeps the rows that this node has never returned in this workflow, by n8n's own processed-data
 * store. With key fields, a row whose key is known but whose values are not comes out as "changed".
 *
 * n8n's store checks and remembers in one step. So nothing is remembered before the whole read has
 * succeeded, rows beyond the limit are given back, and what was remembered is taken back when the node fails.
 */
export function historyFilter(run: Run, batch: Batch, settings: RowSettings): HistoryFilter {
	const keyIds = keyFieldIds(run, batch, settings);

	return async function* keepNew(pages, limit, report) {
		const rows: Row[] = [];
		for await (const page of pages) for (const row of page) rows.push(row);

		let left = limit;
		let next = 0;
		while (next < rows.length && left > 0) {
			const chunk = rows.slice(next, next + Math.max(left, rowsAtOnce));
			next += chunk.length;
			const recorded = await recordNew(run, chunk, keyIds);
			const kept = recorded.slice(0, left);
			await forget(
				run.context,
				recorded.slice(left).flatMap(({ entries }) => entries),
			);
			left -= kept.length;
			// Duplicates behind the last row that is returned are none of this read.
			const last = left === 0 ? kept.at(-1)?.index : undefined;
			report.duplicates += (last === undefined ? chunk.length : last + 1) - kept.length;
			yield kept.map(({ marked }) => marked);
		}
	};
}

/** A row that was not known, and what the store remembers of it. */
interface Recorded {
	marked: MarkedRow;
	/** Its position in the rows that were recorded together. */
	index: number;
	entries: string[];
}

async function recordNew(run: Run, rows: Row[], keyIds: string[]): Promise<Recorded[]> {
	const { helpers } = run.context;
	const entries = rows.map((row, index) => ({
		row,
		index,
		values: `row ${rowFingerprint(row)}`,
		key: `key ${valuesFingerprint(row, keyIds)}`,
	}));
	const asked = entries.flatMap(({ values, key }) =>
		keyIds.length > 0 ? [values, key] : [values],
	);
	const answer = await helpers.checkProcessedAndRecord([...new Set(asked)], 'node', entriesMode);
	const added = answer.new.map(String);
	run.undoOnFailure(async () => await forget(run.context, added));

	const unknown = new Set(added);
	return entries
		.filter(({ values }) => unknown.has(values))
		.map(({ row, index, values, key }) => {
			if (keyIds.length === 0) return { marked: { row }, index, entries: [values] };
			return unknown.delete(key)
				? { marked: { row, change: 'new' }, index, entries: [values, key] }
				: { marked: { row, change: 'changed' }, index, entries: [values] };
		});
}

async function forget({ helpers }: IExecuteFunctions, entries: string[]): Promise<void> {
	if (entries.length > 0) await helpers.removeProcessed(entries, 'node', entriesMode);
}

/** The field ids of the key columns; a column that the batch lacks would make all rows one. */
function keyFieldIds(run: Run, batch: Batch, { keyFields, fieldKeys }: RowSettings): string[] {
	const { columns, idOf } = rowKeys(batchFields(batch), fieldKeys);
	return keyFields.map((wanted) => {
		const id = idOf(wanted);
		if (id !== undefined) return id;
		const names = columns.map(([, name]) => name).join(', ');
		throw invalid(
			run,
			`Batch ${batch.batchID} has no column "${wanted}"`,
			`Key Columns must be columns of the batch: ${redact(names, run.connection.apiKey)}.`,
		);
	});
}
