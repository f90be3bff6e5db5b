import type { IDisplayOptions, INodeExecutionData } from 'n8n-workflow';

import type { Batch } from '../api/types';
import { batchProperties } from '../descriptions/batchLocator';
import { byDisplayName } from '../descriptions/byDisplayName';
import { pagingProperties } from '../descriptions/paging';
import { includeStoppedOption, rowOptions } from '../descriptions/rowOptions';
import { chooseBatch } from './chooseBatch';
import { hint } from './hints';
import type { Operation, Run } from './operation';
import { newReport, readRows } from './readRows';
import type { ReadReport } from './readRows';
import { rowSettings } from './rowSettings';
import type { RowSettings } from './rowSettings';

const showOnlyForGetData: IDisplayOptions = { show: { operation: ['getData'] } };

/** The rows of one batch, one item a row. */
export const getData: Operation = {
	description: [
		...batchProperties(showOnlyForGetData),
		...pagingProperties(showOnlyForGetData),
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			displayOptions: showOnlyForGetData,
			options: byDisplayName([...rowOptions, includeStoppedOption]),
		},
	],

	async execute(run) {
		const settings = rowSettings(run);
		const batch = await chooseBatch(run);
		return await rowItems(run, batch, settings);
	},
};

/** One item a row of the batch, with hints about what the user may not expect. */
export async function rowItems(
	run: Run,
	batch: Batch,
	settings: RowSettings,
): Promise<INodeExecutionData[]> {
	const report = newReport();
	const items: INodeExecutionData[] = [];
	for await (const rows of readRows(run, batch, settings, report)) {
		for (const json of rows) items.push({ json, pairedItem: { item: run.itemIndex } });
	}
	hintAtSurprises(run, batch, report);
	return items;
}

function hintAtSurprises(run: Run, batch: Batch, report: ReadReport): void {
	if (report.unknownColumns.size > 0) {
		const names = [...report.unknownColumns].map((name) => `"${name}"`).join(', ');
		hint(run, `Batch ${batch.batchID} has no column ${names}. Look at "Columns to Return".`);
	}
	if (report.rows === 0) {
		hint(
			run,
			report.duplicates > 0
				? `All ${report.duplicates} rows of batch ${batch.batchID} are duplicates.`
				: `Batch ${batch.batchID} has no rows to return.`,
		);
	}
}
