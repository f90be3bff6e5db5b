import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../run';
import { getData } from './getData';
import { listBatches } from './listBatches';
import { runAndGetData } from './runAndGetData';
import { startTask } from './startTask';
import { stopTask } from './stopTask';

/** All operations, by name. */
export const operations: readonly Operation[] = [
	getData,
	listBatches,
	runAndGetData,
	startTask,
	stopTask,
];

/** The list of operations. */
export const operationProperty: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	options: operations.map(({ entry }) => entry),
	default: 'getData',
};

/** The parameters of all operations. */
export const operationProperties = operations.flatMap(({ properties }) => properties);

/** An expression: the name of the operation that is chosen. */
export const operationSubtitle = `={{ (${JSON.stringify(
	Object.fromEntries(operations.map(({ entry }) => [entry.value, entry.name])),
)})[$parameter["operation"]] }}`;

/** The operation with this value of the parameter "operation", if there is one. */
export function findOperation(value: string): Operation | undefined {
	return operations.find(({ entry }) => entry.value === value);
}
