import type { Run } from './operation';

/**
 * What an operation remembers of an item within an execution. "Retry On Fail" of n8n runs the whole
 * node again: a later try finds here what an earlier one has left.
 */
export function executionMemory<T>(
	{ context, itemIndex }: Run,
	subject: string,
): { get(): T | undefined; set(value: T): void } {
	const memory: Record<string, T | undefined> = context.getContext('node');
	const { $runIndex } = context.getWorkflowDataProxy(itemIndex);
	const key = [subject, context.getExecutionId(), $runIndex, itemIndex].join('/');
	return {
		get: () => memory[key],
		set: (value) => {
			memory[key] = value;
		},
	};
}
