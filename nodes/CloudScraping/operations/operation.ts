import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { Connection } from '../api/connection';

/** One input item for which an operation runs. */
export interface Run {
	context: IExecuteFunctions;
	connection: Connection;
	itemIndex: number;
	/** Does something when the node fails after all, whichever item it is for. */
	undoOnFailure: (undo: () => Promise<void>) => void;
}

/** What the user can set, and what happens then. */
export interface Operation {
	description: INodeProperties[];
	execute: (run: Run) => Promise<INodeExecutionData[]>;
}
