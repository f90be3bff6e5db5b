import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { isObject } from '../api/json';
import type { Batch } from '../api/wire';
import { allSaid } from '../wholeMessage';
import type { Failure } from '../wholeMessage';
import { textOf } from '../settings/fieldValues';

/** An error that n8n can show beside its item, whatever was thrown. */
export function nodeError(context: IExecuteFunctions, error: unknown, itemIndex: number): Failure {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex = itemIndex;
		return error;
	}
	const { message, description } = isObject(error) ? error : {};
	return new NodeOperationError(context.getNode(), textOf(message) || String(error), {
		itemIndex,
		description: textOf(description) || undefined,
	});
}

/**
 * What a failed item becomes when the node goes on. It names the batch that was started for the item,
 * because that was paid for.
 */
export function failedItem(
	context: IExecuteFunctions,
	failure: Failure,
	itemIndex: number,
	started?: Batch,
): INodeExecutionData {
	const toErrorBranch = context.getNode().onError === 'continueErrorOutput';
	const json = toErrorBranch ? errorAndMessage(failure, started) : separateKeys(failure, started);
	return { json, pairedItem: { item: itemIndex } };
}

/** The only keys by which every n8n knows a failed item for its error branch: all is in `message`. */
function errorAndMessage(failure: Failure, started?: Batch): IDataObject {
	return { error: failure.message, message: allSaid(failure, started) };
}

function separateKeys({ message, description, context }: Failure, started?: Batch): IDataObject {
	const { code, requestId } = context;
	return {
		error: message,
		...(description && { description }),
		...(code !== undefined && { code }),
		...(requestId !== undefined && { requestId }),
		...(started && { batchID: started.batchID }),
	};
}
