import type { Run } from './operation';

/** Shows a note beside the node's output. n8n releases without hints show nothing. */
export function hint({ context }: Run, message: string): void {
	context.addExecutionHints?.({ message, location: 'outputPane', type: 'info' });
}
