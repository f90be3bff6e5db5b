import { isTraversal, parse, SelectorType, type Selector } from 'css-what';

// What is taken for a CSS selector: what Chromium takes, as far as http pages know it as well.

// Each of these can be read in one way alone: what is none is known at once, however long it is.
const escape = String.raw`\\(?:(?:[\da-f]{6}|[\da-f]{1,5}(?![\da-f]))(?:\s|(?!\s))|[^\n\r\f\da-f])`;
const first = String.raw`(?:[a-z_\u0080-\uffff]|${escape})`;
const further = String.raw`(?:[-\w\u0080-\uffff]|${escape})*`;
const name = `(?:--|-?${first})${further}`;
const comment = String.raw`/\*[^*]*\*+(?:[^/*][^*]*\*+)*/`;
const space = String.raw`(?:\s|${comment})*`;
const text = [`"`, `'`]
	.map((quote) => String.raw`${quote}(?:[^\\\n\r\f${quote}]|${escape})*${quote}`)
	.join('|');
const value = String.raw`(?:${text}|${name})${space}(?:i${space})?`;
const attribute = String.raw`\[${space}\|?${name}${space}(?:[~|^$*]?=${space}${value})?\]`;
const places = String.raw`even|odd|[+-]?\d+|[+-]?\d*n(?:\s*[+-]\s*\d+)?`;
const counted = String.raw`:nth-(?:last-)?(?:child|of-type)\(\s*(?:${places})\s*\)`;
/** What selectors are made of. The library by which they are read takes more: "..r" were the class ".r". */
const parts = new RegExp(
	String.raw`(?:${counted}|:?${name}|[.#]${name}|${attribute}|(?:\*\|)?\*|${comment}|[\s>+~,()])*`,
	'iy',
);

/** Pseudo-classes that can be told from the HTML of a page, or that need somebody before it. */
const known = new Set([
	...['empty', 'first-child', 'last-child', 'first-of-type', 'last-of-type', 'only-child'],
	...['only-of-type', 'root', 'scope', 'hover', 'active', 'visited', 'link', 'any-link'],
	...['enabled', 'disabled', 'checked', 'required', 'optional'],
]);
const counting = new RegExp(`^${counted}$`, 'i');
const ofSelectors = new Set(['not', 'is', 'where', 'has']);

/** Whether a text is a CSS selector. */
export function isSelector(text: string): boolean {
	try {
		parts.lastIndex = 0;
		if (text.trim() === '' || parts.exec(text)?.[0] !== text) return false;
		return parse(text).every((part) => isPart(part, { isRelative: true, has: true }));
	} catch {
		return false;
	}
}

/** `isRelative`: it may begin with a combinator; `has`: there may be a `:has` in it. */
function isPart(part: Selector[], allowed: { isRelative: boolean; has: boolean }): boolean {
	const [leading] = part;
	const last = part.at(-1);
	if (!leading || !last || isTraversal(last)) return false;
	if (isTraversal(leading) && !allowed.isRelative) return false;
	return part.every((token, index) => {
		if (token.type === SelectorType.Tag || token.type === SelectorType.Universal) {
			const before = part[index - 1];
			return before === undefined || isTraversal(before);
		}
		return token.type !== SelectorType.Pseudo || isPseudo(token, allowed.has);
	});
}

function isPseudo(
	{ name, data }: Extract<Selector, { type: SelectorType.Pseudo }>,
	mayHave: boolean,
): boolean {
	if (typeof data === 'string') return counting.test(`:${name}(${data})`);
	if (data === null) return known.has(name);
	const isHas = name === 'has';
	if (!ofSelectors.has(name) || (isHas && !mayHave)) return false;
	return data.every((part) => isPart(part, { isRelative: isHas, has: mayHave && !isHas }));
}
