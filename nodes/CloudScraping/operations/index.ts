import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../run';
import { nameOfChosen } from '../settings/fieldValues';
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

/**
 * What operations are about: always a task, so that nobody has to choose. n8n tells an agent the action
 * of an operation, and looks for the schema of its output, only where there is a parameter `resource`;
 * and its node panel finds the actions by the choices that there would be.
 */
export const resourceProperty: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'hidden',
	noDataExpression: true,
	options: [{ name: 'Task', value: 'task' }],
	default: 'task',
};

/** The list of operations. */
export const operationProperty: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['task'] } },
	options: operations.map(({ entry }) => entry),
	default: 'runAndGetData',
};

/** The parameters of all operations. */
export const operationProperties = operations.flatMap(({ properties }) => properties);

export const operationSubtitle = nameOfChosen(
	operationProperty.name,
	operations.map(({ entry }) => entry),
);

/** The operation with this value of the parameter "operation", if there is one. */
export function findOperation(value: string): Operation | undefined {
	return operations.find(({ entry }) => entry.value === value);
}
