import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { Connection } from './api/connection';
import type { Notes } from './hints';

/** An operation of the node: its entry in the list, its form, and what it does for an input item. */
export interface Operation {
	/** Its entry in the list of operations. */
	entry: INodePropertyOptions & { value: string; action: string };
	/** Its parameters, each shown for this operation only. */
	properties: INodeProperties[];
	execute: (run: Run) => Promise<INodeExecutionData[]>;
}

/** One input item for which an operation runs. */
export interface Run {
	context: IExecuteFunctions;
	connection: Connection;
	itemIndex: number;
	/** What is to be said beside the output: see `hint`. */
	notes: Notes;
	/** Items that the node has returned for the input items before this one. */
	itemsBefore: number;
	/** Does something when the node or this item fails after all. */
	undoOnFailure: (undo: () => Promise<void>) => void;
}
