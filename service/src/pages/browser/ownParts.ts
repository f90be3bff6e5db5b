/// <reference lib="dom" />

/** What a column takes: attributes instead of a text; of a loop's own element, which a click in it may change. */
interface How {
	attributes?: readonly string[] | undefined;
	isEntry: boolean;
}

/**
 * The parts of a row that are its own by now, of those that a column's selector finds:
 *
 * - without those left of another row: a page may keep its rows and fill them anew, and hide what the new one lacks. That
 *   is hidden, and says what it did when it was seen, while the row says something else. What a click in the entry of a
 *   loop has changed is the entry's own;
 * - without those in whose place another has come into sight, as the whole of a text behind "more", or the next tab.
 */
export type OwnParts = (row: Element, parts: Element[], how: How) => Element[];

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
	return (row, parts, { attributes = [], isEntry }) => {
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
}
