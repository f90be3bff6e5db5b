import type { IDisplayOptions } from 'n8n-workflow';

import { batchProperties } from '../descriptions/batchLocator';
import { includeStoppedOption } from '../descriptions/rowOptions';
import { rowOutputProperties } from '../descriptions/rowOutput';
import { chooseBatch } from './chooseBatch';
import type { Operation } from './operation';
import { taskIdParameter } from './parameters';
import { outputRows, rowOutputSettings } from './rowOutput';

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
