/** Under which name the node shows what the API calls by another one. */
export const fieldNames: Readonly<Record<string, string>> = {
	taskID: 'Task ID',
	nodeCount: 'Max Concurrent Agents',
	jobCount: 'Jobs',
	region: 'Region',
	actionParams: 'Step Values',
	orderBy: 'Order By',
};

/** The name of a parameter of the API, with that of its field: `jobCount ("Jobs")`. */
export function withField(name: string): string {
	const field = fieldNames[name];
	return field === undefined ? name : `${name} ("${field}")`;
}
