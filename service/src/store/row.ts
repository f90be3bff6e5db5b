/** The values of a stored row, by the ids of their fields. It has those of the step that made it. */
export function valuesOf(content: string): Map<string, string> {
	const row: unknown = JSON.parse(content);
	if (typeof row !== 'object' || row === null) return new Map();
	return new Map(Object.entries(row).map(([id, value]) => [id, String(value)]));
}
