import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { yesOrNo } from './fieldValues';
import type { Entered } from './fieldValues';

const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: false,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Whether batches come out with what most workflows use of them. */
export function simplifyProperty(displayOptions: IDisplayOptions): INodeProperties {
	return { ...simplify, displayOptions };
}

/** Whether the user wants that. */
export function wantsSimple(parameters: Entered): boolean {
	return yesOrNo(parameters, simplify);
}
