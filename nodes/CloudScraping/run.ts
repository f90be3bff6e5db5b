import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { Connection } from './api/connection';
import type { Notes } from './hints';

/** What the user can choose, set, and what happens then. */
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
	/** Does something when the node fails after all, whichever item it is for. */
	undoOnFailure: (undo: () => Promise<void>) => void;
}
