import {
	PageError,
	rowsAtOnce,
	selectorsOf,
	type AskedOnStep,
	type Bookmark,
	type Entered,
	type HowToRead,
	type MayAsk,
	type Page,
	type PageField,
	type Presence,
	type ReadRow,
	type Reading,
	type Selectors,
	type Snapshot,
	type TypedText,
} from '../page.ts';
import { endOf, type DocumentEnd } from '../documentEnd.ts';
import { latin1 } from '../../text/latin1.ts';
import { withoutFragment } from '../../text/withoutFragment.ts';
import { fingerprintOf, rowsOf, type Fingerprint, type ReadRows } from '../seenPages.ts';
import type { RequestSettings } from '../requestSettings.ts';
import { Connection, type DocumentRequest } from './connection.ts';
import { fetchDocument, type FetchedDocument } from './fetchDocument.ts';
import { maxRefreshes, refreshIn, untilSentOn, type Refresh } from '../refresh.ts';
import type { Typed } from './htmlDocument.ts';
import type { Source } from './reader.ts';
import type { ParametersOf, Readers, ResultOf } from './readers.ts';
import type { ReadingCommands } from './readingCommands.ts';

/** All that an http page is at one moment; nothing of it changes. */
interface Opened {
	source: Source;
	/** Whether it answers a form that was sent with POST. */
	isFormAnswer: boolean;
	/** The elements that were entered, each one counted from the one before. */
	scope: Entered[];
	/** Those that were when a link to a place on the page was followed. */
	left: Entered[];
	/** The place that it leads to; absent: none was followed. */
	at?: string;
	typed: Typed[];
	/** How its document ends, once that was looked for. */
	end?: DocumentEnd | undefined;
}

/** A page read over HTTP: HTML without its scripts. `signal` ends requests under way. */
export class HttpPage implements Page {
	readonly #readers: Readers;
	readonly #signal: AbortSignal;
	readonly #connection: Connection;
	#opened: Opened | undefined;
	/** What the click that was asked for last asks the site for. */
	#click: { opened: Opened; selector?: string; request: Promise<DocumentRequest> } | undefined;
	readonly #fingerprints = new WeakMap<Source, { readings: Reading[]; fingerprint: Fingerprint }>();
	/** Documents that there is a way back to. */
	readonly #bookmarked = new WeakSet<Source>();

	constructor(readers: Readers, settings: RequestSettings, signal: AbortSignal) {
		this.#readers = readers;
		this.#connection = new Connection(settings);
		this.#signal = signal;
	}

	open(url: string, mayAsk?: MayAsk): Promise<void> {
		return this.#request({ url }, mayAsk);
	}

	async inputText(selector: string, text: string): Promise<TypedText> {
		const opened = await this.#openFor([selector]);
		const typed = { scope: opened.scope, selector, text };
		await this.#ask('checkTypable', typed);
		this.#sent = undefined;
		this.#opened = { ...opened, typed: [...opened.typed, typed] };
		return { isNew: true };
	}

	leaveField(): Promise<void> {
		return Promise.resolve();
	}

	async submit(selector: string, mayAsk?: MayAsk): Promise<undefined> {
		const { scope, typed } = await this.#openFor([selector]);
		await this.#request(await this.#ask('requestOfSubmit', scope, selector, typed), mayAsk);
	}

