/**
 * Runs things side by side, begun in their order, as many as their loads leave room for; one that is
 * larger than the room runs alone. Resolves to what they came to, in the order of the list.
 * @template {{ load: number }} T
 * @template R
 * @param {T[]} things
 * @param {number} room
 * @param {(thing: T) => Promise<R>} run
 * @returns {Promise<R[]>}
 */
export async function sideBySide(things, room, run) {
	const waiting = things.map((thing, index) => ({ thing, index }));
	/** @type {Set<Promise<void>>} */
	const running = new Set();
	/** @type {R[]} */
	const results = [];
	let taken = 0;
	while (waiting.length > 0 || running.size > 0) {
		const fits = waiting.findIndex(({ thing }) => running.size === 0 || taken + thing.load <= room);
		if (fits === -1) {
			await Promise.race(running);
			continue;
		}
		const [{ thing, index }] = waiting.splice(fits, 1);
		taken += thing.load;
		const work = run(thing).then((result) => {
			results[index] = result;
			taken -= thing.load;
			running.delete(work);
		});
		running.add(work);
	}
	return results;
}
