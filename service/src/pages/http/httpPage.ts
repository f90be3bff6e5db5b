import type { CheerioAPI } from 'cheerio';
import type { FieldRule } from '../../tasks/task.ts';
import { decodeHtml } from './decodeHtml.ts';
import { fetchDocument, type DocumentRequest } from './fetchDocument.ts';
import { fillIn, formRequest, submittedForm } from './form.ts';
import { HtmlView, shownText } from '../htmlView.ts';
import { PageError, type Page, type Row } from '../page.ts';
import { pageWork } from './pageWork.ts';
import { parseHtml } from './parseHtml.ts';
import { fingerprintOf, type Fingerprint } from '../seenPages.ts';

/** A page read over HTTP: HTML without its scripts. `signal` ends requests under way. */
export class HttpPage implements Page {
	readonly #signal: AbortSignal;
	#url = '';
	#opened: HtmlView | undefined;
	/** Whether it answers a form that was sent with POST. */
	#isFormAnswer = false;

	constructor(signal: AbortSignal) {
		this.#signal = signal;
	}

	async open(url: string): Promise<void> {
		await this.#request({ url });
	}

	inputText(selector: string, text: string): Promise<void> {
		return this.#now(({ view }) => fillIn(view.first(selector), text, selector));
	}

	async click(selector?: string, waitFor?: string): Promise<void> {
		const request = await this.#now(({ view }): DocumentRequest => {
			const target = selector === undefined ? view.entered() : view.first(selector);
			const form = submittedForm(view.$, target);
			if (form) return formRequest(form, target, view.base);
			return { url: view.link(target, selector ?? 'The loop item') };
		});
		await this.#request(request);
		if (waitFor !== undefined) await this.#now(({ view }) => void view.first(waitFor));
	}

	has(selector: string): Promise<boolean> {
		return this.#now(({ view }) => view.all(selector).length > 0);
	}

	count(selector: string): Promise<number> {
		return this.#now(({ view }) => view.all(selector).length);
	}

	enter(selector: string, index: number): Promise<void> {
		return this.#now(({ view }) => {
			this.#opened = view.within(selector, index);
		});
	}

	enteredLink(): Promise<string> {
		return this.#now(({ view }) => view.link(view.entered(), 'The loop item'));
	}

	enteredText(): Promise<string> {
		return this.#now(({ view }) => shownText(view.entered().text()));
	}

	read(selector: string | undefined, fields: FieldRule[]): Promise<Row[]> {
		return this.#now(({ view }) => view.rows(selector, fields));
	}

	scroll(): Promise<boolean> {
		return Promise.reject(new PageError('An http page cannot scroll.'));
	}

	bookmark(): Promise<() => Promise<void>> {
		const url = this.#url;
		const opened = this.#opened;
		const isFormAnswer = this.#isFormAnswer;
		return Promise.resolve(() => {
			this.#url = url;
			this.#opened = opened;
			this.#isFormAnswer = isFormAnswer;
			return Promise.resolve();
		});
	}

	fingerprint(): Promise<Fingerprint> {
		return this.#now(({ view, url }) =>
			// The HTML of a page with an address of its own is compared with no other.
			this.#isFormAnswer ? fingerprintOf(url, view.$.html(), false) : fingerprintOf(url, '', true),
		);
	}

	close(): Promise<void> {
		return Promise.resolve();
	}

	/** Works on the page that is open. */
	#now<Result>(work: (open: { view: HtmlView; url: string }) => Result): Promise<Result> {
		return new Promise((resolve) => {
			const view = this.#opened;
			if (!view) throw new PageError('No page was opened yet.');
			resolve(pageWork(() => work({ view, url: this.#url })));
		});
	}

	async #request(request: DocumentRequest): Promise<void> {
		const { body, url, contentType } = await fetchDocument(request, this.#signal);
		this.#opened = pageWork(() => {
			const $ = parseHtml(decodeHtml(body, contentType));
			return new HtmlView($, baseOf($, url));
		});
		this.#url = url;
		this.#isFormAnswer = request.form !== undefined;
	}
}

/** What relative addresses count from. */
function baseOf($: CheerioAPI, url: string): string {
	const base = $('base[href]').first().attr('href') ?? '';
	return URL.canParse(base, url) ? new URL(base, url).href : url;
}
