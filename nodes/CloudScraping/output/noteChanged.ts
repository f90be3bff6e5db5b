import { redact } from '../api/redact';
import { batchFields } from '../api/wire';
import type { Batch } from '../api/wire';
import { remark } from '../hints';
import { areMost, changingColumns } from '../memory/changingColumns';
import type { ChangedRow } from '../memory/changingColumns';
import { exclusively, processedData } from '../memory/entryStore';
import { rowFingerprint } from '../rows/deduplicate';
import { rowKeys } from '../rows/fieldNames';
import type { Run } from '../run';
import type { RowSettings } from '../settings/rowSettings';

/** Of fewer rows it says little that most have changed. */
const minCompared = 10;

/**
 * Says where most rows have changed that were known, and in which columns. That is known from the second
 * time on: what is remembered of every row is one short text for all its values.
 */
export async function noteChanged(
	run: Run,
	batch: Batch,
	settings: RowSettings,
	{ changed, known, isTrial }: { changed: ChangedRow[]; known: number; isTrial: boolean },
): Promise<void> {
	const all = changed.length + known;
	if (all < minCompared || !areMost(changed.length, all)) return;
	const ids = isTrial ? undefined : await columnsOf(run, batch, settings, changed);
	// Each row has changed elsewhere, or other columns are compared than before.
	if (ids?.length === 0) return;
	const { nameOf } = rowKeys(batchFields(batch), settings.fieldKeys);
	const columns = ids?.map((id) => `"${redact(nameOf(id), run.connection.apiKey)}"`).join(', ');
	const [where, what, once] = columns
		? [` in ${columns}`, 'this', 'this is new in the task, that is why']
		: ['', 'a column', 'the task has got a column more since, or lost one, that is why'];
	remark(
		run,
		`Most known rows have changed${where}. If ${once}, and they come out this once. If ${what} changes by itself (a date such as "3 days ago", a counter), leave it out: list the other columns in 'Columns to Return'.`,
	);
}

/** The same without key columns, where a row that has changed is a new one. */
export function noteMostNew(run: Run, found: number, all: number): void {
	if (all < minCompared || !areMost(found, all)) return;
	remark(
		run,
		"Most rows are new, which may be for a column that changes by itself (a date such as \"3 days ago\", a counter). To leave such a column out, list the other columns in 'Columns to Return'; under 'Key Columns', name what tells one row from another.",
	);
}

async function columnsOf(
	{ context }: Run,
	{ taskID }: Batch,
	{ onlyNew }: RowSettings,
	changed: readonly ChangedRow[],
): Promise<string[] | undefined> {
	const name = rowFingerprint({ memory: onlyNew?.memory, taskID });
	return await exclusively(
		context,
		async () => await changingColumns(processedData(context), name, changed),
	);
}
