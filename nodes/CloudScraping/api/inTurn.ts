/** Of what is done for a key, the end of what was asked for last. */
const ends = new Map<unknown, Promise<void>>();

/** Does it when all that was asked for before, for the same key, has ended, well or not. */
export async function inTurn<T>(key: unknown, work: () => Promise<T>): Promise<T> {
	const result = (ends.get(key) ?? Promise.resolve()).then(work);
	const end = result.then(
		() => {},
		() => {},
	);
	ends.set(key, end);
	void end.then(() => {
		if (ends.get(key) === end) ends.delete(key);
	});
	return await result;
}
