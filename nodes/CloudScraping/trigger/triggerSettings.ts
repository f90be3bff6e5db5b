import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { isObject } from '../api/json';
import { invalid, oneOf, textOf } from '../settings/parameters';
import { rowSettings } from '../settings/rowSettings';
import type { RowSettings } from '../settings/rowSettings';

const EVENTS = ['finished', 'successful', 'stopped'] as const;

const OUTPUTS = ['batch', 'rows'] as const;

/** What the user has set. */
export interface TriggerSettings {
	taskId: string;
	event: (typeof EVENTS)[number];
	output: (typeof OUTPUTS)[number];
	rows: RowSettings;
}

/** Reads and checks the settings; throws before any request when one is invalid. */
export function triggerSettings(context: IPollFunctions): TriggerSettings {
	const where = { context, itemIndex: 0 };
	const taskId = textOf(context.getNodeParameter('taskId', ''));
	if (taskId === '')
		throw invalid(where, 'The task ID is empty', 'Enter the ID of the task to watch.');
	const options = context.getNodeParameter('options', {});
	const rows = rowSettings(where, isObject(options) ? (options as IDataObject) : {}, Infinity);
	if (rows.deduplication === 'history') {
		throw invalid(
			where,
			'A trigger cannot remember rows across executions',
			'Choose another deduplication, or get the rows with the Cloud Scraping node.',
		);
	}
	return {
		taskId,
		event: oneOf(where, context.getNodeParameter('event', 'finished'), 'Event', EVENTS),
		output: oneOf(where, context.getNodeParameter('output', 'batch'), 'Output', OUTPUTS),
		rows,
	};
}
