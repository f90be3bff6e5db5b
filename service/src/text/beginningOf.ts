/** Bytes that there is room for at first. */
const firstRoom = 64 * 1024;

/**
 * What an answer begins with, up to the chunk with which it is larger than `maxBytes`. It is copied into one piece as it
 * comes: each chunk, of a single byte too, would keep all that has come from the network with it.
 */
export async function beginningOf(
	body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
	maxBytes: number,
): Promise<Buffer> {
	let whole = Buffer.allocUnsafe(firstRoom);
	let length = 0;
	for await (const chunk of body) {
		const needed = length + chunk.length;
		if (needed > whole.length) {
			const larger = Buffer.allocUnsafe(Math.max(needed, 2 * whole.length));
			whole.copy(larger, 0, 0, length);
			whole = larger;
		}
		whole.set(chunk, length);
		length = needed;
		if (length > maxBytes) break;
	}
	// What is kept of a small one would keep the room with it.
	if (2 * length >= whole.length) return whole.subarray(0, length);
	const exact = Buffer.allocUnsafeSlow(length);
	whole.copy(exact, 0, 0, length);
	return exact;
}
