import type { ApiContext } from './api/connection';

/** Writes to n8n's log what no output and no hint can say; `description` is that of an error. */
export function logWarning(context: ApiContext, text: string, error?: Error): void {
	context.logger.warn(text, {
		workflowId: context.getWorkflow().id,
		nodeName: context.getNode().name,
		description: error && 'description' in error ? error.description : undefined,
	});
}
