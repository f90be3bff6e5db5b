import type { INodeExecutionData } from 'n8n-workflow';

import { hasEnded, progressOf } from '../api/batchStatus';
import { lostRows } from '../api/paging/fetchRows';
import type { Batch } from '../api/wire';
import { hint, remark, warn, whyNothingNew } from '../hints';
import { readOnce } from '../retryOnFail';
import type { Run } from '../run';
import type { OutputSettings } from '../settings/outputSettings';
import { isConsumedByReading, minRowsName } from '../settings/rowSettings';
import type { RowSettings } from '../settings/rowSettings';
import { filesOfRows } from './filesOfRows';
import { historyFilter } from './history';
import { refuseTooManyItems } from './items';
import { withMeantColumns } from './meantColumns';
import { describeGap, gapOfSeveral, ownCount } from './missingRows';
import { readPatiently } from './patience';
import { newReport } from './readCheck';
import type { ReadReport } from './readCheck';
import { mayHaveLostRows, readRows } from './readRows';

/**
 * The rows of a batch as the user wants them, with hints about what was read. `endSeen`: see
 * `readPatiently`.
 */
export async function outputRows(
	run: Run,
	batch: Batch,
	{ rows, file }: OutputSettings,
	endSeen?: number,
): Promise<INodeExecutionData[]> {
	let report = newReport();
	const settings = withMeantColumns(batch, rows);
	const { onlyNew } = settings;
	const keepNew = onlyNew && historyFilter(run, batch, settings, onlyNew);
	const read = async () =>
		await readPatiently(run.connection, endSeen, async (patience) => {
			report = newReport();
			const pages = readRows(run.connection, batch, settings, report, { keepNew, patience });
			return file
				? await filesOfRows(run, batch, pages, settings, file)
				: await itemsOfRows(run, pages, settings, report);
		});
	const items =
		settings.deduplication === 'service'
			? await readOnce(
					run,
					lostRows(settings.deduplicationId),
					(error) => mayHaveLostRows(error, report),
					read,
				)
			: await read();
	noteRead(run, batch, settings, report);
	hintAtGap(run, batch, report);
	hintAtPreview(run, settings, report);
	return items;
}

async function itemsOfRows(
	run: Run,
	pages: ReturnType<typeof readRows>,
	settings: RowSettings,
	report: ReadReport,
): Promise<INodeExecutionData[]> {
	const items: INodeExecutionData[] = [];
	for await (const page of pages) {
		const count = { total: report.total, items: items.length + page.length };
		refuseTooManyItems(run, count, settings, run.itemsBefore);
		for (const json of page) items.push({ json, pairedItem: { item: run.itemIndex } });
	}
	return items;
}

/** A running batch, or one of which the user wants what came. */
function hintAtGap(run: Run, { batchID }: Batch, { gap }: ReadReport): void {
	if (!gap) return;
	warn(run, `${describeGap(batchID, gap)}.`, { kind: 'batch', id: batchID, ...gapOfSeveral(gap) });
}

/** Values that differ only behind the place where the service truncates them are the same to us. */
function hintAtPreview(
	run: Run,
	{ preview, deduplication }: RowSettings,
	{ duplicates, known, older }: ReadReport,
): void {
	if (!preview || deduplication === 'service' || duplicates + known + older === 0) return;
	remark(
		run,
		"With 'Truncate Long Values', rows are compared by their shortened values: some duplicates may have been different rows. Turn it off to compare whole values.",
	);
}

function noteRead(run: Run, batch: Batch, settings: RowSettings, report: ReadReport): void {
	const { limit, onlyNew, minRows } = settings;
	const { rows, duplicates, known, older, changed, remembered, total } = report;
	const name = `Batch ${batch.batchID}`;
	const isCut = (report.isCut || rows >= limit) && rows + duplicates + known + older < total;
	run.notes.read = {
		name,
		rows,
		duplicates,
		keptDuplicates: keptDuplicates(batch, settings, report),
		onlyNew: onlyNew && { known, older, changed, remembered, total },
		outOf: isCut ? total : undefined,
		whyEmpty: whyEmpty(batch, settings, report),
		adviceOnEmpty: hasEnded(batch) && minRows === 0 ? emptyAsError : undefined,
		isEmpty: rows + duplicates + known + older + remembered + total + (ownCount(batch) ?? 0) === 0,
		isConsumed: isConsumedByReading(settings),
	};
	for (const { unknown, setting } of report.columns) {
		if (unknown.size === 0) continue;
		const columns = [...unknown].map((column) => `"${column}"`).join(', ');
		hint(run, `${name} has no column ${columns}: check '${setting}'.`, {
			kind: 'batch',
			id: batch.batchID,
			all: `have no column ${columns} (check '${setting}')`,
		});
	}
}

/**
 * How many duplicates the service counts among rows of which none was left out: only where all that it counts
 * came, since it may count duplicates beside them.
 */
function keptDuplicates(
	batch: Batch,
	{ deduplication }: RowSettings,
	{ rows, total }: ReadReport,
): number {
	const counted = Number(batch.duplicatedCount ?? 0);
	const isWhole = deduplication === 'off' && rows === total && total === ownCount(batch);
	return isWhole && Number.isSafeInteger(counted) && counted < rows ? counted : 0;
}

const emptyAsError = `To make a batch without rows an error, set the option '${minRowsName}' to 1.`;

/** Why there are no rows; nothing where another hint says that they are missing. */
function whyEmpty(
	batch: Batch,
	{ deduplication, deduplicationId }: RowSettings,
	report: ReadReport,
): string | undefined {
	const nothingNew = whyNothingNew(report);
	if (nothingNew !== undefined) return nothingNew;
	const { total, gap } = report;
	if (!hasEnded(batch)) return `It is ${progressOf(batch)}: rows may come later.`;
	if (deduplication === 'service' && (total > 0 || Number(batch.lineCount) > 0)) {
		return `All rows were sent before for the deduplication ID "${deduplicationId}".`;
	}
	return gap
		? undefined
		: "Nothing was found. If that seems wrong, look at the batch's page in the service's web console.";
}
