import { DomHandler, isTag, type Document } from 'domhandler';
import { Parser } from 'htmlparser2';
import { Attributes } from './attributes.ts';
import { ElementBounds } from './elementBounds.ts';

const options = { xmlMode: true };

/** Parses XML, such as a feed; throws a PageError at as many elements as `parseHtml`. */
export function parseXml(xml: string): Document {
	const builder = new XmlBuilder(undefined, options);
	new Parser(builder, options).end(xml.replace(/\r\n?/g, '\n'));
	return builder.root;
}

/** Whether XML is a page of HTML, by its root. */
export function isXhtml(xml: string): boolean {
	let root: string | undefined;
	const parser = new Parser(
		{
			onopentagname(name) {
				root ??= name;
				parser.pause();
			},
		},
		options,
	);
	parser.write(xml);
	return root?.toLowerCase() === 'html';
}

/** Names are as the source has them, prefixes among them: `dc:date`. */
class XmlBuilder extends DomHandler {
	readonly #bounds = new ElementBounds();

	override onopentag(name: string, attributes: Record<string, string>): void {
		this.#bounds.made();
		this.#bounds.opened();
		const around = this.tagStack.at(-1);
		const attribs: Attributes = Object.assign(new Attributes(), attributes);
		super.onopentag(name, attribs);
		const element = this.tagStack.at(-1);
		if (!element || !isTag(element)) return;
		// None, which is an empty one, is not that of HTML: there an undefined one is.
		const inherited = around && isTag(around) ? around.namespace : undefined;
		element.namespace = attribs.xmlns ?? inherited ?? '';
	}

	override onclosetag(): void {
		this.#bounds.closed();
		super.onclosetag();
	}

	/** Text in CDATA is text. */
	override oncdatastart(): void {}
	override oncdataend(): void {}
}
