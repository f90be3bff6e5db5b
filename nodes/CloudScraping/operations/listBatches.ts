import type { IDisplayOptions, INodeExecutionData } from 'n8n-workflow';

import { readBatchPages } from '../api/batchPages';
import { BATCH_STATUS, ORDER_BY } from '../api/wire';
import type { OrderBy } from '../api/wire';
import { warn } from '../hints';
import { batchItem } from '../output/batchItem';
import type { Run } from '../run';
import {
	invalid,
	limitParameter,
	optionsParameter,
	pagingProperties,
	taskIdParameter,
} from '../settings/parameters';
import type { Operation } from './operation';

const showOnlyForList: IDisplayOptions = { show: { operation: ['listBatches'] } };

/** The runs of a task, one item a batch. */
export const listBatches: Operation = {
	entry: {
		name: 'List Batches',
		value: 'listBatches',
		description: 'List the runs of a task with their status and row counts',
		action: 'List the batches of a task',
	},
	properties: [
		...pagingProperties(showOnlyForList),
		{
			displayName: 'Order By',
			name: 'orderBy',
			type: 'options',
			default: 0,
			options: [
				{ name: 'Newest First', value: 0 },
				{ name: 'Longest Running First', value: 1 },
				{ name: 'Most Rows First', value: 2 },
			],
			displayOptions: showOnlyForList,
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			displayOptions: showOnlyForList,
			options: [
				{
					displayName: 'Status',
					name: 'status',
					type: 'multiOptions',
					options: [
						{ name: 'Running', value: BATCH_STATUS.running },
						{ name: 'Stopped', value: BATCH_STATUS.stopped },
						{ name: 'Successful', value: BATCH_STATUS.successful },
						{ name: 'Waiting', value: BATCH_STATUS.waiting },
					],
					default: [],
					description: 'Return only batches with one of these statuses. All batches when empty.',
				},
			],
		},
	],

	async execute(run) {
		const taskId = taskIdParameter(run);
		const limit = limitParameter(run);
		const orderBy = orderByParameter(run);
		const wanted = statusOption(run);
		const pageSize = wanted.size === 0 ? Math.min(limit, 100) : 100;

		const items: INodeExecutionData[] = [];
		let unlisted = 0;
		for await (const page of readBatchPages(run.connection, taskId, { orderBy, pageSize })) {
			const { batches, came, counted } = page;
			for (const batch of batches) {
				if (wanted.size > 0 && !wanted.has(batch.status)) continue;
				items.push(batchItem(batch, run.itemIndex));
				if (items.length >= limit) return items;
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

function orderByParameter(run: Run): OrderBy {
	const value = Number(run.context.getNodeParameter('orderBy', run.itemIndex, ORDER_BY.newest));
	const orderBy = Object.values(ORDER_BY).find((known) => known === value);
	if (orderBy === undefined) throw invalid(run, `Order By must be 0, 1 or 2, not ${value}`);
	return orderBy;
}

/** The statuses to keep; none for all. An expression may yield one that is no list. */
function statusOption(run: Run): Set<unknown> {
	const { status = [] } = optionsParameter(run.context, run.itemIndex);
	const wanted = (Array.isArray(status) ? status : [status]).map(Number);
	const known: number[] = Object.values(BATCH_STATUS);
	const unknown = wanted.find((one) => !known.includes(one));
	if (unknown === undefined) return new Set(wanted);
	throw invalid(run, `Status must be of ${known.join(', ')}, not ${JSON.stringify(status)}`);
}
