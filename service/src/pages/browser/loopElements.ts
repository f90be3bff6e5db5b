/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { z } from 'zod';
import type { Entered, Mark } from '../page.ts';
import type { Unhidden } from './hiddenByStep.ts';
import type { keepMarkPlaces, Naming } from './markPlaces.ts';
import type { InReadingOrder } from './readingOrder.ts';

export const markShape: z.ZodType<Mark> = z.object({
	content: z.string(),
	nth: z.number(),
	address: z.string().optional(),
	isOnlyLink: z.boolean(),
	text: z.string().optional(),
	around: z.string().optional(),
	plain: z.string().optional(),
	says: z.string().optional(),
	attributes: z.string(),
	name: z.string(),
});

/** The elements of the loops in one document. */
export interface LoopElements {
	/** Where a selector counts from: the root, or the page; as `isOfPage` (`scopedSelector.ts`) has it. */
	from: (root: Element | Document, selector: string) => Element | Document;
	all: (root: Element | Document, selector: string) => Element[];
	/** A loop over these elements begins: its rounds will find them where they are now. */
	begin: (root: Element | Document, selector: string) => Mark[];
	/** The last of these, each one inside of the one before, and the elements of its list, where scripts have left it what it was. */
	knownIn: (scope: Entered[]) => Known | undefined;
	/**
	 * What was entered last, each one inside of the one before: the page, if nothing was. The same ones again where the page, or
	 * a list of it, has come anew; `missing`: the first that is not there.
	 */
	enter: (scope: Entered[]) => { root: Element | Document; missing?: Entered };
	/** The elements of the loop of which one was entered last; none if none was. */
	besides: (scope: Entered[]) => Element[];
}

