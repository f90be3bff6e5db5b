/// <reference lib="dom" />

/**
 * Whether a part of a row is left of another one: a page may keep its rows and fill them anew, and hide what the new one
 * lacks. That is hidden, and says what it did when it was seen, while the row says something else by now.
 */
export type IsOldPart = (row: Element, part: Element, attributes?: readonly string[]) => boolean;

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepOldParts(own: <Target extends Node>(node: Target) => Target): IsOldPart {
	const texts = new WeakMap<Element, string>();
	const seen = new WeakMap<Element, { said: string; row: string }>();
	/** One copy for all parts of a row. */
	const textOf = (row: Element) => {
		const now = own(row).textContent ?? '';
		const known = texts.get(row);
		if (known === now) return known;
		texts.set(row, now);
		return now;
	};
	return (row, part, attributes = []) => {
		const values = attributes.map((name) => own(part).getAttribute(name));
		const said = JSON.stringify([own(part).textContent, ...values]);
		if (own(part).checkVisibility({ visibilityProperty: true })) {
			seen.set(part, { said, row: textOf(row) });
			return false;
		}
		const before = seen.get(part);
		return before?.said === said && before.row !== textOf(row);
	};
}
