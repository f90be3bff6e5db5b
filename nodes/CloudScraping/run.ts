import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

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
	 * item: a run that nobody has to watch is no longer waited for.
	 */
	waitFor?: (run: Run, end: AbortSignal) => Promise<WaitOutcome | undefined>;
	execute: (run: Run, waited?: WaitOutcome) => Promise<INodeExecutionData[]>;
}

/** What came of waiting for a run. */
export interface WaitOutcome {
	/** The batch as it was seen last. */
	batch: Batch;
	/** How long an agent has waited that is to ask again, because the run goes on. */
	goesOnAfter?: string;
	/** When the wait has seen the batch end, as `performance.now()` says; not of one that had ended before. */
	endSeen?: number;
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
