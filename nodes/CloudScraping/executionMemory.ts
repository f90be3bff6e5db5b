import type { Run } from './run';

/** What belongs to one item, and to the tries of one run of its node. */
interface Place {
	/** An object that n8n hands to each of these tries, and that ends with the execution. */
	owner: object;
	/** Of all items of this run of the node. */
	ofRun: string;
	key: string;
}

/** Whose place it is. */
export type Whose = Pick<Run, 'context' | 'itemIndex'>;

/**
 * Remembers something for an item within an execution. "Retry On Fail" of n8n runs the whole node
 * again: a later try finds here what an earlier one has left. Forgotten with the execution.
 */
export class ExecutionMemory<T> {
	readonly #executions = new WeakMap<object, Map<string, T>>();

	/** `key`: other than that of the item. */
	get(run: Whose, key = placeOf(run).key): T | undefined {
		return this.#executions.get(placeOf(run).owner)?.get(key);
	}

	set(run: Whose, value: T, key = placeOf(run).key): void {
		const { owner } = placeOf(run);
		const entries = this.#executions.get(owner) ?? new Map<string, T>();
		this.#executions.set(owner, entries.set(key, value));
	}

	/** What is remembered for the items of this run of the node. */
	all(run: Whose): T[] {
		const { owner, ofRun } = placeOf(run);
		const entries = [...(this.#executions.get(owner) ?? [])];
		return entries.flatMap(([key, value]) => (key.startsWith(ofRun) ? [value] : []));
	}
}

function placeOf({ context, itemIndex }: Whose): Place {
	// Only n8n's contexts for the tools of an agent have it. There each try has a run index of its own,
	// and calls of different items may have the same one; the arguments of a call stay the same object.
	if ('getNextRunIndex' in context) {
		return { owner: context.getInputData()[itemIndex].json, ofRun: '', key: String(itemIndex) };
	}
	const { $runIndex } = context.getWorkflowDataProxy(itemIndex);
	const ofRun = `${$runIndex}/`;
	return { owner: context.getContext('node'), ofRun, key: `${ofRun}${itemIndex}` };
}
