import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Endpoint, ScriptedService } from '../../support/scriptedService/scriptedService';
import { execution, poll } from './attempts';
import type { Begin } from './attempts';

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
	/** Whether it is tried again, for minutes, until it is done. */
	isWanted: boolean;
	/** Tasks that the operation has started before it comes to this place. */
	starts: 0 | 1;
	prepare: (service: ScriptedService, passMinutes: (minutes: number) => void) => void;
	begin: Begin;
	/** What comes out if all goes well. */
	rows: IDataObject[];
	/** Whether what failed comes with the next attempt, by itself. */
	comesLater: boolean;
}

const rows = Array.from({ length: 5 }, (_, index) => ({ Name: `Row ${index + 1}` }));
const batchOfRows = {
	fields: [{ id: 'f1', name: 'Name' }],
	rows: rows.map(({ Name }) => JSON.stringify({ f1: Name })),
};
const options = { pageSize: 2, concurrency: 1 };

function finishedBatch(service: ScriptedService): void {
	service.addBatch({ ...batchOfRows });
}

/** A run ends with its rows as soon as somebody asks for it. */
function endRunWhenAsked(service: ScriptedService): void {
	service.script('batches', () => {
		const started = service.batches.at(-1);
		if (started)
			Object.assign(started, batchOfRows, {
				status: 3,
				endTime: Date.now(),
				lineCount: rows.length,
			});
		return undefined;
	});
}

/** A run has rows when somebody asks for it, but does not end; between two looks, minutes pass. */
function neverEnd(service: ScriptedService, passMinutes: (minutes: number) => void): void {
	service.script('batches', () => {
		const started = service.batches.at(-1);
		if (started?.status === 1) Object.assign(started, batchOfRows, { status: 2 });
		passMinutes(started?.status === 2 ? 1.01 : 0);
		return undefined;
	});
}

const first = {
	before: 0,
	inAll: 1,
	isFirst: true,
	isWanted: false,
	starts: 0,
	comesLater: false,
} as const;
const later = { ...first, isFirst: false } as const;
const page = (before: number) => ({ endpoint: 'data', kind: 'read', before, inAll: 3 }) as const;

const get = {
	...later,
	prepare: finishedBatch,
	begin: execution({ operation: 'getData', options }),
	rows,
};

const runAndGet = (parameters: INodeParameters = {}, more: INodeParameters = {}) =>
	execution({ operation: 'runAndGetData', ...parameters, options: { ...options, ...more } });

const run = { ...later, starts: 1, prepare: endRunWhenAsked, begin: runAndGet(), rows } as const;

const trigger = {
	...later,
	prepare: () => undefined,
	comesLater: true,
} as const;

export const places: Place[] = [
	{
		...first,
		name: 'start',
		endpoint: 'start',
		kind: 'act',
		prepare: () => undefined,
		begin: execution({ operation: 'start' }),
		rows: [{ batchID: 1001, statusName: 'waiting' }],
	},
	{
		...first,
		name: 'stop',
		endpoint: 'stop',
		kind: 'act',
		prepare: (service) => service.addBatch({ status: 2 }),
		begin: execution({ operation: 'stop' }),
		rows: [{ batchID: 1001, statusName: 'stopped' }],
	},
	{
		...first,
		name: 'listBatches',
		endpoint: 'batches',
		kind: 'read',
		prepare: finishedBatch,
		begin: execution({ operation: 'listBatches' }),
		rows: [{ batchID: 1001, statusName: 'successful' }],
	},
	{ ...get, name: 'getData: batch', endpoint: 'batches', kind: 'read', isFirst: true },
	{ ...get, name: 'getData: page 1', ...page(0) },
	{ ...get, name: 'getData: page 2', ...page(1) },
	{ ...run, name: 'run: list before', endpoint: 'batchesBefore', kind: 'read' },
	{ ...run, name: 'run: start', endpoint: 'start', kind: 'act', isFirst: true, starts: 0 },
	{ ...run, name: 'run: waiting', endpoint: 'batches', kind: 'wait' },
	{
		...run,
		name: 'run: stop',
		endpoint: 'stop',
		kind: 'act',
		prepare: neverEnd,
		isWanted: true,
		begin: runAndGet({ timeout: 1 }, { onTimeout: 'stopAndReturn', pollInterval: 50 }),
	},
	{ ...run, name: 'run: page 2', ...page(1) },
	{
		...trigger,
		name: 'trigger: batches',
		endpoint: 'batches',
		kind: 'read',
		isFirst: true,
		begin: poll({}, finishedBatch),
		rows: [{ batchID: 1001, statusName: 'successful' }],
	},
	{
		...trigger,
		name: 'trigger: page 2',
		...page(1),
		begin: poll({ output: 'rows', options }, finishedBatch),
		rows,
	},
];
