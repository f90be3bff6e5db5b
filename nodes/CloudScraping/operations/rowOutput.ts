import type { INodeExecutionData } from 'n8n-workflow';

import { hasEnded, statusName } from '../api/batches';
import type { Batch } from '../api/types';
import { fileSettings } from './fileSettings';
import type { FileSettings } from './fileSettings';
import { filesOfRows } from './filesOfRows';
import { hint } from './hints';
import { historyFilter } from './history';
import type { Run } from './operation';
import { refuseTooManyItems } from './mostItems';
import { limitParameter, optionsParameter } from './parameters';
import { readOnce } from './readOnce';
import { newReport, readRows } from './readRows';
import type { ReadReport } from './readRows';
import { rowSettings } from './rowSettings';
import type { RowSettings } from './rowSettings';
import { thereIsMore } from './thereIsMore';

/** What the user gets of a batch: rows as items, or files. */
export interface RowOutput {
	rows: RowSettings;
	file: FileSettings | undefined;
}

/** Reads and checks the settings of the output; throws before any request when one is invalid. */
export function rowOutputSettings(run: Run): RowOutput {
	const options = optionsParameter(run.context, run.itemIndex);
	return { rows: rowSettings(run, options, limitParameter(run)), file: fileSettings(run) };
}

/** The rows of a batch as the user wants them, with hints about what was read. */
export async function outputRows(
	run: Run,
	batch: Batch,
	{ rows: settings, file }: RowOutput,
): Promise<INodeExecutionData[]> {
	const begin = Date.now();
	const report = newReport();
	const keepNew =
		settings.deduplication === 'history' ? historyFilter(run, batch, settings) : undefined;
	const pages = readRows(run.connection, batch, settings, report, keepNew);
	const items = await readOnce(run, settings, report, async () =>
		file
			? await filesOfRows(run, batch, pages, settings, file)
			: await itemsOfRows(run, pages, settings, report),
	);
	hintAtRead(run, batch, report, Date.now() - begin);
	hintAtLeftOut(run, batch, settings, report);
	hintAtPreview(run, settings, report);
	if (file) return items;
	return [...items, ...thereIsMore(run, batch, settings, report)];
}

async function itemsOfRows(
	run: Run,
	pages: ReturnType<typeof readRows>,
	{ limit }: RowSettings,
	report: ReadReport,
): Promise<INodeExecutionData[]> {
	const items: INodeExecutionData[] = [];
	for await (const page of pages) {
		refuseTooManyItems(run, report.total, limit);
		for (const json of page) items.push({ json, pairedItem: { item: run.itemIndex } });
	}
	return items;
}

function whyEmpty(batch: Batch): string {
	return hasEnded(batch)
		? ' The run found nothing.'
		: ` It is still ${statusName(batch)}: rows may come later.`;
}

/** The service counts rows that it leaves out of its pages: people wonder where they are. */
function hintAtLeftOut(
	run: Run,
	{ batchID }: Batch,
	{ limit, deduplication }: RowSettings,
	{ rows, duplicates, total }: ReadReport,
): void {
	const given = rows + duplicates;
	if (deduplication === 'service' || rows >= limit || given >= total) return;
	hint(
		run,
		`The service counts ${total} rows in batch ${batchID} and has given ${given}: it leaves some out of its pages.`,
	);
}

/** Values that differ only behind the place where the service truncates them are the same to us. */
function hintAtPreview(
	run: Run,
	{ preview, deduplication }: RowSettings,
	{ duplicates }: ReadReport,
): void {
	if (!preview || deduplication === 'service' || duplicates === 0) return;
	hint(
		run,
		'With "Preview" rows are compared by their truncated values: some of the duplicates may have been different rows. Switch off "Preview" to compare all of them.',
	);
}

function hintAtRead(run: Run, batch: Batch, report: ReadReport, milliseconds: number): void {
	const { rows, duplicates, pages, unknownColumns } = report;
	const count = (number: number, one: string) =>
		`${number.toLocaleString('en')} ${one}${number === 1 ? '' : 's'}`;
	const time =
		milliseconds < 1000
			? `${Math.round(milliseconds)} ms`
			: `${(milliseconds / 1000).toFixed(1)} s`;
	const dropped = duplicates > 0 ? `; ${count(duplicates, 'duplicate')} dropped` : '';
	const empty = rows === 0 ? (duplicates > 0 ? ' All rows are duplicates.' : whyEmpty(batch)) : '';
	hint(
		run,
		`Batch ${batch.batchID}: ${count(rows, 'row')} in ${count(pages, 'page')}, ${time}${dropped}.${empty}`,
	);
	if (unknownColumns.size > 0) {
		const names = [...unknownColumns].map((name) => `"${name}"`).join(', ');
		hint(run, `Batch ${batch.batchID} has no column ${names}: look at "Columns to Return".`);
	}
}
