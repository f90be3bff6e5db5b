import { isTag, type Document, type Element, type ParentNode } from 'domhandler';
import { textContent } from 'domutils';
import { serialize } from 'parse5';
import type { Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter';
import { absoluteAddress, type AddressBase } from '../absoluteAddress.ts';
import { attributesOf, fieldValues } from '../fieldValue.ts';
import { isOfPage } from '../scopedSelector.ts';
import { checkRow, checkTogether, PageError } from '../page.ts';
import type { Entered, PageField, Presence, ReadRow, Said, Selectors } from '../page.ts';
import { maxValue } from '../../text/rowLimits.ts';
import { shortened } from '../../text/shortened.ts';
import { withoutFragment } from '../../text/withoutFragment.ts';
import { mayHaveBase, treeAdapter } from './parseHtml.ts';
import { readDocument } from './readDocument.ts';
import { refreshIn, type Refresh } from '../refresh.ts';
import type { DocumentRequest } from './connection.ts';
import type { FetchedDocument } from './fetchDocument.ts';
import { formOf, heldIn, isInactive, submitButton } from './controls.ts';
import type { TypedTexts } from './filledForm.ts';
import { checkTypable, defaultButton, formRequest } from './form.ts';
import { isShown } from './display.ts';
import { innerText } from './innerText.ts';
import { addressOf, linkOf, looksDisabled } from './links.ts';
import { policyIn, policyOf, usualPolicy, type Referrer } from './referrer.ts';
import { sayingOf, thatSays } from './said.ts';
import { all, first, isForeign } from './select.ts';

/** A text that was typed into the first element of `selector`. */
export interface Typed {
	scope: Entered[];
	selector: string;
	text: string;
}

/**
 * An HTML or XML document that was fetched. It stays as it came: what was entered and typed is said with each
 * question, so that its answers depend on nothing else. `scope` is empty for the whole page.
 */
export class HtmlDocument {
	readonly page: Document;
	/** What addresses in it count from. */
	readonly base: AddressBase;
	readonly #address: string;
	/** What its header says of that. */
	readonly #referrerPolicy: string | null | undefined;
	/** Elements that are gone over one by one, by where they were looked for. */
	readonly #lists = new WeakMap<ParentNode, Map<string, Element[]>>();

	constructor({ body, contentType, url, encoding, referrerPolicy }: FetchedDocument) {
		const read = readDocument(body, contentType);
		this.page = read.page;
		const own = { url, encoding: encoding ?? read.encoding };
		this.#address = url;
		this.#referrerPolicy = referrerPolicy;
		const named = mayHaveBase(this.page) ? all('base[href]', this.page) : [];
		const base =
			absoluteAddress(named.find((each) => !isForeign(each))?.attribs.href ?? '', own) ?? url;
		// These lead nowhere.
		this.base = { ...own, url: /^(data|javascript):/.test(base) ? url : base };
	}

	count(scope: Entered[], selector: string): number {
		return this.#list(this.#entered(scope), selector).length;
	}

	/** Where each of these elements leads to, if it does. */
	links(scope: Entered[], selector: string): (string | undefined)[] {
		const links = this.#list(this.#entered(scope), selector).map(linkOf);
		return links.map((link) => link && this.#addressOf(link));
	}

	/** What each of these elements says. */
	said(scope: Entered[], selector: string): Said[] {
		return sayingOf(this.#list(this.#entered(scope), selector));
	}

	/**
	 * Whether these selectors count from what was entered before the address changed, rather than from the page: one of them
	 * finds something in it, or all that they find on the page stands in others of its list. Undefined stands for itself.
	 */
	isMeant(left: Entered[], selectors: Selectors): boolean {
		const own = selectors.filter((each) => each === undefined || !isOfPage(each));
		const entered = this.#entered(left);
		const last = left.at(-1);
		if (own.length === 0 || !last) return false;
		const named = own.filter((each) => each !== undefined);
		if (named.length < own.length || named.some((each) => first(each, entered))) return true;
		const list = new Set<ParentNode>(this.#list(this.#entered(left.slice(0, -1)), last.selector));
		const isInOther = ({ parent }: Element): boolean =>
			parent !== null && (list.has(parent) || (isTag(parent) && isInOther(parent)));
		const onPage = named.flatMap((each) => all(each, this.page));
		return onPage.length > 0 && onPage.every(isInOther);
	}

	/** Whether there is such an element, and a click on the first one does something. */
	presence(scope: Entered[], selector: string): Presence {
		const found = first(selector, this.#entered(scope));
		if (!found) return 'missing';
		if (isInactive(found)) return 'disabled';
		const button = submitButton(found);
		const form = button && formOf(button);
		const link = form ? undefined : linkOf(found);
		const leadsOn = form ? !this.#asksForNothing(form, button) : link && !this.#leadsHere(link);
		if (!leadsOn) return !form && looksDisabled(link ?? found) ? 'disabled' : 'scripted';
		return isShown(found) ? 'active' : 'hidden';
	}

	asksPassword(): boolean {
		return all('input[type="password" i]', this.page).some(isShown);
	}

	/**
	 * A row for each of these elements (of `from` up to `to`); without a selector one for the entered
	 * element or page.
	 */
	rows(
		scope: Entered[],
		selector: string | undefined,
		fields: PageField[],
		{ from, to }: { from: number; to: number },
	): ReadRow[] {
		const entered = this.#entered(scope);
		const elements = selector === undefined ? [entered] : this.#list(entered, selector);
		let characters = 0;
		return elements.slice(from, to).map((element) => {
			const said = fields.map((field) => [field.id, this.values(element, field)] as const);
			const lengths = said.map(([, texts]) => sumOf(texts.map(({ length }) => length)));
			// What would not be kept is not handed on; of a value that is too long, its column is told later.
			const kept = lengths.filter((_, index) => fields[index]?.match === undefined);
			checkRow(sumOf(kept.map((length) => Math.min(length, maxValue))));
			characters += sumOf(lengths);
			checkTogether(characters);
			return Object.fromEntries(said);
		});
	}

	enteredText(scope: Entered[]): string {
		return innerText(this.#enteredElement(scope));
	}

	enteredLink(scope: Entered[]): string {
		const link = linkOf(this.#enteredElement(scope));
		if (!link) throw new PageError('The loop item is not a link.');
		return this.#addressOf(link);
	}

	/** Throws a PageError unless a text can be typed there. */
	checkTypable({ scope, selector, text }: Typed): void {
		checkTypable(this.#first(scope, selector), text, selector);
	}

	/** What a click on the first of these elements, or on the entered one, asks the site for. */
	requestOfClick(scope: Entered[], selector: string | undefined, typed: Typed[]): DocumentRequest {
		const isEntered = selector === undefined;
		const target = isEntered ? this.#enteredElement(scope) : this.#first(scope, selector);
		const name = selector ?? 'The loop item';
		if (isInactive(target)) throw new PageError(`${name} is disabled: a click on it does nothing.`);
		const button = submitButton(target);
		const form = button && formOf(button);
		if (form) return this.#requestOf(form, button, typed);
		const link = linkOf(target);
		if (!link) {
			const said = `${name} is no link and no button that sends a form: a page of kind "http" clicks nothing else. Fill in fields and boxes by inputText, or use "page": "browser".`;
			throw new PageError(said);
		}
		return { url: this.#addressOf(link), referrer: this.#referrer(link) };
	}

	/** What Enter in the first of these fields asks the site for. */
	requestOfSubmit(scope: Entered[], selector: string, typed: Typed[]): DocumentRequest {
		const field = this.#first(scope, selector);
		const form = formOf(field);
		if (!form) throw new PageError(`${selector} is in no form that could be sent.`);
		return this.#requestOf(form, defaultButton(form, field), typed);
	}

	/** This page, as it leads to another one by a form or by itself. */
	referrer(): Referrer {
		return this.#referrer({ attribs: {} });
	}

	/** Where the page sends its reader on, if it does. */
	refresh(): Refresh | undefined {
		let soonest: Refresh | undefined;
		for (const { attribs } of all('meta[http-equiv="refresh" i]', this.page)) {
			const refresh = refreshIn(attribs.content ?? '', this.base, this.#address);
			if (refresh && refresh.after <= (soonest?.after ?? Infinity)) soonest = refresh;
		}
		return soonest;
	}

	/** A whole address; throws a PageError for what is none. */
	resolved(href: string): string {
		const address = absoluteAddress(href, this.base);
		if (address === undefined) throw new PageError(`"${href}" is not a URL.`);
		return address;
	}

	/** What the elements of a field say in a row, or on the page. */
	values(row: Element | Document, field: PageField): string[] {
		const said = elementsOf(row, field)
			.map((element) => (isTag(element) ? element : element.children.find(isTag)))
			.flatMap((element) => (element ? saidBy(element, field) : []));
		return fieldValues(said, field, this.base);
	}

	/** Whether a link leads to a place on its own page, or to nothing. */
	#leadsHere(link: Element): boolean {
		const address = addressOf(link)?.trim() ?? '';
		if (/^javascript:/i.test(address)) return true;
		if (!/^(#|$)/.test(address)) return false;
		return withoutFragment(this.resolved(address)) === withoutFragment(this.#address);
	}

	/** Whether a form asks for its own page, as one without an action does, with nothing that would make another one of it. */
	#asksForNothing(form: Element, button: Element): boolean {
		const action = button.attribs.formaction ?? form.attribs.action ?? '';
		if (!/^\s*(#|$)/.test(action)) return false;
		const [asked, here] = [this.#tryRequestOf(form, button), this.#address];
		return asked !== undefined && !asked.form && barePage(asked.url) === barePage(here);
	}

	#tryRequestOf(form: Element, button: Element): DocumentRequest | undefined {
		try {
			return this.#requestOf(form, button, []);
		} catch (error) {
			if (error instanceof PageError) return undefined;
			throw error;
		}
	}

	#addressOf(link: Element): string {
		return this.resolved(addressOf(link) ?? '');
	}

	#requestOf(form: Element, button: Element | undefined, typed: Typed[]): DocumentRequest {
		const [base, address] = [this.base, this.#address];
		const request = formRequest(form, button, { typed: this.#typed(typed), base, address });
		return { ...request, referrer: this.referrer() };
	}

	/** This page, as a link of it leads to another one. */
	#referrer({ attribs: { rel = '', referrerpolicy } }: Pick<Element, 'attribs'>): Referrer {
		const metas = all('meta[name="referrer" i]', this.page).map(({ attribs }) => attribs.content);
		const said = [policyIn(this.#referrerPolicy), ...[...metas, referrerpolicy].map(policyOf)];
		const isUntold = /(^|\s)noreferrer(\s|$)/i.test(rel);
		const policy = said.findLast((each) => each !== undefined) ?? usualPolicy;
		return { url: this.#address, policy: isUntold ? 'no-referrer' : policy };
	}

	#typed(typed: Typed[]): TypedTexts {
		return new Map(typed.map(({ scope, selector, text }) => [this.#first(scope, selector), text]));
	}

	#first(scope: Entered[], selector: string): Element {
		const found = first(selector, this.#entered(scope));
		if (!found) throw new PageError(`The page has no element ${selector}.`);
		return found;
	}

	#enteredElement(scope: Entered[]): Element {
		const entered = this.#entered(scope);
		if (isTag(entered)) return entered;
		throw new PageError('The loop item is not an element of this page.');
	}

	#entered(scope: Entered[]): Element | Document {
		let root: Element | Document = this.page;
		for (const { selector, index, says } of scope) {
			const list: Element[] = this.#list(root, selector);
			const element: Element | undefined = says ? thatSays(says, list) : list[index];
			if (!element) {
				const name = says?.[0] ? ` ("${shortened(says[0].key)}")` : '';
				throw new PageError(`There is no element ${index + 1} of ${selector}${name}.`);
			}
			root = element;
		}
		return root;
	}

	#list(root: ParentNode, selector: string): Element[] {
		const lists = this.#lists.get(root) ?? new Map<string, Element[]>();
		this.#lists.set(root, lists);
		const list = lists.get(selector) ?? all(selector, root);
		lists.set(selector, list);
		return list;
	}
}

/** An address without what asks for nothing. */
function barePage(address: string): string {
	return withoutFragment(address).replace(/\?$/, '');
}

function sumOf(numbers: number[]): number {
	return numbers.reduce((sum, each) => sum + each, 0);
}

function elementsOf(row: Element | Document, field: PageField): (Element | Document)[] {
	if (field.selector === undefined) return [row];
	if (field.all) return all(field.selector, row);
	const element = first(field.selector, row);
	return element ? [element] : [];
}

/** What an element says of a field, of several attributes one after the other; null where it lacks one. */
function saidBy(element: Element, field: PageField): (string | null)[] {
	const attributes = attributesOf(field);
	if (attributes) {
		return attributes.map((name) => attributeOf(element, name) ?? null);
	}
	if (field.html) return [serialize<Htmlparser2TreeAdapterMap>(element, { treeAdapter })];
	return [field.trim === false ? textContent(element) : innerText(element)];
}

/** Attributes of HTML have no case; those of SVG do. */
function attributeOf(element: Element, name: string): string | undefined {
	if (isForeign(element)) return element.attribs[name];
	const held = name === 'value' ? heldIn(element) : undefined;
	return held ?? element.attribs[name.toLowerCase()];
}
