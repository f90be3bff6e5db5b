import { _compileToken, selectAll, selectOne, type Options } from 'css-select';
import { parse, SelectorType, type Selector } from 'css-what';
import { Document, isTag, type AnyNode, type Element, type ParentNode } from 'domhandler';
import * as domutils from 'domutils';
import { isScope, scopedParts } from '../scopedSelector.ts';

type Query = (element: Element) => boolean;

/** Selectors that are kept compiled, which takes longer than to use them on a small page. */
const maximumQueries = 1_000;
const queries = { page: new Map<string, Query>(), element: new Map<string, Query>() };
const quirkyQueries = { page: new Map<string, Query>(), element: new Map<string, Query>() };

/** What selectors that are used inside of an element count from. */
let scope: AnyNode;
const emptyPage = new Document([]);
const scopeName = '-scope';
const options: Options<AnyNode, Element> = {
	adapter: { ...domutils, findOne: firstOf },
	pseudos: { [scopeName]: (element) => element === scope },
};

/** All elements inside a page or element that a CSS selector finds; throws an Error if it is none. */
export function all(selector: string, root: ParentNode): Element[] {
	return selectAll(queryFor(selector, root), root, options);
}

/** The first of them. */
export function first(selector: string, root: ParentNode): Element | undefined {
	return selectOne(queryFor(selector, root), root, options) ?? undefined;
}

/** Whether a text is a CSS selector. */
export function isSelector(text: string): boolean {
	try {
		queryFor(text, emptyPage);
		const names = text.replace(anyText, (found) => (found.startsWith('\\') ? 'x' : ''));
		return text.trim() !== '' && !strayMark.test(names);
	} catch {
		return false;
	}
}

/** Where any sign may stand: escapes, strings, values of attributes, what an element contains. */
const anyText =
	/\\[^]|\/\*[^]*?\*\/|[~|^$*!]?=\s*(?:"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|[^\][]*(?=\]))|:i?contains\((?:"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|(?:\\[^]|[^)\\])*)\)/gi;
/** What the library takes for a part of a name, and no browser does: "..r" were the class ".r". A combinator with nothing behind it, too. */
const strayMark =
	/[^-\w\u0080-\uffff\s.#:()[\]>+~,*|]|[.#](?![-\w\u0080-\uffff])|\[(?!\s*[-\w|*\u0080-\uffff])|[>+~]\s*(?:[,)]|$)/;

/** The library's own also asks each text whether it has children. */
function firstOf(test: Query, nodes: AnyNode[]): Element | null {
	for (const node of nodes) {
		if (!isTag(node)) continue;
		const found = test(node) ? node : firstOf(test, node.children);
		if (found) return found;
	}
	return null;
}

function queryFor(selector: string, root: ParentNode): Query {
	scope = root;
	// Without a doctype, browsers mind no case in classes and ids.
	const quirksMode = isQuirky(root);
	const { page, element } = quirksMode ? quirkyQueries : queries;
	const known = isTag(root) ? element : page;
	const found = known.get(selector);
	if (found) return found;
	const parts = isTag(root) ? scopedParts(selector) : parse(selector);
	const query = _compileToken(
		parts.map((part) => part.map(ownScope)),
		{ ...options, quirksMode },
	);
	if (known.size >= maximumQueries) known.clear();
	known.set(selector, query);
	return query;
}

function isQuirky(root: ParentNode): boolean {
	let top: ParentNode = root;
	while (top.parent) top = top.parent;
	return top instanceof Document && top['x-mode'] === 'quirks';
}

/** The library's own `:scope` is made for one element, and `:has` uses it for others. */
function ownScope(token: Selector): Selector {
	return isScope(token) ? { type: SelectorType.Pseudo, name: scopeName, data: null } : token;
}
