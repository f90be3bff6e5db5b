import { isDeepStrictEqual } from 'node:util';

const WITHIN_MS = 40_000;
const EVERY_MS = 100;

/** Reads again and again, while the page is still changing, until it is what is wanted; or fails. */
export async function eventually<T>(read: () => Promise<T>, wanted: T): Promise<void> {
	const deadline = Date.now() + WITHIN_MS;
	let seen = await read();
	while (!isDeepStrictEqual(seen, wanted) && Date.now() < deadline) {
		await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
		seen = await read();
	}
	expect(seen).toEqual(wanted);
}
