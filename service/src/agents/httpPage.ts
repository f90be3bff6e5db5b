import { createHash } from 'node:crypto';
import { loadBuffer, type Cheerio, type CheerioAPI } from 'cheerio';
import type { AnyNode } from 'domhandler';
import type { FieldRule } from '../tasks/task.ts';
import { fillIn, formRequest, submittedForm } from './form.ts';
import { fetchDocument, type DocumentRequest } from './fetchDocument.ts';
import { addressAttributes, PageError, shownText, type Page, type Row } from './page.ts';

interface Document {
	$: CheerioAPI;
	url: string;
	/** The item of the surrounding loop over elements. */
	entered?: Cheerio<AnyNode>;
}

/** A page read over HTTP: HTML without its scripts. `signal` ends requests under way. */
export class HttpPage implements Page {
	readonly #signal: AbortSignal;
	#document: Document | undefined;

	constructor(signal: AbortSignal) {
		this.#signal = signal;
	}

	async open(url: string): Promise<void> {
		await this.#request({ url });
	}

	inputText(selector: string, text: string): Promise<void> {
		return this.#now(() => fillIn(this.#first(selector), text, selector));
	}

	async click(selector?: string, waitFor?: string): Promise<void> {
		const target = selector === undefined ? this.#entered() : this.#first(selector);
		const name = selector ?? 'the loop item';
		const form = submittedForm(this.#opened.$, target);
		if (form) {
			await this.#request(formRequest(form, target, this.#base()));
		} else {
			await this.#request({ url: this.#linkOf(target, name) });
		}
		if (waitFor !== undefined) this.#first(waitFor);
	}

	count(selector: string): Promise<number> {
		return this.#now(() => this.#all(selector).length);
	}

	enter(selector: string, index: number): Promise<void> {
		return this.#now(() => {
			const element = this.#all(selector).eq(index);
			if (element.length === 0) throw new PageError(`${selector} has no element ${index + 1}.`);
			this.#document = { ...this.#opened, entered: element };
		});
	}

	enteredLink(): Promise<string> {
		return this.#now(() => this.#linkOf(this.#entered(), 'the loop item'));
	}

	enteredText(): Promise<string> {
		return this.#now(() => shownText(this.#entered().text()));
	}

	read(selector: string | undefined, fields: FieldRule[]): Promise<Row[]> {
		return this.#now(() => {
			const { $, entered } = this.#opened;
			if (selector === undefined) return [this.#row(entered ?? $('html').first(), fields)];
			return this.#all(selector)
				.toArray()
				.map((element) => this.#row($(element), fields));
		});
	}

	scroll(): Promise<boolean> {
		return Promise.reject(new PageError('An http page cannot scroll.'));
	}

	bookmark(): Promise<() => Promise<void>> {
		const document = this.#document;
		return Promise.resolve(() => {
			this.#document = document;
			return Promise.resolve();
		});
	}

	fingerprint(): Promise<string> {
		return this.#now(() => {
			const { $, url } = this.#opened;
			return createHash('sha256').update(url).update($.html()).digest('hex');
		});
	}

	close(): Promise<void> {
		return Promise.resolve();
	}

	/** Runs something that throws at once as something that rejects. */
	async #now<Result>(work: () => Result): Promise<Awaited<Result>> {
		return await work();
	}

	async #request(request: DocumentRequest): Promise<void> {
		const { body, url, charset } = await fetchDocument(request, this.#signal);
		const $ = loadBuffer(body, { encoding: { transportLayerEncodingLabel: charset } });
		this.#document = { $, url };
	}

	get #opened(): Document {
		if (!this.#document) throw new PageError('No page was opened yet.');
		return this.#document;
	}

	#entered(): Cheerio<AnyNode> {
		const { entered } = this.#opened;
		if (!entered) throw new PageError('The loop item is not an element of this page.');
		return entered;
	}

	#all(selector: string): Cheerio<AnyNode> {
		const { $, entered } = this.#opened;
		return entered?.find(selector) ?? $(selector);
	}

	#first(selector: string): Cheerio<AnyNode> {
		const found = this.#all(selector).first();
		if (found.length === 0) {
			throw new PageError(`${this.#opened.url} has no element ${selector}.`);
		}
		return found;
	}

	#row(element: Cheerio<AnyNode>, fields: FieldRule[]): Row {
		return Object.fromEntries(fields.map((field) => [field.id, this.#value(element, field)]));
	}

	#value(row: Cheerio<AnyNode>, { selector, attribute, trim }: FieldRule): string {
		const element = selector === undefined ? row : row.find(selector).first();
		if (attribute === undefined) return shownText(element.text(), trim);
		const value = element.attr(attribute) ?? '';
		const isAddress = value !== '' && addressAttributes.has(attribute.toLowerCase());
		return isAddress && URL.canParse(value, this.#base())
			? new URL(value, this.#base()).href
			: shownText(value, trim);
	}

	#linkOf(element: Cheerio<AnyNode>, name: string): string {
		const link = element.closest('a[href]').add(element.find('a[href]')).first();
		const href = link.attr('href');
		if (href === undefined) {
			throw new PageError(
				`${name} is neither a link nor a button that submits a form; a browser page may be able to click it.`,
			);
		}
		if (!URL.canParse(href, this.#base())) throw new PageError(`"${href}" is not a URL.`);
		return new URL(href, this.#base()).href;
	}

	/** What relative addresses count from. */
	#base(): string {
		const { $, url } = this.#opened;
		const base = $('base[href]').first().attr('href') ?? '';
		return URL.canParse(base, url) ? new URL(base, url).href : url;
	}
}
