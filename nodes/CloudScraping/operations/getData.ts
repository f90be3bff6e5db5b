import type { IDisplayOptions } from 'n8n-workflow';

import { batchProperties } from './batchLocator';
import { includeStoppedOption } from '../settings/rowOptions';
import { rowOutputProperties } from '../settings/rowOutput';
import { chooseBatch } from './chooseBatch';
import type { Operation } from '../run';
import { taskIdParameter } from '../settings/parameters';
import { outputRows, rowOutputSettings } from '../output/outputRows';

const showOnlyForGetData: IDisplayOptions = { show: { operation: ['getData'] } };

/** The rows of one batch, one item a row, or as files. */
export const getData: Operation = {
	description: [
		...batchProperties(showOnlyForGetData),
		...rowOutputProperties(showOnlyForGetData, [includeStoppedOption]),
	],

	async execute(run) {
		const output = rowOutputSettings(run);
		const batch = await chooseBatch(run);
		return await outputRows(run, { ...batch, taskID: taskIdParameter(run) }, output);
	},
};
