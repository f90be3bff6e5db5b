/// <reference lib="dom" />

/** What a column takes: attributes instead of a text; of a loop's own element, which a click in it may change. */
interface How {
	attributes?: readonly string[] | undefined;
	isEntry: boolean;
}

export interface OwnParts {
	of: PartsOf;
	/**
	 * The first of those that are its own. Of several in one place that is the one that is shown, as where a price stands
	 * there in each currency; what nothing ever shows, as a hidden field, is the first if it comes first.
	 */
	firstOf: (row: Element | Document, parts: Element[]) => Element | undefined;
}

/**
 * The parts of a row that are its own by now, of those that a column's selector finds:
 *
 * - without those left of another row: a page may keep its rows and fill them anew, and hide what the new one lacks. That
 *   is hidden, and says what it did when it was seen, while the row says something else. What a click in the entry of a
 *   loop has changed is the entry's own;
 * - without those in whose place another has come into sight, as the whole of a text behind "more", or the next tab.
 */
type PartsOf = (row: Element, parts: Element[], how: How) => Element[];

/** A part as it was seen last. */
interface SeenPart {
	said: string;
	row: string;
	/** The parts that were seen with it. */
	beside: Element[];
}

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepOwnParts(own: <Target extends Node>(node: Target) => Target): OwnParts {
	const texts = new WeakMap<Element, string>();
	const seenParts = new WeakMap<Element, SeenPart>();
	/** One copy for all parts of a row. */
	const textOf = (row: Element) => {
		const now = own(row).textContent ?? '';
		const known = texts.get(row);
		if (known === now) return known;
		texts.set(row, now);
		return now;
	};
	const isSeen = (part: Element) =>
		own(part).checkVisibility({ visibilityProperty: true, opacityProperty: true });
	const of: PartsOf = (row, parts, { attributes = [], isEntry }) => {
		const saidBy = (part: Element) => {
			const values = attributes.map((name) => own(part).getAttribute(name));
			return JSON.stringify([own(part).textContent, ...values]);
		};
		const seen = parts.filter(isSeen);
		for (const part of seen) {
			seenParts.set(part, { said: saidBy(part), row: textOf(row), beside: seen });
		}
		const isLeft = (part: Element, { said, row: text }: SeenPart) =>
			!isEntry &&
			said === saidBy(part) &&
			text !== textOf(row) &&
			!own(part).checkVisibility({ visibilityProperty: true });
		return parts.filter((part) => {
			const before = seenParts.get(part);
			if (!before || seen.includes(part)) return true;
			return !isLeft(part, before) && !seen.some((each) => !before.beside.includes(each));
		});
	};
	const visibilityOf = (element: Element | null) => element && getComputedStyle(element).visibility;
	const hides = (element: Element) => {
		const { display, visibility } = getComputedStyle(element);
		const isHidden = visibility !== 'visible';
		return (
			display === 'none' || (isHidden && visibility !== visibilityOf(own(element).parentElement))
		);
	};
	/** What hides a part within its row, whatever hides the row itself: the outermost of that. */
	const hiddenBy = (row: Element | Document, part: Element) => {
		let by: Element | undefined;
		for (let each: Element | null = part; each && each !== row; each = own(each).parentElement)
			if (hides(each)) by = each;
		return by;
	};
	const neverShown =
		'input[type=hidden], script, style, template, noscript, meta, link, title, source';
	const firstOf = (row: Element | Document, parts: Element[]) => {
		const [first, ...others] = parts;
		if (!first || others.length === 0 || own(first).matches(neverShown)) return first;
		const by = hiddenBy(row, first);
		if (!by) return first;
		const around = own(by).parentElement;
		const isAlternative = (part: Element) => {
			let beside: Element | null = part;
			while (beside && own(beside).parentElement !== around) beside = own(beside).parentElement;
			// Themselves, they may be of other kinds, as del and ins.
			const areThemselves = beside === part && by === first;
			return beside && beside !== by && (areThemselves || beside.localName === by.localName);
		};
		return others.find((part) => isAlternative(part) && !hiddenBy(row, part)) ?? first;
	};
	return { of, firstOf };
}
