import type { Run } from './run';

/** What belongs to one item, and to the tries of one run of its node. */
interface Place {
	/** An object that n8n hands to each of these tries, and that ends with the execution. */
	owner: object;
	key: string;
}

/**
 * Remembers something for an item within an execution. "Retry On Fail" of n8n runs the whole node
 * again: a later try finds here what an earlier one has left. Forgotten with the execution.
 */
export class ExecutionMemory<T> {
	private readonly executions = new WeakMap<object, Map<string, T>>();

	get(run: Run): T | undefined {
		const { owner, key } = placeOf(run);
		return this.executions.get(owner)?.get(key);
	}

	set(run: Run, value: T): void {
		const { owner, key } = placeOf(run);
		const entries = this.executions.get(owner) ?? new Map<string, T>();
		this.executions.set(owner, entries.set(key, value));
	}

	delete(run: Run): void {
		const { owner, key } = placeOf(run);
		this.executions.get(owner)?.delete(key);
	}
}

function placeOf({ context, itemIndex }: Run): Place {
	// Only n8n's contexts for the tools of an agent have it. There each try has a run index of its own,
	// and calls of different items may have the same one; the arguments of a call stay the same object.
	if ('getNextRunIndex' in context) {
		return { owner: context.getInputData()[itemIndex].json, key: String(itemIndex) };
	}
	const { $runIndex } = context.getWorkflowDataProxy(itemIndex);
	return { owner: context.getContext('node'), key: `${$runIndex}/${itemIndex}` };
}
