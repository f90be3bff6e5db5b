import { saysAnything } from './saysAnything.ts';

/** Characters: what is longer and ends in dots is a text that was cut off. */
const maxLength = 20;

/** What waits by itself: where there is no more than one text, strokes may say that there is none, and others are cut off. */
const waits = /^(loading|please wait|[^\p{L}\p{N}]*(…|\.\.\.))/iu;
/** The same in each of several. */
const isOfNone = /(…|\.\.\.)$|^\p{Sc}?[\s.,:_–—-]+\p{Sc}?$/u;

/** Whether the texts of a column only hold the place of what scripts of the page would bring: "Loading…", "--". */
export function holdPlace(texts: string[]): boolean {
	const said = texts.filter((text) => text !== '');
	const [text, ...others] = new Set(said);
	if (text === undefined || others.length > 0 || text.length > maxLength) return false;
	return !saysAnything(text) && (said.length > 1 ? isOfNone : waits).test(text);
}
