import { _compileToken, selectAll, selectOne, type Options } from 'css-select';
import { isTraversal, parse, SelectorType, type PseudoSelector, type Selector } from 'css-what';
import { Document, isTag, type AnyNode, type Element, type ParentNode } from 'domhandler';
import * as domutils from 'domutils';
import { PageError } from '../page.ts';
import { inside, isLed, isOfPage, scopedParts } from '../scopedSelector.ts';
import { isDisabled, isOn, typeOf } from './controls.ts';

/** White space that is none between the classes of an element (HTML, "ASCII whitespace"). */
const partsNoClasses = /[^\S \t\n\f\r]/g;

type Query = (element: Element) => boolean;

/** Selectors that are kept compiled, which takes longer than to use them on a small page. */
const maxQueries = 1_000;
const queries = { page: new Map<string, Query>(), element: new Map<string, Query>() };
const quirkyQueries = { page: new Map<string, Query>(), element: new Map<string, Query>() };

const html = 'http://www.w3.org/1999/xhtml';
const svg = 'http://www.w3.org/2000/svg';
const disableable = 'button input select textarea fieldset optgroup option'.split(' ');
/** Types of an `input` that cannot be required. */
const neverRequired = 'hidden range color submit image reset button'.split(' ');

/**
 * What selectors that are used inside of an element count from. For the whole module: the library hands it to
 * no pseudo-class, and a thread looks for one selector at a time.
 */
let scope: AnyNode;
/** The same for what `:has` looks for. */
let anchor: Element;
const anchorToken: PseudoSelector = { type: SelectorType.Pseudo, name: '-anchor', data: null };

/** Pseudo-classes as Chromium has them; the library's own are other ones. */
const ownPseudos: Record<string, Query> = {
	// The library's is made for one element, and `:has` uses it for others.
	scope: (element) => element === scope,
	anchor: (element) => element === anchor,
	link: isLink,
	'any-link': isLink,
	disabled: (element) => isHtml(element, disableable) && isDisabled(element),
	enabled: (element) => isHtml(element, disableable) && !isDisabled(element),
	checked: (element) => isHtml(element, ['input', 'option']) && isOn(element),
	required: isRequired,
	optional: (element) =>
		isHtml(element, ['button', 'input', 'select', 'textarea']) && !isRequired(element),
};
// Under their own names, the library would not look for them here.
const pseudos = Object.fromEntries(
	Object.entries(ownPseudos).map(([name, is]) => [`-${name}`, is]),
);
const options: Options<AnyNode, Element> & { pseudos: Record<string, Query> } = {
	adapter: { ...domutils, findOne: firstOf, getName, getAttributeValue, hasAttrib },
	pseudos,
};

/** All elements inside a page or element that a CSS selector finds; throws an Error if it is none. */
export function all(selector: string, root: ParentNode): Element[] {
	const from = isOfPage(selector) ? topOf(root) : root;
	return selectAll(queryFor(selector, from), from, options);
}

/** The first of them. */
export function first(selector: string, root: ParentNode): Element | undefined {
	const from = isOfPage(selector) ? topOf(root) : root;
	return selectOne(queryFor(selector, from), from, options) ?? undefined;
}

/** Whether an element is of SVG or MathML, whose names have capitals. */
export function isForeign({ namespace }: Element): boolean {
	return namespace !== undefined && namespace !== html;
}

/** The library's own also asks each text whether it has children. */
function firstOf(test: Query, nodes: AnyNode[]): Element | null {
	for (const node of nodes) {
		if (!isTag(node)) continue;
		const found = test(node) ? node : firstOf(test, node.children);
		if (found) return found;
	}
	return null;
}

/** In a page of HTML, names in selectors have no case. */
function getName(element: Element): string {
	return isForeign(element) ? element.name.toLowerCase() : element.name;
}

function getAttributeValue(element: Element, name: string): string | undefined {
	const { attribs } = element;
	// To the library, what parts words parts classes, too.
	if (name === 'class') return attribs.class?.replace(partsNoClasses, '\0');
	if (attribs[name] !== undefined || !isForeign(element)) return attribs[name];
	const own = Object.keys(attribs).find((each) => each.toLowerCase() === name);
	return own === undefined ? undefined : attribs[own];
}

