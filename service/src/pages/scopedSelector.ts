import {
	isTraversal,
	parse,
	SelectorType,
	stringify,
	type PseudoSelector,
	type Selector,
} from 'css-what';

/** Stands for the element that a selector counts from. */
const scopeToken: PseudoSelector = { type: SelectorType.Pseudo, name: 'scope', data: null };
const inside: Selector = { type: SelectorType.Descendant };

/**
 * A CSS selector as it is meant inside of an element: all of it counts from there, so that `ul li`
 * finds no item of the list that the element itself is in, and `> a` its own links.
 */
export function scopedParts(selector: string): Selector[][] {
	const parts = parse(selector);
	if (isOfPage(selector)) return parts;
	return parts.map((part) => {
		const [leading] = part;
		if (leading && leading.type !== SelectorType.Descendant && isTraversal(leading)) {
			return [scopeToken, ...part];
		}
		return part.some(isTraversal) && !part.some(isScope) ? [scopeToken, inside, ...part] : part;
	});
}

/** Whether a selector finds what it names anywhere on the page, wherever it is used: a panel beside an entry. */
export function isOfPage(selector: string): boolean {
	return /^\s*:root/i.test(selector);
}

/** Whether only some parts of a list of selectors are of the page. */
export function isPartlyOfPage(selector: string): boolean {
	const parts = parse(selector);
	const ofPage = parts.filter(([leading]) => leading && isRoot(leading));
	return ofPage.length > 0 && ofPage.length < parts.length;
}

function isRoot(token: Selector): boolean {
	return token.type === SelectorType.Pseudo && token.name === 'root';
}

/** The same as text, for a browser. */
export function scopedSelector(selector: string): string {
	const parts = scopedParts(selector);
	return parts.some((part) => part.some(isScope)) ? stringify(parts) : selector;
}

export function isScope(token: Selector): boolean {
	return token.type === SelectorType.Pseudo && token.name === scopeToken.name;
}
