import type { IExecuteFunctions } from 'n8n-workflow';

import { batchFields } from '../api/readData';
import type { Batch } from '../api/types';
import { rowFingerprint, valuesFingerprint } from '../rows/deduplicate';
import { rowKeys } from '../rows/fieldNames';
import type { Row } from '../rows/parseRow';
import type { Run } from './operation';
import { invalid } from './parameters';
import type { HistoryFilter, MarkedRow } from './readRows';
import type { RowSettings } from './rowSettings';

const MODE = { mode: 'entries' } as const;

/**
 * Keeps the rows that this node has never returned in this workflow, by n8n's own processed-data
 * store. With key fields, a row whose key is known but whose values are not comes out as "changed".
 *
 * n8n's store checks and remembers in one step. So nothing is remembered before the whole read has
 * succeeded, no row beyond the limit is, and what was remembered is taken back when the node fails.
 */
export function historyFilter(run: Run, batch: Batch, settings: RowSettings): HistoryFilter {
	const { helpers } = run.context;
	if (typeof helpers.checkProcessedAndRecord !== 'function') {
		throw invalid(
			run,
			'This n8n cannot remember rows across executions',
			'Update n8n, or choose another deduplication.',
		);
	}
	const keyIds = keyFieldIds(run, batch, settings);

	return async function* keepNew(pages, limit, report) {
		const rows: Row[] = [];
		for await (const page of pages) for (const row of page) rows.push(row);

		let kept = 0;
		let next = 0;
		while (next < rows.length && kept < limit) {
			const chunk = rows.slice(next, next + limit - kept);
			next += chunk.length;
			const marked = await recordNew(run, chunk, keyIds);
			report.duplicates += chunk.length - marked.length;
			kept += marked.length;
			yield marked;
		}
	};
}

async function recordNew(run: Run, rows: Row[], keyIds: string[]): Promise<MarkedRow[]> {
	const { helpers } = run.context;
	const entries = rows.map((row) => ({
		row,
		values: `row ${rowFingerprint(row)}`,
		key: `key ${valuesFingerprint(row, keyIds)}`,
	}));
	const asked = entries.flatMap(({ values, key }) =>
		keyIds.length > 0 ? [values, key] : [values],
	);
	const answer = await helpers.checkProcessedAndRecord([...new Set(asked)], 'node', MODE);
	const added = answer.new.map(String);
	run.undoOnFailure(async () => await forget(run.context, added));

	const unknown = new Set(added);
	return entries
		.filter(({ values }) => unknown.has(values))
		.map(({ row, key }) =>
			keyIds.length === 0 ? { row } : { row, change: unknown.delete(key) ? 'new' : 'changed' },
		);
}

async function forget({ helpers }: IExecuteFunctions, entries: string[]): Promise<void> {
	if (entries.length > 0) await helpers.removeProcessed(entries, 'node', MODE);
}

/** The field ids of the key columns; a column that the batch lacks would make all rows one. */
function keyFieldIds(run: Run, batch: Batch, { keyFields, fieldKeys }: RowSettings): string[] {
	const { columns } = rowKeys(batchFields(batch), fieldKeys);
	return keyFields.map((wanted) => {
		const column = columns.find(([id, name]) => name === wanted || id === wanted);
		if (column) return column[0];
		throw invalid(
			run,
			`Batch ${batch.batchID} has no column "${wanted}"`,
			`Key Columns must be columns of the batch: ${columns.map(([, name]) => name).join(', ')}.`,
		);
	});
}
