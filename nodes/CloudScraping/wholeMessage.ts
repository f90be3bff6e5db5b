import type { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { Batch } from './api/wire';
import { textOf } from './settings/fieldValues';

export type Failure = NodeApiError | NodeOperationError;

/**
 * The same error for whoever is shown its message alone, such as who publishes a workflow with a trigger.
 * Without the system's codes: where n8n meets one in a message, it puts a text of its own in place of it.
 */
export function withAllInMessage(failure: Failure): Failure {
	failure.message = allSaid(failure).replaceAll(/ \(E[A-Z_]+\)/g, '');
	return failure;
}

/** The same for an AI agent, for which there is nothing beside it. */
export function allInMessage(failure: Failure): Failure {
	return Object.assign(withAllInMessage(failure), { description: undefined });
}

/** What an error says in all, a line each. */
export function allSaid({ message, description, context }: Failure, started?: Batch): string {
	const said = [
		message,
		...(description ? [description] : []),
		...(context.code === undefined ? [] : [`Code: ${textOf(context.code)}`]),
		...(started ? [`Batch ID: ${started.batchID}`] : []),
	];
	return said.join('\n');
}
