import { isTag, type Element } from 'domhandler';
import type { Said } from '../page.ts';
import { innerText } from './innerText.ts';

/** By the lists of documents, of which nothing changes: each is asked of several times for each element. */
const known = new WeakMap<Element[], string[][]>();

/** What changes as something is chosen; and how it looks, which may. */
const volatile =
	/^(href|action|formaction|nonce|tabindex|target|formtarget|open|hidden|checked|selected|disabled|on.*|aria-(?!label$).*)$/i;
const looks = /^(class|style)$/i;

/** Its attributes, and those of what is in it. */
function attributesOf(element: Element, { areLooksSaid }: { areLooksSaid: boolean }): string {
	const isHidden = /^hidden$/i.test(element.attribs.type ?? '');
	const own = Object.entries(element.attribs).filter(([name]) => {
		if (isHidden && name === 'value') return false;
		return looks.test(name) ? areLooksSaid : !volatile.test(name);
	});
	const inside = element.children.filter(isTag);
	return [
		element.name,
		...own.map(([name, value]) => `${name}=${value}`),
		...inside.map((each) => attributesOf(each, { areLooksSaid })),
	].join(' ');
}

const withoutNumbers = (text: string) => text.replace(/\d+/g, '#');

/**
 * A text counts as it is, or whatever numbers stand in it, as those of what is behind each choice of a filter. What has no
 * word, as a picture or a count, is known by its attributes before; by how it looks, only where no two look the same.
 */
function keysOf(elements: Element[]): string[][] {
	const before = known.get(elements);
	if (before) return before;
	const looking = elements.map((element) => attributesOf(element, { areLooksSaid: true }));
	const lookApart = new Set(looking).size === elements.length;
	const keys = elements.map((element, index) => {
		const text = innerText(element);
		const texts = text === '' ? [] : [text, withoutNumbers(text)];
		if (/\p{L}/u.test(text)) return texts;
		const label = attributesOf(element, { areLooksSaid: false });
		const labels = label.includes('=') ? [withoutNumbers(label), label] : [];
		const looks = lookApart ? (looking[index] ?? []) : [];
		const all = [...labels, ...texts].concat(looks);
		return all.length > 0 ? all : [text];
	});
	known.set(elements, keys);
	return keys;
}

/** What each of these elements says. */
export function sayingOf(elements: Element[]): Said[] {
	const times: Map<string, number>[] = [];
	const said = keysOf(elements).map((keys) =>
		keys.map((key, kind) => {
			const counted = (times[kind] ??= new Map());
			const nth = counted.get(key) ?? 0;
			counted.set(key, nth + 1);
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
	// What it alone has said tells more than which one of several it was.
	const kinds = [...said.entries()].sort(
		([, a], [, b]) => Number(a.times > 1) - Number(b.times > 1),
	);
	for (const [kind, { key, nth, times }] of kinds) {
		const same = elements.filter((_, index) => all[index]?.[kind] === key);
		if (same.length === times) return same[nth];
	}
	return undefined;
}