function hasAttrib(element: Element, name: string): boolean {
	return getAttributeValue(element, name) !== undefined;
}

function isHtml(element: Element, names: string[]): boolean {
	return names.includes(element.name) && !isForeign(element);
}

function isLink(element: Element): boolean {
	const { name, namespace, attribs } = element;
	if (isHtml(element, ['a', 'area'])) return attribs.href !== undefined;
	return name === 'a' && namespace === svg && (attribs.href ?? attribs['xlink:href']) !== undefined;
}

function isRequired(element: Element): boolean {
	if (element.attribs.required === undefined) return false;
	if (isHtml(element, ['input'])) return !neverRequired.includes(typeOf(element));
	return isHtml(element, ['select', 'textarea']);
}

function queryFor(selector: string, root: ParentNode): Query {
	scope = root;
	// Without a doctype, browsers mind no case in classes and ids.
	const quirksMode = isQuirky(root);
	const { page, element } = quirksMode ? quirkyQueries : queries;
	const known = isTag(root) ? element : page;
	const found = known.get(selector);
	if (found) return found;
	const parts = isTag(root) ? scopedParts(selector) : partsOfPage(selector);
	// What is remembered of elements counts for one that they are looked for in.
	const cacheResults = !isTag(root);
	// The library's public `compile` forgets whether siblings of the root count.
	const query = compiled(parts, { ...options, quirksMode, cacheResults });
	if (known.size >= maxQueries) known.clear();
	known.set(selector, query);
	return query;
}

function partsOfPage(selector: string): Selector[][] {
	const parts = parse(selector);
	if (parts.some(isLed)) {
		throw new PageError(
			`"${selector}" begins with a combinator: it finds something inside of an element, not in a whole page.`,
		);
	}
	return parts;
}

function topOf(root: ParentNode): ParentNode {
	let top: ParentNode = root;
	while (top.parent) top = top.parent;
	return top;
}

function isQuirky(root: ParentNode): boolean {
	const top = topOf(root);
	return top instanceof Document && top['x-mode'] === 'quirks';
}

function compiled(parts: Selector[][], { pseudos, ...rest }: typeof options): Query {
	const own = { ...rest, pseudos: { ...pseudos } };
	return _compileToken(
		parts.map((part) => withOwn(part, own)),
		own,
	);
}

/** The same selector with our own pseudo-classes; to `own`, each `:has` of it is added as one. */
function withOwn(part: Selector[], own: typeof options): Selector[] {
	return part.map((token) => {
		if (token.type !== SelectorType.Pseudo) return token;
		const { name, data } = token;
		if (!Array.isArray(data)) return name in ownPseudos ? { ...token, name: `-${name}` } : token;
		if (name !== 'has') return { ...token, data: data.map((each) => withOwn(each, own)) };
		const ownName = `-has-${Object.keys(own.pseudos).length}`;
		own.pseudos[ownName] = having(data, own);
		return { ...token, name: ownName, data: null };
	});
}

/**
 * Whether an element has one of these: all of them counts from there. To the library, the element itself may be a part
 * of what it has.
 */
function having(parts: Selector[][], { pseudos, ...rest }: typeof options): Query {
	const counted = parts.map((part) => {
		if (isLed(part)) return [anchorToken, ...part];
		return part.some(isTraversal) ? [anchorToken, inside, ...part] : part;
	});
	const is = compiled(counted, { ...rest, pseudos, cacheResults: false });
	const goesAside = parts.some(([leading]) => leading && isSibling(leading));
	return (element) => {
		const outer = anchor;
		anchor = element;
		const beside = goesAside ? domutils.getSiblings(element) : [];
		const found =
			firstOf(is, element.children) ?? firstOf(is, beside.slice(beside.indexOf(element) + 1));
		anchor = outer;
		return found !== null;
	};
}

function isSibling({ type }: Selector): boolean {
	return type === SelectorType.Adjacent || type === SelectorType.Sibling;
}