	async click(selector?: string, waitFor?: string, mayAsk?: MayAsk): Promise<undefined> {
		const request = await this.#requestOfClick(selector);
		this.#sent = undefined;
		if (!this.#showsPlace(request)) await this.#request(request, mayAsk);
		if (waitFor !== undefined && !(await this.has(waitFor))) {
			throw new PageError(`The page has no element ${waitFor}.`);
		}
	}

	async leadsTo(selector?: string): Promise<string> {
		return (await this.#requestOfClick(selector)).url;
	}

	askedAddress = () => this.#asked;

	asked = (): AskedOnStep => ({
		hasAsked: false,
		sent: this.#sent,
		isFormSent: true,
		hasGot: false,
		isMadeUp: false,
		isPassedOver: false,
	});

	/** One that is not whole has failed. */
	lack(): undefined {
		return undefined;
	}

	/** It has no scripts that would ask for data. */
	missing = () => Promise.resolve(undefined);

	/** Most pages have no such field, and are not asked. */
	async asksPassword(): Promise<boolean> {
		const { body } = this.#open().source;
		return (
			/type\s*=\s*["']?\s*password|\0/i.test(latin1(body)) && (await this.#ask('asksPassword'))
		);
	}

	documentEnd(): Promise<DocumentEnd | undefined> {
		const opened = this.#open();
		opened.end ??= endOf(opened.source.body, opened.source.contentType);
		return Promise.resolve(opened.end);
	}

	async has(selector: string): Promise<boolean> {
		return (await this.#count(selector)) > 0;
	}

	async presence(selector: string): Promise<Presence> {
		const { scope } = await this.#openFor([selector]);
		return this.#ask('presence', scope, selector);
	}

	async elements(selector: string, { areFollowed = false }: HowToRead = {}): Promise<Entered[]> {
		const { scope } = await this.#openFor([selector]);
		const links = await this.#ask('links', scope, selector);
		const said = areFollowed ? await this.#ask('said', scope, selector) : [];
		return links.map((link, index) => ({ selector, index, link, says: said[index] }));
	}

	enter(element: Entered): void {
		const opened = this.#open();
		this.#opened = { ...opened, scope: [...opened.scope, element] };
	}

	address(): string {
		return this.#opened?.at ?? this.#opened?.source.url ?? '';
	}

	enteredLink(): Promise<string> {
		return this.#ask('enteredLink', this.#open().scope);
	}

	enteredText(): Promise<string> {
		return this.#ask('enteredText', this.#open().scope);
	}

	async *read(selector: string | undefined, fields: PageField[]): AsyncIterable<ReadRow[]> {
		const { scope } = await this.#openFor(selectorsOf({ selector, fields }));
		const most = rowsAtOnce(fields.length);
		for (let from = 0; ; from += most) {
			const part = { from, to: from + most };
			const rows = await this.#ask('rows', scope, selector, fields, part);
			yield rows;
			if (rows.length < most) return;
		}
	}

	scroll(): Promise<never> {
		return Promise.reject(new PageError('An http page cannot scroll.'));
	}

	bookmark(opened = this.#opened): Bookmark {
		if (opened) this.#bookmarked.add(opened.source);
		const isOpen = () => this.#opened?.source === opened?.source;
		return {
			isAsOpened: true,
			isLast: isOpen,
			isOpen,
			now: () => {
				if (!opened) return this.bookmark();
				return this.bookmark({ ...this.#open(), scope: opened.scope, left: opened.left });
			},
			goBack: () => {
				this.#leave(opened);
				return Promise.resolve();
			},
		};
	}

	snapshot(): Promise<Snapshot> {
		const { body, url, contentType } = this.#open().source;
		return Promise.resolve({ body, url, contentType });
	}

	/** Asked for when a page has come, and again before it is left: nothing of it changes. */
	async fingerprint(readings: Reading[]): Promise<Fingerprint> {
		const { source, isFormAnswer } = this.#open();
		const known = this.#fingerprints.get(source);
		if (known?.readings === readings) return known.fingerprint;
		const rows: ReadRows[] = [];
		for (const reading of readings) {
			if (!reading.isBehind) rows.push(await this.#rowsOf(reading));
		}
		const as = { byAddress: !isFormAnswer, rows };
		const fingerprint = fingerprintOf(source.url, source.body, as);
		this.#fingerprints.set(source, { readings, fingerprint });
		return fingerprint;
	}

	close(): Promise<void> {
		if (this.#opened) this.#readers.forget(this.#opened.source);
		this.#opened = undefined;
		return this.#connection.close();
	}

	async #rowsOf({ selector, fields }: Reading): Promise<ReadRows> {
		const each: string[] = [];
		const asked = selector === undefined ? fields : [...fields, { id: 'text of the element' }];
		for await (const part of this.read(selector, asked)) {
			for (const row of part) each.push(JSON.stringify(row));
		}
		return rowsOf(each);
	}

	#open(): Opened {
		if (!this.#opened) throw new PageError('No page was opened yet.');
		return this.#opened;
	}

	async #count(selector: string): Promise<number> {
		const { scope } = await this.#openFor([selector]);
		return this.#ask('count', scope, selector);
	}

	/** What is open, with the elements that these selectors count from. */
	async #openFor(selectors: Selectors): Promise<Opened> {
		const opened = this.#open();
		const { left, scope } = opened;
		if (left.length === 0 || scope.length > 0) return opened;
		if (!(await this.#ask('isMeant', left, selectors))) return opened;
		return (this.#opened = { ...opened, scope: left, left: [] });
	}

	/** Whether a link leads to a place on the open page, which nobody is asked for. */
	#showsPlace({ url, form }: DocumentRequest): boolean {
		const { source, scope, left, ...opened } = this.#open();
		const isPlace = url.includes('#') && withoutFragment(url) === withoutFragment(source.url);
		if (form || !isPlace) return false;
		this.#leave({ ...opened, source, scope: [], left: scope.length > 0 ? scope : left, at: url });
		return true;
	}

	async #ask<Name extends keyof ReadingCommands>(
		command: Name,
		...parameters: ParametersOf<ReadingCommands[Name]>
	): Promise<ResultOf<ReadingCommands[Name]>> {
		const { source } = this.#open();
		return unlessAborted(() => this.#readers.ask(source, command, ...parameters), this.#signal);
	}

	#asked: string | undefined;
	#sent: string | undefined;
	/** Whether a form was sent, and taken: what stands behind it is asked for again by itself. */
	#hasSent = false;
	/** Asked for by `leadsTo`, and again by the click that follows: worked out once. */
	async #requestOfClick(selector: string | undefined): Promise<DocumentRequest> {
		const opened = await this.#openFor([selector]);
		if (this.#click?.opened !== opened || this.#click.selector !== selector) {
			const request = this.#ask('requestOfClick', opened.scope, selector, opened.typed);
			this.#click = { opened, selector, request };
		}
		return this.#click.request;
	}

	async #request(request: DocumentRequest, mayAsk?: MayAsk): Promise<void> {
		const signal = this.#signal;
		let asked = { ...request, isBehindForm: this.#hasSent };
		// Not only when the next one has come: most documents have been asked all by now.
		this.#done(this.#opened);
		this.#asked = request.form ? undefined : request.url;
		this.#sent = request.form && `POST ${request.url}`;
		for (let refreshes = 0; refreshes <= maxRefreshes; refreshes += 1) {
			const fetched = await fetchDocument(this.#connection, asked, { signal, mayAsk });
			this.#hasSent ||= asked.form !== undefined;
			const source = this.#readers.add(fetched);
			this.#leave({
				source,
				isFormAnswer: asked.form !== undefined,
				scope: [],
				left: [],
				typed: [],
			});
			const refresh = await this.#refresh(fetched);
			if (!refresh) return;
			await untilSentOn(refresh, signal);
			const referrer = await this.#ask('referrer');
			asked = { url: refresh.url, referrer, isBehindForm: this.#hasSent };
		}
		const { url } = request;
		throw new PageError(`${url} redirects again and again: more than ${maxRefreshes} times.`, {
			url,
		});
	}

	/** Where the open page sends on. Most pages do not have the word, and are not asked. */
	async #refresh({ body, url, refresh }: FetchedDocument): Promise<Refresh | undefined> {
		const byHeader = refresh ? refreshIn(refresh, { url, encoding: 'utf-8' }, url) : undefined;
		if (byHeader || !/refresh|\0/i.test(latin1(body))) return byHeader;
		return this.#ask('refresh');
	}

	#leave(next: Opened | undefined): void {
		if (this.#opened?.source !== next?.source) this.#done(this.#opened);
		this.#opened = next;
		this.#click = undefined;
	}

	/** There will hardly be more questions to its document; if there are, it is parsed again. */
	#done(opened: Opened | undefined): void {
		if (opened && !this.#bookmarked.has(opened.source)) this.#readers.forget(opened.source);
	}
}

/**
 * What work comes to, unless the agent is called off before. It is not even begun by one that is called off already:
 * nobody would hear of its end, and an error that nobody hears ends the service.
 */
async function unlessAborted<Result>(
	work: () => Promise<Result>,
	signal: AbortSignal,
): Promise<Result> {
	signal.throwIfAborted();
	const aborted = Promise.withResolvers<never>();
	const abort = () => aborted.reject(signal.reason);
	signal.addEventListener('abort', abort);
	try {
		return await Promise.race([work(), aborted.promise]);
	} finally {
		signal.removeEventListener('abort', abort);
	}
}
