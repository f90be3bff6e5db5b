import type { IDisplayOptions, INodeExecutionData } from 'n8n-workflow';

import { readBatchPages } from '../api/paging/batches';
import type { BatchPage } from '../api/paging/batches';
import { batchStatus, batchOrder } from '../api/wire';
import type { OrderBy } from '../api/wire';
import { hint, warn } from '../hints';
import { batchToItem } from '../output/items';
import type { Operation, Run } from '../run';
import { allChosen, chosen, optionsOf, parametersOf } from '../settings/fieldValues';
import type { Choice, Choices } from '../settings/fieldValues';
import { limitParameter, pagingProperties, taskIdParameter } from '../settings/sharedFields';
import { simplifyProperty } from '../settings/simplifySettings';

const showOnlyForList: IDisplayOptions = { show: { operation: ['listBatches'] } };

const orderBy: Choice<OrderBy> = {
	displayName: 'Order By',
	name: 'orderBy',
	type: 'options',
	default: 0,
	options: [
		{ name: 'Newest First', value: batchOrder.newest },
		{ name: 'Longest Running First', value: batchOrder.longestRunning },
		{ name: 'Most Rows First', value: batchOrder.mostRows },
	],
	description: 'In which order to list the batches',
};

const status: Choices<number> = {
	displayName: 'Status',
	name: 'status',
	type: 'multiOptions',
	options: [
		{ name: 'Running', value: batchStatus.running },
		{ name: 'Stopped', value: batchStatus.stopped },
		{
			name: 'Successful',
			value: batchStatus.successful,
			description: 'Ended by itself; some of its pages may have failed',
		},
		{ name: 'Waiting', value: batchStatus.waiting },
	],
	default: [],
	description: 'Return only batches with one of these statuses. All batches when empty.',
};

/** The batches of a task, one item each. */
export const listBatches: Operation = {
	entry: {
		name: 'List Batches',
		value: 'listBatches',
		description: 'List the batches of a task with their status and row counts',
		action: 'List batches of task',
	},
	properties: [
		...pagingProperties(showOnlyForList),
		{ ...orderBy, displayOptions: showOnlyForList },
		simplifyProperty(showOnlyForList),
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			displayOptions: showOnlyForList,
			options: [status],
		},
	],

	async execute(run) {
		const taskId = taskIdParameter(run);
		const limit = limitParameter(run);
		const order = chosen(parametersOf(run), orderBy);
		const wanted = new Set<unknown>(allChosen(optionsOf(run), status));
		const pageSize = wanted.size === 0 ? Math.min(limit, 100) : 100;
		const toItem = batchToItem(run);

		const items: INodeExecutionData[] = [];
		let unlisted = 0;
		let firstTotal: number | undefined;
		for await (const page of readBatchPages(run.connection, taskId, { orderBy: order, pageSize })) {
			const { batches, came, counted } = page;
			firstTotal ??= page.total;
			for (const batch of batches) {
				if (wanted.size > 0 && !wanted.has(batch.status)) continue;
				items.push(toItem(batch));
				if (items.length < limit) continue;
				// In a workflow the limit is known; a model may take these for all there are.
				if (run.isTool) {
					hint(
						run,
						`There may be more batches than these ${limit}: set a higher limit, or turn on 'Return All'.`,
					);
				}
				noteRepeated(run, taskId, page, firstTotal);
				return items;
			}
			unlisted = counted - came;
		}
		if (unlisted > 0) {
			warn(
				run,
				`The service counts ${unlisted} more batches of task ${taskId} than it lists: some may be missing here.`,
			);
		}
		return items;
	},
};

/**
 * Pages that repeat batches lack as many others, unless new batches have moved them there, which `total` counts.
 * Without repeats, what is counted and not listed may be behind the limit.
 */
function noteRepeated(
	run: Run,
	taskId: string,
	{ came, counted, repeated, total }: BatchPage,
	firstTotal: number,
): void {
	const begun = Math.max(0, total - firstTotal);
	const missing = Math.min(repeated, counted - came) - begun;
	if (missing <= 0) return;
	warn(
		run,
		`The service listed ${missing} of the batches of task ${taskId} twice: as many others may be missing here.`,
	);
}
