import { isTraversal, parse, SelectorType, type PseudoSelector, type Selector } from 'css-what';

/** Stands for the element that a selector counts from. */
const scopeToken: PseudoSelector = { type: SelectorType.Pseudo, name: 'scope', data: null };
export const inside: Selector = { type: SelectorType.Descendant };
/** What an escape, a text or a comment holds is none of the signs that a selector is made of. */
const pieces = /\\[^]|"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|\/\*[^]*?\*\/|[^]/g;

/**
 * A CSS selector as it is meant inside of an element: all of it counts from there, so that `ul li`
 * finds no item of the list that the element itself is in, and `> a` its own links.
 */
export function scopedParts(selector: string): Selector[][] {
	const parts = parse(selector);
	if (isOfPage(selector)) return parts;
	return parts.map((part) => {
		if (!isToBeScoped(part)) return part;
		return isLed(part) ? [scopeToken, ...part] : [scopeToken, inside, ...part];
	});
}

function isToBeScoped(part: Selector[]): boolean {
	return isLed(part) || (part.some(isTraversal) && !part.some(isScope));
}

/** Whether it begins with a combinator. */
export function isLed([leading]: Selector[]): boolean {
	return leading !== undefined && leading.type !== SelectorType.Descendant && isTraversal(leading);
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

/** The same as text, for a browser: as it is written, since other ways to write it may mean something else. */
export function scopedSelector(selector: string): string {
	if (isOfPage(selector)) return selector;
	const parts = writtenParts(selector);
	return parts.map((part) => (parse(part).some(isToBeScoped) ? `:scope ${part}` : part)).join();
}

/** What commas separate in a list of selectors: not those that are escaped, or stand in a text, a comment or brackets. */
function writtenParts(selector: string): string[] {
	const parts = [''];
	let depth = 0;
	for (const [piece] of selector.matchAll(pieces)) {
		if (piece === '(' || piece === '[') depth += 1;
		if (piece === ')' || piece === ']') depth -= 1;
		if (piece === ',' && depth === 0) parts.push('');
		else parts.push(`${parts.pop()}${piece}`);
	}
	return parts;
}

export function isScope(token: Selector): boolean {
	return token.type === SelectorType.Pseudo && token.name === scopeToken.name;
}
