import { isDeepStrictEqual } from 'node:util';

const withinMs = 40_000;
const everyMs = 100;

/** Reads again and again, while the page is still changing, until it is what is wanted; or fails. */
export async function eventually<T>(read: () => Promise<T>, wanted: T): Promise<void> {
	const deadline = Date.now() + withinMs;
	let seen = await read();
	while (!isDeepStrictEqual(seen, wanted) && Date.now() < deadline) {
		await new Promise((resolve) => setTimeout(resolve, everyMs));
		seen = await read();
	}
	expect(seen).toEqual(wanted);
}
