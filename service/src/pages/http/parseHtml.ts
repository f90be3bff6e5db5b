import { Element, type Document } from 'domhandler';
import { Parser, type TreeAdapter } from 'parse5';
import { adapter, type Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter';
import { PageError } from '../page.ts';
import { WholeRuns } from './wholeRuns.ts';

/** The parser looks through all open elements at each tag; browsers stop at 512. */
const maximumDepth = 2_000;

/** As many take some 300 MB; a thread that has no memory left may end the process. */
const maximumElements = 500_000;

/** The form that was open where an element began. */
const openForms = new WeakMap<Element, Element>();

/** What is in a template is kept beside the page: it is not in the document, and no selector finds it. */
const templates = new WeakMap<Element, Document>();

/** Those of an element. What a page does not say is not there, "constructor" neither. */
class Attributes {
	[name: string]: string;
}
Reflect.setPrototypeOf(Attributes.prototype, null);
Reflect.deleteProperty(Attributes.prototype, 'constructor');

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
	let depth = 0;
	let elements = 0;
	const parser: Parser<Htmlparser2TreeAdapterMap> = new Parser({
		treeAdapter: {
			...treeAdapter,
			createElement(...parts) {
				elements += 1;
				if (elements > maximumElements) {
					throw new PageError(`The page has more than ${maximumElements} elements.`);
				}
				const element = treeAdapter.createElement(...parts);
				if (parser.formElement) openForms.set(element, parser.formElement);
				return element;
			},
			onItemPush() {
				depth += 1;
				if (depth > maximumDepth) {
					throw new PageError(`The page has more than ${maximumDepth} elements in one another.`);
				}
			},
			onItemPop() {
				depth -= 1;
			},
		},
	});
	parser.tokenizer = new WholeRuns(parser.options, parser);
	parser.tokenizer.write(html.includes('\r') ? html.replace(/\r\n?/g, '\n') : html, true);
	return parser.document;
}

/**
 * The form that was open in the source where an element began: one that begins in a table is closed at
 * once, and has all fields up to its end tag all the same.
 */
export function openFormAt(element: Element): Element | undefined {
	return openForms.get(element);
}
