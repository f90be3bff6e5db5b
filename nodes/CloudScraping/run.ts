import type {
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Connection } from './api/connection';
import type { Batch } from './api/wire';
import type { Notes } from './hints';

/** An operation of the node: its entry in the list, its form, and what it does for an input item. */
export interface Operation {
	/** Its entry in the list of operations. */
	entry: INodePropertyOptions & { value: string; action: string };
	/** Its parameters, each shown for this operation only. */
	properties: INodeProperties[];
	/**
	 * Waits for what goes on without the node, where the user wants that: for all input items side by
	 * side, before they are executed one after the other. `end` is for when the node fails at another
	 * item: a batch that nobody has to watch is no longer waited for.
	 */
	waitFor?: (run: Run, end: AbortSignal) => Promise<WaitOutcome | undefined>;
	execute: (run: Run, waited?: WaitOutcome) => Promise<INodeExecutionData[]>;
}

/** What came of waiting for a batch, and the batch as it was seen last. */
export type WaitOutcome = Readable | AskAgain;

/** Its rows are to be read, though it may go on. */
interface Readable {
	kind: 'readable';
	batch: Batch;
	/** When the wait has seen the batch end, as `performance.now()` says; not of one that had ended before. */
	endSeen?: number;
}

/** It goes on, and an agent is not kept waiting any longer. */
export interface AskAgain {
	kind: 'askAgain';
	batch: Batch;
	/** How long the agent has waited, e.g. `90 seconds`. */
	after: string;
}

/** One input item for which an operation runs. */
export interface Run {
	context: IExecuteFunctions;
	connection: Connection;
	itemIndex: number;
	/** Whether an AI agent calls the node as its tool: it sees nothing but the items. */
	isTool: boolean;
	/** What is to be said beside the output: see `hint`. */
	notes: Notes;
	/** Items that the node has returned for the input items before this one. */
	itemsBefore: number;
	/** Does something when the node or this item fails after all; no try is known to be the last one. */
	undoOnFailure: (undo: () => Promise<void>, redo: Redo) => void;
}

/** Does again what was undone, for the run of the same item in a later try of the node. */
export type Redo = (run: Run) => Promise<void>;

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
