import { isTag, type Element } from 'domhandler';
import type { Said } from '../page.ts';
import { innerText, parentOf } from './innerText.ts';

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

/** How each of them looks; none where two look the same. */
function looksOf(elements: Element[]): string[] {
	const looking = elements.map((element) => attributesOf(element, { areLooksSaid: true }));
	return new Set(looking).size === elements.length ? looking : [];
}

const hasWord = /\p{L}/u;

const withoutNumbers = (text: string) => text.replace(/\d+/g, '#');

/** As "128 GB" of "128 GB (8)". */
const withoutCount = (text: string) => text.replace(/[\s([]*\d[\d.,\s]*[)\]]*$/, '');

/** What holds an element, from inside to outside; the page and its body hold all. */
function holdersOf(element: Element): Element[] {
	const parent = parentOf(element);
	if (!parent || parent.name === 'body') return [];
	return [parent, ...holdersOf(parent)];
}

/** The texts of the entry that an element stands in, which ends where another one of its list does; of all that may be it, if it is alone. */
function textsAround(elements: Element[], index: number): string[] {
	const element = elements[index];
	if (!element) return [];
	const holders = holdersOf(element);
	if (elements.length === 1) return holders.map((holder) => innerText(holder));
	const others = [elements[index - 1], elements[index + 1]].flatMap((other) =>
		other ? holdersOf(other) : [],
	);
	const entry = holders.findLast((holder) => !others.includes(holder));
	return entry ? [innerText(entry)] : [];
}

/**
 * By what each of these elements is known: its text as it is, or whatever numbers stand in it, as those of what is behind each
 * choice of a filter; then the text of its entry. What has no word, as a picture or a count, is known by its attributes before;
 * by how it looks, only where no two look the same.
 */
function keysOf(elements: Element[]): string[][] {
	const before = known.get(elements);
	if (before) return before;
	const texts = elements.map((element) => innerText(element));
	const looking = texts.every((text) => hasWord.test(text)) ? [] : looksOf(elements);
	const keys = elements.map((element, index) => {
		const text = texts[index] ?? '';
		const around = textsAround(elements, index).filter((each) => each !== text);
		const kinds = {
			text: [text],
			numbers: [withoutNumbers(text)],
			count: [withoutCount(text)],
			around,
			numbersAround: around.map(withoutNumbers),
		};
		const said = Object.entries(kinds).flatMap(([kind, all]) =>
			all
				.filter((each) => each !== '')
				.map((each) => (kind === 'text' ? each : `${kind}: ${each}`)),
		);
		// Nothing tells those apart that say nothing.
		said.push('');
		if (hasWord.test(text)) return said;
		const label = attributesOf(element, { areLooksSaid: false });
		const labels = label.includes('=') ? [withoutNumbers(label), label] : [];
		const look = looking[index];
		return [...labels, ...said, ...(look === undefined ? [] : [`looks: ${look}`])];
	});
	known.set(elements, keys);
	return keys;
}

/** What each of these elements says. */
export function sayingOf(elements: Element[]): Said[] {
	const nths = new Map<string, number>();
	const said = keysOf(elements).map((keys) =>
		[...new Set(keys)].map((key) => {
			const nth = nths.get(key) ?? 0;
			nths.set(key, nth + 1);
			return { key, nth };
		}),
	);
	return said.map((keys) => keys.map((each) => ({ ...each, times: nths.get(each.key) ?? 0 })));
}

/**
 * The one of these elements that says what it alone said; of those that nothing told apart, the same one, where there are as
 * many. Undefined where it is not there any more.
 */
export function thatSays(said: Said, elements: Element[]): Element | undefined {
	const all = keysOf(elements);
	const own = said.filter(({ times }) => times === 1);
	for (const { key, nth, times } of own.length > 0 ? own : said) {
		const same = elements.filter((_, index) => all[index]?.includes(key));
		if (same.length === times) return same[nth];
	}
	return undefined;
}
