import type { Cheerio, CheerioAPI } from 'cheerio';
import type { AnyNode } from 'domhandler';
import type { FieldRule } from '../tasks/task.ts';
import { PageError, type Row } from './page.ts';

/** Attributes that hold an address; their values come out absolute. */
const addressAttributes = new Set(['href', 'src']);

/**
 * The HTML of a page as it is at one moment. `scope` is the element that selectors count from, or
 * the whole page; `base` is the address that relative addresses count from.
 */
export class HtmlView {
	readonly $: CheerioAPI;
	readonly scope: Cheerio<AnyNode> | undefined;
	readonly base: string;

	constructor($: CheerioAPI, base: string, scope?: Cheerio<AnyNode>) {
		this.$ = $;
		this.base = base;
		this.scope = scope;
	}

	all(selector: string): Cheerio<AnyNode> {
		// Not this.$(selector), which takes texts like "<b>" for HTML and makes elements of them.
		return (this.scope ?? this.$.root()).find(selector);
	}

	first(selector: string): Cheerio<AnyNode> {
		const found = this.all(selector).first();
		if (found.length === 0) throw new PageError(`The page has no element ${selector}.`);
		return found;
	}

	/** The same page with one of these elements as its scope. */
	within(selector: string, index: number): HtmlView {
		const element = this.all(selector).eq(index);
		if (element.length === 0)
			throw new PageError(`There is no element ${index + 1} of ${selector}.`);
		return new HtmlView(this.$, this.base, element);
	}

	/** The scope, which must be an element; `Page.enter` says which. */
	entered(): Cheerio<AnyNode> {
		if (!this.scope) throw new PageError('The loop item is not an element of this page.');
		return this.scope;
	}

	/** A row for each of these elements; without a selector one for the scope or page. */
	rows(selector: string | undefined, fields: FieldRule[]): Row[] {
		if (selector === undefined) return [this.#row(this.scope ?? this.$('html').first(), fields)];
		return this.all(selector)
			.toArray()
			.map((element) => this.#row(this.$(element), fields));
	}

	/** The absolute address that an element leads to: that of the link that it is, is in, or has. */
	link(element: Cheerio<AnyNode>, name: string): string {
		const link = element.closest('a[href]').add(element.find('a[href]')).first();
		const href = link.attr('href');
		if (href === undefined) throw new PageError(`${name} is no link.`);
		return this.address(href);
	}

	/** Makes an address absolute. */
	address(relative: string): string {
		if (!URL.canParse(relative, this.base)) throw new PageError(`"${relative}" is no URL.`);
		return new URL(relative, this.base).href;
	}

	#row(element: Cheerio<AnyNode>, fields: FieldRule[]): Row {
		return Object.fromEntries(fields.map((field) => [field.id, this.#value(element, field)]));
	}

	#value(row: Cheerio<AnyNode>, { selector, attribute, trim }: FieldRule): string {
		const element = selector === undefined ? row : row.find(selector).first();
		if (attribute === undefined) return shownText(element.text(), trim);
		const value = element.attr(attribute);
		if (value === undefined) return '';
		return addressAttributes.has(attribute.toLowerCase()) && URL.canParse(value, this.base)
			? this.address(value)
			: shownText(value, trim);
	}
}

/** Text as a browser shows it: white space folded and cut at both ends, unless `trim` is false. */
export function shownText(text: string, trim = true): string {
	return trim ? text.replace(/\s+/g, ' ').trim() : text;
}
