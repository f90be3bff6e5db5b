/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { z } from 'zod';
import type { Entered, Mark } from '../page.ts';
import type { Unhidden } from './hiddenByStep.ts';

export const markShape: z.ZodType<Mark> = z.object({
	content: z.string(),
	nth: z.number(),
	address: z.string().optional(),
	isOnlyLink: z.boolean(),
	text: z.string().optional(),
	around: z.string().optional(),
	attributes: z.string(),
	name: z.string(),
});

/** The elements of the loops in one document. */
export interface LoopElements {
	/** A loop over these elements begins: its rounds will find them where they are now. */
	begin: (root: Element | Document, selector: string) => Mark[];
	/** One of them; the same one again where the page, or its list, has come anew. */
	find: (root: Element | Document, entered: Entered) => Element | undefined;
}

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepLoopElements(
	own: <Target extends Node>(node: Target) => Target,
	unhidden: Unhidden,
): LoopElements {
	/** How much of an element is looked at. */
	const [maxNodes, maxText, maxAddress, maxName] = [500, 2_000, 4_096, 60];
	/** What differs from visit to visit, or by what was done with an element. */
	const volatile =
		/^(class|style|nonce|tabindex|target|formtarget|open|hidden|checked|selected|disabled|on.*|aria-(?!label$).*)$/;

	/** 53 bits of a text. */
	const hash = (said: string) => {
		let [high, low] = [0xdeadbeef, 0x41c6ce57];
		for (let at = 0; at < said.length; at += 1) {
			const code = said.charCodeAt(at);
			high = Math.imul(high ^ code, 2654435761);
			low = Math.imul(low ^ code, 1597334677);
		}
		high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
		low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
		return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
	};
	/** Only the properties of forms may be others than they seem, and asking around that takes time. */
	const safe = (element: Element) => (element instanceof HTMLFormElement ? own(element) : element);
	const addressOf = (element: Element) => {
		const link =
			own(element).closest('a[href], link[href]') ?? own(element).querySelector('a[href]');
		const href = link?.getAttribute('href');
		if (!link || !href || href.length > maxAddress) return undefined;
		// Whoever makes it of the attribute has to know the encoding of the document.
		const whole =
			link instanceof HTMLAnchorElement || link instanceof HTMLLinkElement ? link.href : href;
		return URL.parse(whole, document.baseURI)?.href;
	};
	const attributesOf = (element: Element) => {
		const isHidden = element instanceof HTMLInputElement && element.type === 'hidden';
		let said = safe(element).localName;
		for (const { name, value } of safe(element).attributes) {
			if (volatile.test(name) || (isHidden && name === 'value')) continue;
			said += ` ${name}=${value.slice(0, maxText)}`;
		}
		return said;
	};
	const contentOf = (element: Element) => {
		let [all, text] = ['', ''];
		const walker = own(document).createTreeWalker(
			element,
			NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
		);
		let node: Node | null = element;
		for (let nodes = 0; node && nodes < maxNodes; nodes += 1) {
			if (node instanceof Element) all += `<${attributesOf(node)}>`;
			else if (
				node instanceof Text &&
				!/^(script|style)$/i.test(node.parentElement?.nodeName ?? '')
			) {
				text += ` ${node.data.slice(0, maxText)}`;
			}
			node = walker.nextNode();
		}
		return { all, text: text.replace(/\s+/g, ' ').trim() };
	};
	/** How often each is there. */
	const timesOf = (keys: Iterable<string | undefined>) => {
		const times = new Map<string | undefined, number>();
		for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
		return times;
	};

	/** The text of an entry, of which an element such as its link "more" is the only one in the list. */
	const textAround = (list: Element[], place: number) => {
		const others = [list[place - 1], list[place + 1]].filter((each) => each !== undefined);
		const isEntry = (outer: Element) => !others.some((each) => own(outer).contains(each));
		let entry: Element | undefined = list[place];
		let outer: Element | undefined = entry;
		while (others.length > 0 && outer && isEntry(outer)) {
			entry = outer;
			outer = own(outer).parentElement ?? undefined;
		}
		return entry ? contentOf(entry).text : '';
	};

	const marksOf = (list: Element[]): Mark[] => {
		const seen = list.map((element) => {
			const [address, { all, text }] = [addressOf(element), contentOf(element)];
			const content = hash(`${address} ${text} ${all}`);
			const attributes = hash(attributesOf(element));
			const name = text.slice(0, maxName);
			return { address, content, text: text && hash(text), attributes, name };
		});
		const [links, texts] = [
			timesOf(seen.map(({ address }) => address)),
			timesOf(seen.map(({ text }) => text)),
		];
		const entries = seen.map(({ text }, place) => {
			const around = texts.get(text) === 1 ? '' : textAround(list, place);
			return around && hash(around);
		});
		const entriesTimes = timesOf(entries);
		const before = new Map<string, number>();
		return seen.map(({ address, content, text, attributes, name }, place) => {
			const nth = before.get(content) ?? 0;
			before.set(content, nth + 1);
			const isOnlyText = text !== '' && texts.get(text) === 1;
			const around = entries[place];
			return {
				content,
				nth,
				...(address !== undefined && { address }),
				isOnlyLink: address !== undefined && links.get(address) === 1,
				...(isOnlyText && { text }),
				...(around && entriesTimes.get(around) === 1 && { around }),
				attributes,
				name: name || (address ?? ''),
			};
		});
	};
	/**
	 * Where the elements of marks are among others: the one that is equal, or the only one that leads to the
	 * same address, or the only one that says the same, or the only one in an entry that does.
	 */
	const among = (marks: Mark[]) => {
		const [contents, links, texts, entries] = [
			new Map<string, number>(),
			new Map<string, number>(),
			new Map<string, number>(),
			new Map<string, number>(),
		];
		for (const [place, { content, nth, address, isOnlyLink, text, around }] of marks.entries()) {
			contents.set(`${content} ${nth}`, place);
			if (address !== undefined && isOnlyLink) links.set(address, place);
			if (text !== undefined) texts.set(text, place);
			if (around !== undefined) entries.set(around, place);
		}
		return ({ content, nth, address, isOnlyLink, text, around }: Mark): number | undefined =>
			contents.get(`${content} ${nth}`) ??
			(isOnlyLink && address !== undefined ? links.get(address) : undefined) ??
			(text === undefined ? undefined : texts.get(text)) ??
			(around === undefined ? undefined : entries.get(around));
	};

	/** Where each begins, up to the end of one word after the other; those that begin alike have none. */
	const beginningsOf = (marks: Mark[], places: number[]) => {
		const beginnings = new Map<string, number | undefined>();
		for (const place of places) {
			const name = marks[place]?.name ?? '';
			for (let end = name.indexOf(' '); ; end = name.indexOf(' ', end + 1)) {
				const beginning = end < 0 ? name : name.slice(0, end);
				beginnings.set(beginning, beginnings.has(beginning) ? undefined : place);
				if (end < 0) break;
			}
		}
		return beginnings;
	};

	/**
	 * Where the elements of a list are in the one that has taken its place. What was done with one may have changed
	 * it: of what is left, it is the only one that begins as it did, or that has its attributes.
	 */
	const placesIn = (was: Mark[], now: Mark[]) => {
		const placeOf = among(now);
		const places = was.map((mark) => placeOf(mark));
		const taken = new Set(places);
		const left = [...now.keys()].filter((place) => !taken.has(place));
		const beginnings = beginningsOf(now, left);
		const names = timesOf(was.map(({ name }) => name));
		const [then, since] = [was, now].map((marks) =>
			timesOf(marks.map(({ attributes }) => attributes)),
		);
		const withAttributes = new Map(left.map((place) => [now[place]?.attributes, place]));
		return places.map((place, index) => {
			const { name = '', attributes } = was[index] ?? {};
			const byName = name !== '' && names.get(name) === 1 ? beginnings.get(name) : undefined;
			const isOnly = then?.get(attributes) === 1 && since?.get(attributes) === 1;
			return place ?? byName ?? (isOnly ? withAttributes.get(attributes) : undefined);
		});
	};

	/** Whether scripts have rewritten a list where it was: what it still has stands in its place. */
	const isRewritten = (was: Mark[], now: Mark[], places: (number | undefined)[]) => {
		const times = timesOf(was.map(({ content }) => content));
		return (
			was.length === now.length &&
			was.every((mark, place) => {
				const there = times.get(mark.content) === 1 ? places[place] : undefined;
				return there === undefined || there === place;
			})
		);
	};

	/**
	 * By where they were looked for: a list, what its elements were before anything was done with them, and
	 * where in it the elements of the loop are.
	 */
	interface Kept {
		list: Element[];
		marks: Mark[];
		places: Map<number, number>;
	}
	const lists = new WeakMap<Node, Map<string, Kept>>();
	const keep = (root: Node, selector: string, kept: Kept) => {
		const known = lists.get(root) ?? new Map<string, Kept>();
		lists.set(root, known);
		known.set(selector, kept);
	};
	const all = (root: Element | Document, selector: string): Element[] =>
		Array.from(own(root).querySelectorAll(selector));
	const elementIn = ({ list, places }: Kept, index: number) => {
		const place = places.get(index);
		return place === undefined ? undefined : list[place];
	};

	/** In the place of a list whose element scripts have taken away. */
	const inNewList = (kept: Kept, list: Element[]): Kept => {
		const marks = marksOf(list);
		const there = placesIn(kept.marks, marks);
		if (isRewritten(kept.marks, marks, there)) return { ...kept, list };
		const places = new Map<number, number>();
		for (const [index, place] of kept.places) {
			const now = there[place];
			if (now !== undefined) places.set(index, now);
		}
		return { list, marks, places };
	};

	/** On a page that has come again. */
	const anew = (list: Element[], index: number, mark: Mark | undefined): Kept => {
		const marks = marksOf(list);
		const place = mark && among(marks)(mark);
		return { list, marks, places: new Map(place === undefined ? [] : [[index, place]]) };
	};

	return {
		begin(root, selector) {
			const list = all(root, selector);
			const marks = marksOf(list);
			const there = new Set(unhidden(root, list));
			const shown = [...list.keys()].filter((place) => there.has(list[place]));
			keep(root, selector, { list, marks, places: new Map(shown.entries()) });
			return marks.filter((_, place) => there.has(list[place]));
		},
		find(root, { selector, index, mark }) {
			const kept = lists.get(root)?.get(selector);
			const known = kept && elementIn(kept, index);
			if (known && own(known).isConnected) return known;
			const list = all(root, selector);
			const next = known ? inNewList(kept, list) : anew(list, index, mark);
			const found = elementIn(next, index);
			// If it is not there, it may be still to come.
			if (found) keep(root, selector, next);
			return found;
		},
	};
}
