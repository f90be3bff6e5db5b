import type { IDisplayOptions } from 'n8n-workflow';

import { outputRows } from '../output/outputRows';
import type { Operation } from '../run';
import { outputProperties, outputSettings } from '../settings/outputSettings';
import { taskIdParameter } from '../settings/sharedFields';
import { batchProperties, chooseBatch, includeStopped } from './chooseBatch';

const showOnlyForGetData: IDisplayOptions = { show: { operation: ['getData'] } };

/** The rows of one batch, one item a row, or as files. */
export const getData: Operation = {
	entry: {
		name: 'Get Data',
		value: 'getData',
		description: 'Get the scraped rows of a batch, one item a row',
		action: 'Get the data of a batch',
	},
	properties: [
		...batchProperties(showOnlyForGetData),
		...outputProperties(showOnlyForGetData, [includeStopped]),
	],

	async execute(run) {
		const output = outputSettings(run);
		const batch = await chooseBatch(run);
		return await outputRows(run, { ...batch, taskID: taskIdParameter(run) }, output);
	},
};
