import { isComment, isTag, type Document, type Element, type ParentNode } from 'domhandler';
import { serialize } from 'parse5';
import { adapter, type Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter';
import { numberOf } from './numbering.ts';

/** The attribute that tells the number of an element in the frame. */
const numberAttribute = 'data-pointing-number';

/** Elements that are shown empty: what is in them is no content, or that of someone else. */
const emptied = new Set([
	'script',
	'noscript',
	'template',
	'iframe',
	'frame',
	'frameset',
	'object',
	'embed',
	'applet',
	'portal',
	'fencedframe',
	'audio',
	'video',
	'base',
	// In these, and in comments, a browser may read something else than was read here.
	'svg',
	'math',
	'xmp',
	'noembed',
	'noframes',
	'plaintext',
]);

/** Attributes that do something, besides those of events. */
const acting = new Set([
	'action',
	'formaction',
	'autofocus',
	'autoplay',
	'download',
	'http-equiv',
	'ping',
	'popovertarget',
	'srcdoc',
	'target',
	'data',
	'codebase',
	'manifest',
	'integrity',
	'nonce',
	'contenteditable',
	'accesskey',
	'tabindex',
	// By its name an element may take the place of what scripts use of the page.
	'name',
	'data-pointing-mark',
	numberAttribute,
]);

/** How what was pointed at looks, whatever the page says; and an icon that is not shown. */
const marks = `svg { width: 1em !important; height: 1em !important; outline: 1px dashed; overflow: hidden }
[data-pointing-mark] { outline-offset: 1px !important }
[data-pointing-mark~="entry"] { outline: 2px solid #1d56cf !important; background-color: rgb(29 86 207 / 8%) !important }
[data-pointing-mark~="column"] { outline: 2px dashed #0b6660 !important; background-color: rgb(11 102 96 / 14%) !important }
[data-pointing-mark~="next"] { outline: 2px solid #8a5200 !important; background-color: rgb(240 184 102 / 30%) !important }
[data-pointing-mark~="at"] { outline: 3px solid #d6336c !important; cursor: crosshair !important }`;

/** Elements whose addresses are only loaded, and not gone to. */
const loading = new Set(['img', 'source', 'link', 'image', 'use']);

/**
 * A page as it is shown to be pointed at: what it looks like without anything that it does. Each element
 * carries its number. `base`: what its addresses count from.
 */
export function framedHtml(page: Document, base: string): string {
	const treeAdapter = {
		...adapter,
		getChildNodes: (node: ParentNode) =>
			isTag(node) && emptied.has(node.name)
				? []
				: adapter.getChildNodes(node).filter((child) => !isComment(child)),
		getAttrList: (element: Element) => [
			...adapter.getAttrList(element).filter(({ name, value }) => isKept(element, name, value)),
			{ name: numberAttribute, value: String(numberOf(element, page)) },
		],
	};
	const markup = serialize<Htmlparser2TreeAdapterMap>(page, { treeAdapter });
	const head = `<base href="${escaped(base)}"><meta name="referrer" content="no-referrer"><style>${marks}</style>`;
	return `<!doctype html>${markup.replace(/^<!doctype[^>]*>/i, '').replace(/<head\b[^>]*>/i, (tag) => tag + head)}`;
}

function isKept(element: Element, name: string, value: string): boolean {
	if (emptied.has(element.name) || element.name === 'meta') return false;
	if (/^on/i.test(name) || acting.has(name)) return false;
	if (name === 'href' || name === 'xlink:href' || name === 'src') {
		if (element.name === 'link' && element.attribs.rel?.toLowerCase() !== 'stylesheet')
			return false;
		return loading.has(element.name) && /^(https?:|data:image\/|[^:]*$|\/)/i.test(value.trim());
	}
	return true;
}

function escaped(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
