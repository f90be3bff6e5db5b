import type { INodeProperties, IPollFunctions } from 'n8n-workflow';

import { operationError } from '../run';
import { chosen, enteredOptions, nameOfChosen } from '../settings/fieldValues';
import type { Choice, Entered } from '../settings/fieldValues';
import { byDisplayName, taskIdIn, taskIdProperty } from '../settings/sharedFields';
import { rowSettings, triggerRowOptions } from '../settings/rowSettings';
import type { RowSettings } from '../settings/rowSettings';
import { simplifyProperty, wantsSimple } from '../settings/simplifySettings';

/** What the user has set. */
export interface TriggerSettings {
	taskId: string;
	event: 'finished' | 'successful' | 'stopped';
	output: 'batch' | 'rows';
	/** Whether batches come out simplified. */
	isSimple: boolean;
	rows: RowSettings;
}

const event: Choice<TriggerSettings['event']> = {
	displayName: 'Event',
	name: 'event',
	type: 'options',
	options: [
		{
			name: 'Batch Finished',
			value: 'finished',
			description: 'Successful or stopped',
		},
		{ name: 'Batch Stopped', value: 'stopped', description: 'Stopped by a user' },
		{
			name: 'Batch Successful',
			value: 'successful',
			description: 'Ended by itself; some of its pages may have failed',
		},
	],
	default: 'finished',
	description: 'Which finished batches come out, each of them once',
};

const output: Choice<TriggerSettings['output']> = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'Batch', value: 'batch', description: 'One item per batch' },
		{ name: 'Rows', value: 'rows', description: 'One item per row of the batch' },
	],
	default: 'batch',
	description: 'What to pass to the workflow',
};

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	displayOptions: { show: { output: ['rows'] } },
	options: byDisplayName(triggerRowOptions),
};

export const eventSubtitle = nameOfChosen(event.name, event.options);

/** The form of the trigger. */
export const triggerProperties: INodeProperties[] = [
	taskIdProperty,
	event,
	output,
	simplifyProperty({ show: { output: ['batch'] } }),
	options,
];

/** Reads and checks the settings; throws before any request when one is invalid. */
export function triggerSettings(context: IPollFunctions): TriggerSettings {
	const entered: Entered = {
		context,
		itemIndex: 0,
		valueOf: (property) => context.getNodeParameter(property.name, property.default),
		has: () => true,
	};
	const rows = rowSettings(enteredOptions(entered, entered.valueOf(options)), Infinity);
	if (rows.deduplication === 'history') {
		throw operationError(
			entered,
			'A trigger cannot remember rows across executions',
			'Choose another deduplication, or get the rows with the Cloud Scraping node.',
		);
	}
	return {
		taskId: taskIdIn(entered),
		event: chosen(entered, event),
		output: chosen(entered, output),
		isSimple: wantsSimple(entered),
		rows,
	};
}
