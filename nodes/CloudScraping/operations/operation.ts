import type { INodeExecutionData, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Run } from '../run';

/** What the user can choose, set, and what happens then. */
export interface Operation {
	/** Its entry in the list of operations. */
	entry: INodePropertyOptions & { value: string; action: string };
	/** Its parameters, each shown for this operation only. */
	properties: INodeProperties[];
	execute: (run: Run) => Promise<INodeExecutionData[]>;
}
