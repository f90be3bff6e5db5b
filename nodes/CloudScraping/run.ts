import type { IExecuteFunctions } from 'n8n-workflow';

import type { Connection } from './api/connection';
import type { Notes } from './hints';

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
