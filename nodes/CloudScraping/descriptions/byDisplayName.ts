import type { INodeProperties } from 'n8n-workflow';

/** Sorts the options of a collection as n8n shows them: by the name that the user reads. */
export function byDisplayName(properties: INodeProperties[]): INodeProperties[] {
	return [...properties].sort((a, b) => a.displayName.localeCompare(b.displayName, 'en'));
}
