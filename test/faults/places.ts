import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { ActiveTrigger } from '../engine/activeTrigger';
import { runOn } from '../engine/runNode';
import type { NodeResult } from '../engine/runNode';
import type { Endpoint, ScriptedService } from '../engine/scriptedService';

/** What came out of the node, and everything that it left behind anywhere. */
export interface Outcome {
	rows: IDataObject[];
	error?: { message: string; description: string };
	traces: string;
}

/** A request of an operation at which a fault can hit. */
export interface Place {
	name: string;
	endpoint: Endpoint;
	/** Requests of the operation to this endpoint that go well before it. */
	before: number;
	/** Requests of the operation to this endpoint if all goes well. */
	inAll: number;
	kind: 'act' | 'read' | 'wait';
	/** Whether the request is the first one, which finds nobody at a wrong address. */
	isFirst: boolean;
	prepare: (service: ScriptedService) => void;
	/** Gets ready what must be there before the fault; then runs the operation once. */
	begin: (service: ScriptedService) => Promise<() => Promise<Outcome>>;
	/** The rows, or what else comes out once, if all goes well. */
	rows: IDataObject[];
	/** Whether what failed comes with the next attempt, by itself. */
	comesLater: boolean;
}

const rows = Array.from({ length: 5 }, (_, index) => ({ Name: `Row ${index + 1}` }));
const fields = [{ id: 'f1', name: 'Name' }];
const sent = rows.map(({ Name }) => JSON.stringify({ f1: Name }));
const options = { pageSize: 2, concurrency: 1 };

function finishedBatch(service: ScriptedService): void {
	service.addBatch({ fields, rows: [...sent] });
}

function operation(parameters: INodeParameters): Place['begin'] {
	return async (service) =>
		await Promise.resolve(async () => outcomeOf(await runOn(service, parameters)));
}

function outcomeOf({ items, rows: jsons, error, hints, run }: NodeResult): Outcome {
	const known = ['batchID', 'statusName', 'Name'];
	const shown = jsons.map((json) =>
		Object.fromEntries(Object.entries(json).filter(([key]) => known.includes(key))),
	);
	return { rows: shown, error, traces: JSON.stringify({ items, error, hints, run }) };
}

function trigger(parameters: INodeParameters): Place['begin'] {
	return async (service) => {
		const active = new ActiveTrigger({ taskId: service.taskID, ...parameters }, service.credential);
		await active.poll();
		finishedBatch(service);
		return async () => {
			try {
				const items = (await active.poll()) ?? [];
				const jsons = items.map(({ json }) => ('Name' in json ? json : { batchID: json.batchID }));
				return { rows: jsons, traces: JSON.stringify(items) };
			} catch (thrown) {
				const { message = '', description = '' } = thrown as {
					message?: string;
					description?: string;
				};
				return {
					rows: [],
					error: { message, description },
					traces: JSON.stringify(thrown) + message,
				};
			}
		};
	};
}

/** A run ends with its rows as soon as somebody asks for it. */
function endRunWhenAsked(service: ScriptedService): void {
	service.script('batches', () => {
		const started = service.batches.at(-1);
		if (started)
			Object.assign(started, { status: 3, endTime: Date.now(), fields, rows: [...sent] });
		return undefined;
	});
}

const run = {
	prepare: endRunWhenAsked,
	begin: operation({ operation: 'runAndGetData', options }),
	rows,
	comesLater: false,
};

const get = {
	prepare: finishedBatch,
	begin: operation({ operation: 'getData', options }),
	rows,
	comesLater: false,
};

export const places: Place[] = [
	{
		name: 'start',
		endpoint: 'start',
		before: 0,
		inAll: 1,
		kind: 'act',
		isFirst: true,
		prepare: () => undefined,
		begin: operation({ operation: 'start' }),
		rows: [{ batchID: 1001, statusName: 'waiting' }],
		comesLater: false,
	},
	{
		name: 'stop',
		endpoint: 'stop',
		before: 0,
		inAll: 1,
		kind: 'act',
		isFirst: true,
		prepare: (service) => service.addBatch({ status: 2 }),
		begin: operation({ operation: 'stop' }),
		rows: [{ batchID: 1001, statusName: 'stopped' }],
		comesLater: false,
	},
	{
		name: 'listBatches',
		endpoint: 'batches',
		before: 0,
		inAll: 1,
		kind: 'read',
		isFirst: true,
		prepare: finishedBatch,
		begin: operation({ operation: 'listBatches' }),
		rows: [{ batchID: 1001, statusName: 'successful' }],
		comesLater: false,
	},
	{
		...get,
		name: 'getData: batch',
		endpoint: 'batches',
		before: 0,
		inAll: 1,
		kind: 'read',
		isFirst: true,
	},
	{
		...get,
		name: 'getData: page 2',
		endpoint: 'data',
		before: 1,
		inAll: 3,
		kind: 'read',
		isFirst: false,
	},
	{
		...run,
		name: 'run: start',
		endpoint: 'start',
		before: 0,
		inAll: 1,
		kind: 'act',
		isFirst: true,
	},
	{
		...run,
		name: 'run: waiting',
		endpoint: 'batches',
		before: 0,
		inAll: 1,
		kind: 'wait',
		isFirst: false,
	},
	{
		...run,
		name: 'run: page 2',
		endpoint: 'data',
		before: 1,
		inAll: 3,
		kind: 'read',
		isFirst: false,
	},
	{
		name: 'trigger: batches',
		endpoint: 'batches',
		before: 0,
		inAll: 1,
		kind: 'read',
		isFirst: true,
		prepare: () => undefined,
		begin: trigger({}),
		rows: [{ batchID: 1001 }],
		comesLater: true,
	},
	{
		name: 'trigger: rows',
		endpoint: 'data',
		before: 1,
		inAll: 3,
		kind: 'read',
		isFirst: false,
		prepare: () => undefined,
		begin: trigger({ output: 'rows', options }),
		rows,
		comesLater: true,
	},
];
