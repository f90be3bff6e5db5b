import { NodeApiError } from 'n8n-workflow';

import type { ApiContext } from './api/connection';

/** Writes to n8n's log what no output and no hint can say. */
export function logWarning(context: ApiContext, text: string, error?: Error): void {
	context.logger.warn(text, {
		workflowId: context.getWorkflow().id,
		nodeName: context.getNode().name,
		...(error && 'description' in error && { description: error.description }),
		...(error instanceof NodeApiError && { httpCode: error.httpCode, code: error.context.code }),
	});
}
