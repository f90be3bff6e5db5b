/** The values of a stored row, by the ids of their fields; only of these, if there are some. It has those of the step that made it. */
export function valuesOf(content: string, ids?: string[]): Map<string, string> {
	const row: unknown = JSON.parse(content);
	if (typeof row !== 'object' || row === null) return new Map();
	const wanted = ids?.filter((id) => Object.hasOwn(row, id)) ?? Object.keys(row);
	return new Map(wanted.map((id) => [id, String(Reflect.get(row, id))]));
}
