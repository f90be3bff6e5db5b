import { throwIfCancelled } from '../api/cancel';
import { isPlausible, timeOf } from '../api/times';
import type { Batch } from '../api/wire';
import { remark } from '../hints';
import { exclusively, processedData } from '../memory/entryStore';
import { LastValues } from '../memory/lastValues';
import { ReadNumbers } from '../memory/readNumbers';
import type { RowMemory, RowPrint, Taken, Wanted } from '../memory/rowMemory';
import { SeenRows } from '../memory/seenRows';
import { newInThisRead, rowFingerprint } from '../rows/deduplicate';
import type { Row } from '../rows/parseRow';
import { operationError } from '../run';
import type { Run } from '../run';
import type { OnlyNewSettings } from '../settings/onlyNewSettings';
import type { RowSettings } from '../settings/rowSettings';
import { noteChanged, noteMostNew } from './noteChanged';
import type { ReadReport } from './readCheck';
import type { HistoryFilter } from './readRows';
import { comparedPart, keyFieldIds, rowPrint } from './rowPrints';

/** Of rows that are held together, as text: parsed, they take some times as much. */
const maxCharacters = 100_000_000;

/**
 * Keeps the rows that this node has not returned in this workflow. With key columns, rows are compared
 * with the last values of their key, and come out as "new" or "changed".
 *
 * Nothing is remembered before the whole read has succeeded, rows beyond the limit are left for the
 * next one, and what was remembered is taken back when the node fails.
 */
export function historyFilter(
	run: Run,
	batch: Batch,
	settings: RowSettings,
	{ firstRun, memory: memoryName, rememberTests }: OnlyNewSettings,
): HistoryFilter {
	const keyIds = keyFieldIds(batch, settings);
	const compared = comparedPart(batch, settings);
	const print = rowPrint(compared, keyIds);
	const memory = memoryOf(run, batch, keyIds, memoryName);
	const batchTime = createdAt(batch);
	const isTrial = !rememberTests && run.context.getMode() === 'manual';
	const isSilent = (isFirst: boolean) => isFirst && firstRun === 'remember' && !isTrial;

	return async function* keepNew(pages, limit, report) {
		const rows: Row[] = [];
		const prints: RowPrint[] = [];
		const isNew = newInThisRead();
		for await (const page of pages) {
			refuseTooMuch(run, report, memory);
			for (const row of page) {
				const own = print(row);
				if (isNew(`${own.key} ${own.values}`)) {
					rows.push(row);
					prints.push(own);
				} else report.duplicates++;
			}
		}
		throwIfCancelled(run.connection);
		const { due, looked, isFirst, older } = await take(run, memory, prints, {
			limit: (first) => (isSilent(first) ? Infinity : limit),
			batchTime,
			isTrial,
		});
		if (isTrial && due.length > 0) {
			remark(run, `Nothing was remembered: 'Remember Tests' is off.`);
		}
		if (isSilent(isFirst)) {
			report.remembered = due.length;
			return;
		}
		// What is known behind the last row that is returned is none of this read.
		const last = due.length < limit ? looked : (due.at(-1)?.index ?? -1) + 1;
		report.older = older?.filter((index) => index < last).length ?? 0;
		report.known = last - due.length - report.older;
		report.isCut = last < prints.length;
		const changed = due.flatMap(({ index, row: { key }, change }) =>
			change === 'changed' ? [{ key, values: compared(rows[index]) }] : [],
		);
		await noteChanged(run, batch, settings, { changed, known: report.known, isTrial });
		if (keyIds.length === 0 && !isFirst) noteMostNew(run, due.length, last);
		yield due.map(({ index, change }) => ({ row: rows[index], change }));
	};
}

/** Takes rows from a memory. Given back when the node fails, and taken again by a try that keeps them. */
async function take(
	run: Run,
	memory: RowMemory,
	prints: readonly RowPrint[],
	wanted: Wanted,
): Promise<Taken> {
	const taken = await exclusively(run.context, async () => await memory.take(prints, wanted));
	if (wanted.isTrial) return taken;
	const rows = taken.due.map(({ row }) => row);
	run.undoOnFailure(
		async () => await exclusively(run.context, async () => await memory.giveBack(taken)),
		async (later) => {
			await take(later, memory, rows, { limit: () => Infinity, batchTime: wanted.batchTime });
		},
	);
	return taken;
}

/** When a batch was created, else begun, in milliseconds; undefined where the service does not say. */
function createdAt({ createTime, startTime }: Batch): number | undefined {
	return [createTime, startTime].map(timeOf).find(isPlausible);
}

/**
 * Throws when the rows of a read would take all memory of n8n: none can be judged before the last one
 * has come. How many there will be is known after the first page.
 */
function refuseTooMuch(run: Run, { total, characters }: ReadReport, { maxRows }: RowMemory): void {
	const advice =
		"Let the task find fewer rows, or turn off 'Only New Rows' and return all rows as files ('Output: File') or only some ('Limit').";
	if (total > maxRows) {
		throw operationError(
			run,
			`The batch has ${total.toLocaleString('en')} rows, too many to compare with those of other executions`,
			`At most ${maxRows.toLocaleString('en')} can be compared at once, fewer with 'Key Columns'. ${advice}`,
		);
	}
	if (characters > maxCharacters) {
		throw operationError(
			run,
			'The rows of the batch are too large to compare with those of other executions',
			`At most ${(maxCharacters / 1e6).toLocaleString('en')} MB can be compared at once. Choose fewer columns in the task. ${advice}`,
		);
	}
}

/** What this node remembers of the rows of a task under a name: other tasks and key columns begin anew. */
function memoryOf(
	{ context }: Run,
	{ taskID }: Batch,
	keyIds: readonly string[],
	memory: string,
): RowMemory {
	const store = processedData(context);
	const name = rowFingerprint({ memory, taskID, keyIds });
	return keyIds.length === 0
		? new SeenRows(store, name)
		: new LastValues(store, new ReadNumbers(store, name), name);
}
