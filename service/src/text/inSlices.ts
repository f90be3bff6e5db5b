import { ownTurn } from './ownTurn.ts';

/** Characters of a text that are worked on at once: each of its signs may be one that is escaped. */
const sliceLength = 100_000;

/** What comes of the slices of a text, one after the other; others have a turn between two of them. */
export async function inSlices<Result>(
	text: string,
	work: (slice: string) => Result,
): Promise<Result[]> {
	const results: Result[] = [];
	for (let at = 0; at < text.length; at += sliceLength) {
		if (at > 0) await ownTurn();
		results.push(work(text.slice(at, at + sliceLength)));
	}
	return results;
}
