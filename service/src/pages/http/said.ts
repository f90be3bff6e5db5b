import type { Element } from 'domhandler';
import type { Said } from '../page.ts';
import { innerText } from './innerText.ts';

/** By the lists of documents, of which nothing changes: each is asked of several times for each element. */
const known = new WeakMap<Element[], string[][]>();

/** A text counts as it is, or whatever numbers stand in it, as those of what is behind each choice of a filter. */
function keysOf(elements: Element[]): string[][] {
	const keys =
		known.get(elements) ??
		elements.map((element) => {
			const text = innerText(element);
			return [text, text.replace(/\d+/g, '#')];
		});
	known.set(elements, keys);
	return keys;
}

/** What each of these elements says. */
export function sayingOf(elements: Element[]): Said[] {
	const times = [new Map<string, number>(), new Map<string, number>()];
	const said = keysOf(elements).map((keys) =>
		keys.map((key, kind) => {
			const nth = times[kind]?.get(key) ?? 0;
			times[kind]?.set(key, nth + 1);
			return { key, nth };
		}),
	);
	return said.map((keys) =>
		keys.map((each, kind) => ({ ...each, times: times[kind]?.get(each.key) ?? 0 })),
	);
}

/** The one of these elements that says that; undefined where none does, or others say the same now. */
export function thatSays(said: Said, elements: Element[]): Element | undefined {
	const all = keysOf(elements);
	for (const [kind, { key, nth, times }] of said.entries()) {
		const same = elements.filter((_, index) => all[index]?.[kind] === key);
		if (same.length === times) return same[nth];
	}
	return undefined;
}
