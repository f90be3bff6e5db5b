import type { Run } from './run';

/** An item of a run of the node. */
export type Whose = Pick<Run, 'context' | 'itemIndex'>;

/** What something is remembered for: an item, or `key`, whichever item it was for. */
type Subject = Whose & { key?: string };

/** Where that is kept for all tries of one run of the node. */
interface Place {
	/** An object that n8n hands to each of these tries, and that ends with the execution. */
	owner: object;
	/** How the keys of all items of this run of the node begin. */
	ofRun: string;
	key: string;
}

/**
 * Remembers something for an item within an execution. "Retry On Fail" of n8n runs the whole node
 * again: a later try finds here what an earlier one has left. Forgotten with the execution.
 */
export class ExecutionMemory<T> {
	readonly #executions = new WeakMap<object, Map<string, T>>();

	get(subject: Subject): T | undefined {
		const { owner, key } = placeOf(subject);
		return this.#executions.get(owner)?.get(key);
	}

	set(subject: Subject, value: T): void {
		const { owner, key } = placeOf(subject);
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

function placeOf({ context, itemIndex, key }: Subject): Place {
	// Only n8n's contexts for the tools of an agent have it. There each try has a run index of its own,
	// and calls of different items may have the same one; the arguments of a call stay the same object.
	if ('getNextRunIndex' in context) {
		return {
			owner: context.getInputData()[itemIndex].json,
			ofRun: '',
			key: key ?? String(itemIndex),
		};
	}
	const { $runIndex } = context.getWorkflowDataProxy(itemIndex);
	const ofRun = `${$runIndex}/`;
	return { owner: context.getContext('node'), ofRun, key: key ?? `${ofRun}${itemIndex}` };
}
