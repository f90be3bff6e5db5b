import { ownTurn } from './ownTurn.ts';

/** Characters of a text that are worked on at once: each of its signs may be one that is escaped. */
const sliceLength = 100_000;

/** The slices of a text; others have a turn between two of them. */
export async function* slicesOf(text: string): AsyncGenerator<string> {
	for (let at = 0; at < text.length; at += sliceLength) {
		if (at > 0) await ownTurn();
		yield text.slice(at, at + sliceLength);
	}
}

/** What comes of the slices of a text, one after the other. */
export async function inSlices<Result>(
	text: string,
	work: (slice: string) => Result,
): Promise<Result[]> {
	const results: Result[] = [];
	for await (const slice of slicesOf(text)) results.push(work(slice));
	return results;
}
