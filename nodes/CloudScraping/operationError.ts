import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** The node and its input item that an error is about. */
export interface Where {
	context: { getNode(): INode };
	itemIndex: number;
}

/** An error in the user's words, shown at the input item that it is about. */
export function operationError(
	{ context, itemIndex }: Where,
	message: string,
	description?: string,
): NodeOperationError {
	return new NodeOperationError(context.getNode(), message, { itemIndex, description });
}
