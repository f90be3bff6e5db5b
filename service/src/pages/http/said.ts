import type { Element } from 'domhandler';
import type { Said } from '../page.ts';
import { innerText } from './innerText.ts';

/** A text counts as it is, or whatever numbers stand in it, as those of what is behind each choice of a filter. */
const keysOf = (text: string) => [text, text.replace(/\d+/g, '#')];

/** What each of these elements says. */
export function sayingOf(elements: Element[]): Said[] {
	const counts = keysOf('').map(() => new Map<string, number>());
	const said = elements.map((element) =>
		keysOf(innerText(element)).map((key, kind) => {
			const nth = counts[kind]?.get(key) ?? 0;
			counts[kind]?.set(key, nth + 1);
			return { key, nth };
		}),
	);
	return said.map((keys) =>
		keys.map((each, kind) => ({ ...each, times: counts[kind]?.get(each.key) ?? 0 })),
	);
}

/** The one of these elements that says that; undefined where none does, or others say the same now. */
export function thatSays(said: Said, elements: Element[]): Element | undefined {
	const keys = elements.map((element) => keysOf(innerText(element)));
	for (const [kind, { key, nth, times }] of said.entries()) {
		const same = elements.filter((_, index) => keys[index]?.[kind] === key);
		if (same.length === times) return same[nth];
	}
	return undefined;
}
