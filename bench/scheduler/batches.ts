import { randomUUID } from 'node:crypto';
import type { Store } from '../../service/src/store/stores.ts';

/** What a batch of the simulation is: each job has as many pages. */
export interface BatchSize {
	jobs: number;
	pagesOfAJob: number;
}

const fieldID = randomUUID();
const fields = [{ id: fieldID, name: 'Text' }];

/** Tasks, each with a host of its own; batches are those of one after the other. */
const tasks = Array.from({ length: 100 }, (_, number) => ({
	taskID: randomUUID(),
	host: `site-${number}.example`,
}));

/** Stores the waiting batch of this number, with as many agents as jobs, as the start of a task does. */
export async function createBatch(
	{ batches }: Store,
	number: number,
	{ jobs, pagesOfAJob }: BatchSize,
): Promise<bigint> {
	const { taskID, host } = tasks[number % tasks.length];
	const pages = jobs * pagesOfAJob;
	const urls = Array.from({ length: pages }, (_, page) => `http://${host}/${number}/${page}`);
	const steps = [
		{ id: randomUUID(), type: 'navigate', config: { useLoopItem: true } },
		{
			id: randomUUID(),
			type: 'extractData',
			config: { fields: [{ ...fields[0], selector: 'p' }] },
		},
	];
	const task = {
		taskID,
		name: host,
		page: 'http',
		requestsPerHost: 20,
		steps: [
			{
				id: randomUUID(),
				type: 'loop',
				config: { loopType: 'list', listType: 'urlList', urls, steps },
			},
		],
	};
	const { id } = await batches.create({
		taskID,
		task: JSON.stringify(task),
		region: '',
		nodeCount: jobs,
		requestID: randomUUID(),
		fields,
		jobs: Array.from({ length: jobs }, (_, job) => ({
			first: job * pagesOfAJob,
			end: (job + 1) * pagesOfAJob,
		})),
		start: { jobCount: jobs, actionParams: '' },
	});
	return id;
}
