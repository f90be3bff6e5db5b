import { Element, type Document } from 'domhandler';
import type { TreeAdapter } from 'parse5';
import { adapter, type Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter';
import { Attributes } from './attributes.ts';
import { CurrentParser } from './currentParser.ts';
import { ElementBounds } from './elementBounds.ts';
import { WholeRuns } from './wholeRuns.ts';

/** The form that was open where an element began. */
const openForms = new WeakMap<Element, Element>();

/** Pages in which no `base` stands: in most, and to look through all of a page for it takes a tenth of parsing it. */
const withoutBase = new WeakSet<Document>();

/** What is in a template is kept beside the page: it is not in the document, and no selector finds it. */
const templates = new WeakMap<Element, Document>();

/** How a page is built and written, with what is in its templates. */
export const treeAdapter: TreeAdapter<Htmlparser2TreeAdapterMap> = {
	...adapter,
	// The library's own makes two more objects for each element, of which hardly one is ever needed.
	createElement(name, namespace, attributes) {
		if (attributes.some((attribute) => attribute.namespace !== undefined)) {
			return adapter.createElement(name, namespace, attributes);
		}
		const attribs = new Attributes();
		for (const attribute of attributes) attribs[attribute.name] = attribute.value;
		const element = new Element(name, attribs, []);
		element.namespace = namespace;
		return element;
	},
	// Of `html` and `body`, whose attributes have no namespace.
	adoptAttributes({ attribs }, attributes) {
		for (const { name, value } of attributes) attribs[name] ??= value;
	},
	setTemplateContent(template, content) {
		templates.set(template, content);
	},
	getTemplateContent: (template) => templates.get(template) ?? adapter.createDocumentFragment(),
};

/** Parses a page; throws a PageError at more than 500,000 elements, or 2,000 in one another. */
export function parseHtml(html: string): Document {
	const bounds = new ElementBounds();
	let hasBase = false;
	const parser = new CurrentParser<Htmlparser2TreeAdapterMap>({
		treeAdapter: {
			...treeAdapter,
			createElement(...parts) {
				bounds.made();
				hasBase ||= parts[0] === 'base';
				const element = treeAdapter.createElement(...parts);
				if (parser.formElement) openForms.set(element, parser.formElement);
				return element;
			},
			onItemPush: () => bounds.opened(),
			onItemPop: () => bounds.closed(),
		},
	});
	parser.tokenizer = new WholeRuns(parser.options, parser);
	parser.tokenizer.write(html.includes('\r') ? html.replace(/\r\n?/g, '\n') : html, true);
	if (!hasBase) withoutBase.add(parser.document);
	return parser.document;
}

/** Whether an element `base` may be found in a page; of one that was not parsed here, it may. */
export function mayHaveBase(page: Document): boolean {
	return !withoutBase.has(page);
}

/**
 * The form that was open in the source where an element began: one that begins in a table is closed at
 * once, and has all fields up to its end tag all the same.
 */
export function openFormAt(element: Element): Element | undefined {
	return openForms.get(element);
}