interface Known {
	element: Element;
	list: Element[];
}

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepLoopElements(
	own: <Target extends Node>(node: Target) => Target,
	{ unhidden, inReadingOrder }: { unhidden: Unhidden; inReadingOrder: InReadingOrder },
	keepPlaces: typeof keepMarkPlaces,
): LoopElements {
	/** How much of an element is looked at. */
	const [maxNodes, maxText, maxAddress, maxName] = [500, 2_000, 4_096, 60];
	const { timesOf, among, placesIn, hasMoved } = keepPlaces(maxName);
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
	/** What changes as something is chosen. */
	const leads = /^(href|action|formaction)$/;
	const attributesOf = (element: Element, { isLinkSaid = true } = {}) => {
		const isHidden = element instanceof HTMLInputElement && element.type === 'hidden';
		let said = safe(element).localName;
		for (const { name, value } of safe(element).attributes) {
			if (volatile.test(name) || (isHidden && name === 'value')) continue;
			if (!isLinkSaid && leads.test(name)) continue;
			said += ` ${name}=${value.slice(0, maxText)}`;
		}
		return said;
	};
	const contentOf = (element: Element) => {
		let [all, text, label] = ['', '', ''];
		const walker = own(document).createTreeWalker(
			element,
			NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
		);
		let node: Node | null = element;
		for (let nodes = 0; node && nodes < maxNodes; nodes += 1) {
			if (node instanceof Element) {
				all += `<${attributesOf(node)}>`;
				label += `<${attributesOf(node, { isLinkSaid: false })}>`;
			} else if (
				node instanceof Text &&
				!/^(script|style)$/i.test(node.parentElement?.nodeName ?? '')
			) {
				text += ` ${node.data.slice(0, maxText)}`;
			}
			node = walker.nextNode();
		}
		return { all, text: text.replace(/\s+/g, ' ').trim(), label };
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

	const namingOf = (
		element: Element,
		{ text } = contentOf(element),
		address = addressOf(element),
	): Naming => ({
		...(address !== undefined && { address }),
		name: text.slice(0, maxName),
		attributes: hash(attributesOf(element)),
	});
	/** `isAroundSaid`: of all, whatever they say themselves; else of those alone that say what others do. */
	const marksOf = (list: Element[], isAroundSaid = false): Mark[] => {
		const seen = list.map((element) => {
			const [address, said] = [addressOf(element), contentOf(element)];
			const content = hash(`${address} ${said.text} ${said.all}`);
			const text = said.text && hash(said.text);
			const { label } = said;
			return { content, said: said.text, label, text, ...namingOf(element, said, address) };
		});
		const [links, texts] = [
			timesOf(seen.map(({ address }) => address)),
			timesOf(seen.map(({ text }) => text)),
		];
		const entries = seen.map(({ text }, place) => {
			return texts.get(text) === 1 && !isAroundSaid ? '' : textAround(list, place);
		});
		const entriesTimes = timesOf(entries);
		// As of people who look at it now, or of days that are left.
		const withoutNumbers = (text: string) => text.replace(/\d+/g, '#');
		const keys = seen.map(({ said, label }, place) => {
			const text = entries[place] || said;
			// What has no word, as a picture or a count, is known by its attributes before.
			const labels = /\p{L}/u.test(text) ? [] : [withoutNumbers(label), label];
			return [...new Set([...labels, withoutNumbers(text)])].filter((key) => key !== '');
		});
		const keysTimes = timesOf(keys.flat());
		const plains = keys.map((all) => all.find((key) => keysTimes.get(key) === 1));
		const before = new Map<string, number>();
		return seen.map(({ address, content, text, attributes, name }, place) => {
			const nth = before.get(content) ?? 0;
			before.set(content, nth + 1);
			const isOnlyText = text !== '' && texts.get(text) === 1;
			const around = entries[place];
			const plain = plains[place];
			return {
				content,
				nth,
				...(address !== undefined && { address }),
				isOnlyLink: address !== undefined && links.get(address) === 1,
				...(isOnlyText && { text }),
				...(around && entriesTimes.get(around) === 1 && { around: hash(around) }),
				...(plain && { plain: hash(plain) }),
				...(around && { says: around.slice(0, maxName) }),
				attributes,
				name: name || (address ?? ''),
			};
		});
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
	const from = (root: Element | Document, selector: string) =>
		/^\s*:root/i.test(selector) ? document : root;
	const all = (root: Element | Document, selector: string): Element[] =>
		Array.from(own(from(root, selector)).querySelectorAll(selector));
	const elementIn = ({ list, places }: Kept, index: number) => {
		const place = places.get(index);
		return place === undefined ? undefined : list[place];
	};

	/** In the place of a list whose element scripts have taken away. */
	const inNewList = (kept: Kept, list: Element[]): Kept => {
		const marks = marksOf(list);
		const now = new Map(list.map((each, place) => [each, place]));
		const stay = kept.list.map((each) => now.get(each));
		const there = placesIn(kept.marks, marks, stay);
		// Before anything was done with them, they said more of what they are.
		if (there.every((place, index) => place === index)) return { ...kept, list };
		const places = new Map<number, number>();
		for (const [index, place] of kept.places) {
			const found = there[place];
			if (found !== undefined) places.set(index, found);
		}
		return { list, marks, places };
	};

	/** Whether scripts have put another entry of the list into the element of one, as they do who keep elements by place. */
	const isAnother = (
		{ marks, places }: Kept,
		index: number,
		element: Element,
		list: () => Element[],
	) =>
		hasMoved(places.get(index) ?? -1, marks, {
			own: () => namingOf(element),
			others: () => list().map((each) => namingOf(each)),
		});

	/** Whether what is left of a list stands in the entry of one: where there is no other one, nothing says where that ends. */
	const isInEntry = ([element, ...others]: Element[], { around }: Mark) => {
		let outer = others.length === 0 && around !== undefined ? element : undefined;
		while (outer && hash(contentOf(outer).text) !== around)
			outer = own(outer).parentElement ?? undefined;
		return outer !== undefined;
	};

	/** On a page that has come again. */
	const anew = (list: Element[], index: number, mark: Mark | undefined): Kept => {
		// It may be the only one that still says what it does.
		const marks = marksOf(list, mark?.around !== undefined);
		const place = mark && (among(marks)(mark) ?? (isInEntry(list, mark) ? 0 : undefined));
		return { list, marks, places: new Map(place === undefined ? [] : [[index, place]]) };
	};

	const keptIn = (root: Node, { selector }: Entered) => lists.get(root)?.get(selector);
	const known = (root: Element | Document, entered: Entered): Known | undefined => {
		const { selector, index } = entered;
		const kept = keptIn(root, entered);
		const element = kept && elementIn(kept, index);
		if (!element || !own(element).isConnected) return undefined;
		if (isAnother(kept, index, element, () => all(root, selector))) return undefined;
		return { element, list: kept.list };
	};

	const find = (root: Element | Document, entered: Entered): Element | undefined => {
		const there = known(root, entered);
		if (there) return there.element;
		const { selector, index, mark } = entered;
		const kept = keptIn(root, entered);
		const before = kept && elementIn(kept, index);
		const list = all(root, selector);
		const next = before ? inNewList(kept, list) : anew(list, index, mark);
		const found = elementIn(next, index);
		// If it is not there, it may be still to come.
		if (!found) return undefined;
		keep(root, selector, next);
		const inside = before && lists.get(before);
		// The loops inside of it go on there, too.
		if (inside && before !== found) lists.set(found, new Map(inside));
		return found;
	};

	return {
		from,
		all,
		knownIn(scope) {
			let last: Known | undefined;
			for (const entered of scope) {
				last = known(last?.element ?? document, entered);
				if (!last) return undefined;
			}
			return last;
		},
		begin(root, selector) {
			const list = inReadingOrder(all(root, selector));
			const marks = marksOf(list);
			const there = new Set(unhidden(root, list, { areRows: true }));
			const shown = [...list.keys()].filter((place) => there.has(list[place]));
			keep(root, selector, { list, marks, places: new Map(shown.entries()) });
			return marks.filter((_, place) => there.has(list[place]));
		},
		besides(scope) {
			const last = scope.at(-1);
			const around = last && this.enter(scope.slice(0, -1));
			const kept = around && keptIn(around.root, last);
			const indexes = [...(kept?.places.keys() ?? [])];
			return kept ? indexes.flatMap((index) => elementIn(kept, index) ?? []) : [];
		},
		enter(scope) {
			let root: Element | Document = document;
			for (const entered of scope) {
				const found = find(root, entered);
				if (!found) return { root: document, missing: entered };
				root = found;
			}
			return { root };
		},
	};
}
