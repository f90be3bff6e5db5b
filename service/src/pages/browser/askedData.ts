import { setTimeout as sleep } from 'node:timers/promises';
import type { Page as Tab, Request, Response, WebSocket } from 'playwright-core';
import { shortened } from '../../text/shortened.ts';
import { PageError, type AskedOnStep, type Missing, type Outage } from '../page.ts';
import { refusedPage } from '../refusedPage.ts';
import { parsedJson, textOf } from './answerText.ts';
import { barred, DataFailures } from './dataFailures.ts';
import { DataPlaces } from './dataPlaces.ts';
import { dataOutage, isAborted } from './failures.ts';
import {
	areOfSameSite,
	channelOf,
	isData,
	isOfSameSite,
	isStream,
	kindOf,
	placeKindOf,
	placeOf,
} from './requestKinds.ts';
import { errorIn } from './saidError.ts';
import { SocketMessages, type SentMessage } from './socketMessages.ts';
import { within } from './within.ts';

/** Milliseconds between two looks for an answer. */
const interval = 25;

const didNotCome = 'Data that the page has asked for did not come:';

/** So many answers that came last are asked whether they say that they failed. */
const maxAnswers = 10;

/** Milliseconds for the browser to hand over an answer that has come. */
const handover = 1_000;

/** So often at most data is waited for that does not come, as from sites that answer when there is news. */
const maxWaits = 2;

/** What a page asks for data by. */
export type Asked = Request | SentMessage;

/** Who is told when that has come, or is given up. */
interface Listener {
	asked(asked: Asked | WebSocket): void;
	ended(asked: Asked | WebSocket, isData: boolean): unknown;
}

/** Why data has not come. */
interface NotCome extends Pick<
	Missing,
	'reason' | 'isRefused' | 'isElsewhere' | 'isBarred' | 'isGone' | 'again'
> {
	outage: Outage;
}

/** Data that has come. */
interface Answer {
	/** Where it was asked for. */
	place: { name: string; host: string };
	/** What it says of having failed. */
	saidError: () => Promise<string | undefined>;
	/** When it came, by the monotonic clock. */
	at: number;
}

/** The data that a page has asked for since the last action. */
export class AskedData {
	#underWay = new Set<Request>();
	readonly #listener: Listener;
	readonly #sockets: SocketMessages;
	/** What was waited for, and has not come. */
	#inVain: Request[] = [];
	/** How often in a row data was waited for in vain, by its channel. */
	readonly #waits = new Map<string, number>();
	/** Where the page has given up a request, and has got nothing since. */
	#givenUp = new Set<string>();
	/** When another page came last, by the monotonic clock. */
	#leftAt = 0;
	/** The place of the last data that was asked for, as one asks for pages, and came. */
	#got: { name: string; host: string } | undefined;
	/** The same when another page came last. */
	#leftWith: { name: string; host: string } | undefined;
	/** Whether any was asked for. */
	wasAsked = false;
	/** When the page was scrolled last without a failure, by the monotonic clock. */
	scrolled: number | undefined;
	/** Places that have answered, whatever else was asked of them. */
	readonly #answering = new Set<string>();
	/** Those that have answered with JSON, whatever their numbers; with what was asked of them, where that did not say that it was. */
	readonly #gaveData: DataPlaces;
	/** Of answers: ends when it is known whether they are data. */
	readonly #judgements = new WeakMap<Request, Promise<void>>();
	readonly #failures: DataFailures;
	/** What has come last. */
	#answers: Answer[] = [];

	/** `listener` is told of what is asked by sockets, and of what is not waited for any more. */
	constructor(listener: Listener, tab: Tab) {
		[this.#listener, this.#gaveData] = [listener, new DataPlaces(tab)];
		this.#failures = new DataFailures(this.#gaveData);
		this.#sockets = new SocketMessages(listener, this.#failures, (socket, said) =>
			this.#came(placeOf(socket), () => Promise.resolve(errorIn(said))),
		);
	}

	/** An action begins: what was asked for before is nothing of its own. */
	begin(): void {
		this.#underWay = new Set();
		this.#sockets.begin();
		this.#failures.begin();
		this.#givenUp = new Set();
		this.#inVain = [];
		this.#answers = [];
		this.#got = this.#leftWith = undefined;
		this.scrolled = undefined;
		this.wasAsked = false;
	}

	/** Where the action has asked for nothing, what the one before it lacks is lacking still; false if it has. */
	resume(): boolean {
		if (!this.wasAsked) this.#failures.resume();
		return !this.wasAsked;
	}

	asked(request: Request): void {
		if (isData(request) || request.isNavigationRequest()) this.#failures.asked(request);
		if (!isData(request)) return;
		this.wasAsked = true;
		this.#underWay.add(request);
	}

	watch = (socket: WebSocket): void => this.#sockets.watch(socket);

	/** Another page comes. */
	leave(): void {
		this.#leftAt = performance.now();
		this.#leftWith = this.#got;
		this.#sockets.leave();
	}

	/** `through`: by which proxy. */
	answered(response: Response, through: string): void {
		const request = response.request();
		// A stream of events that is refused is not asked for again by the browser.
		const isRefusedStream = response.status() >= 400 && isStream(request);
		if (!this.#underWay.has(request) && !isRefusedStream) return;
		this.#failures.forget(request);
		this.#givenUp.delete(placeOf(request).name);
		const status = response.status();
		if (status < 400) {
			const place = placeOf(request);
			if (this.#isPageInPlace(request, response)) {
				const said = `${request.url()} answered with a page (HTML), where data had come before: a log-in page, say.`;
				return this.#failures.note(request, new PageError(said), barred);
			}
			if (request.method() === 'GET' && request.resourceType() !== 'script') this.#got = place;
			const text = textOf(response);
			this.#judgements.set(request, this.#judge(response, text));
			this.#came(place, async () => errorIn((await within(handover, text)) ?? ''));
			return void this.#answering.add(place.name);
		}
		const retryAfter = response.headers()['retry-after'] ?? null;
		const refused = refusedPage(request.url(), { status, retryAfter, through });
		this.#failures.note(request, refused, status);
	}

	/** Whether a page has come where data (JSON) had come before, as of a site that leads to its log-in page. */
	#isPageInPlace(request: Request, response: Response): boolean {
		const isPage = /html/i.test(response.headers()['content-type'] ?? '');
		return isPage && this.#gaveData.has(placeKindOf(request));
	}

	/** Resolves when it is known whether what has come is data; undefined: nothing has to be found out. */
	judged(request: Request): Promise<void> | undefined {
		const judgement = this.#judgements.get(request);
		return judgement && within(handover, judgement);
	}

	/** What is no JSON, as where it is cut or begins with a warning, is refused, if it says that it is, or JSON has come from there before. */
	async #judge(response: Response, read: Promise<string | undefined>): Promise<void> {
		const text = await read;
		const request = response.request();
		const saysJson = /json/i.test(response.headers()['content-type'] ?? '');
		const [place, asked] = [placeKindOf(request), kindOf(request)];
		const json = text === undefined ? saysJson && {} : parsedJson(text);
		if (typeof json === 'object' && json) this.#gaveData.add(saysJson ? place : asked);
		if (text === undefined || json !== undefined) return;
		if (response.status() !== 200 || !this.#underWay.has(request)) return;
		const gaveData = this.#gaveData.has(place) || this.#gaveData.has(asked);
		// Who only tells its site something may be answered with nothing, or a word.
		const saysMore = !/^\w*$/.test(text.trim());
		const isDue = saysMore ? gaveData || saysJson : gaveData && request.method() === 'GET';
		if (!isDue) return;
		const what = text === '' ? 'nothing' : `“${shortened(text, 60)}”`;
		const said = `${request.url()} answered with ${what}, which is no data (JSON).`;
		// Of another site, only what has given data counts.
		const status = gaveData ? response.status() : undefined;
		this.#failures.note(request, new PageError(said, { outage: { of: 'answer' } }), status);
	}

	/** `isUnread`: as far as the page is concerned, which does not read the answer. */
	ended(request: Request, isUnread: boolean): void {
		if (!this.#underWay.delete(request)) return;
		const failure = request.failure()?.errorText;
		const { name } = placeOf(request);
		if (isUnread) return this.#noteWait(request);
		if (failure === undefined) return void this.#waits.delete(channelOf(request));
		if (isAborted(failure)) {
			// Browsers give up as well what was answered, and nobody reads any more.
			if (!this.#judgements.has(request)) this.#givenUp.add(name);
			return;
		}
		const outage = dataOutage(failure);
		if (outage)
			this.#failures.note(
				request,
				new PageError(`${request.url()} failed: ${failure}.`, { outage }),
			);
	}

	/** What has not come to an end. */
	get unanswered(): Asked[] {
		return [...this.#underWay, ...this.#sockets.unanswered];
	}

	/** Whether any of these has not come to an end. */
	awaits = (asked: Asked[]): boolean => asked.some((each) => this.unanswered.includes(each));

	/** What is under way that is not waited for in vain; `host`: only data of the site of that host. */
	#awaited(host: string | undefined): Asked[] {
		const isOfHost = (each: Asked) => host === undefined || isOfSameSite(placeOf(each).host, host);
		return this.unanswered.filter((each) => !this.isEndless(each) && isOfHost(each));
	}

	/** Whether nothing but streams of events is under way, which may have no end. */
	get isStreaming(): boolean {
		return this.unanswered.every((each) => 'method' in each && isStream(each));
	}

	/** Whether its channel was waited for in vain twice in a row: who answers when there is news does not answer what is asked. */
	isEndless(asked: Asked): boolean {
		return this.#waitsFor(asked) >= maxWaits;
	}

	/** Whether any data of the site of that host is under way that is not waited for in vain. */
	isUnderWay = (host: string): boolean => this.#awaited(host).length > 0;

	/**
	 * Waits until what is under way has come to an end, or `isOver`; true if it came. `host`: only for data of the
	 * site of that host. `waitedFor`: the kinds of what has been waited for, to which those are added that are now: who
	 * asks the same again and again is not followed. What was waited for in vain twice in a row is not waited for again
	 * on another page.
	 */
	async settled(
		isOver: () => boolean,
		{
			host,
			waitedFor,
			signal,
		}: { host?: string | undefined; waitedFor: Set<string>; signal: AbortSignal },
	): Promise<boolean> {
		const awaited = this.#awaited(host).filter((each) => !waitedFor.has(kindOf(each)));
		if (!this.awaits(awaited)) return false;
		for (const each of awaited) waitedFor.add(kindOf(each));
		while (this.awaits(awaited)) {
			if (isOver()) {
				this.#inVain = [...this.#underWay].filter((request) => awaited.includes(request));
				for (const request of this.#inVain) {
					this.#noteWait(request);
					// No step after this one is for it, however long it takes.
					this.#listener.ended(request, false);
				}
				return false;
			}
			await sleep(interval, undefined, { signal });
			this.#sockets.giveUp();
		}
		return true;
	}

	/** Something was read of a page of the site of that host, whatever has not come. */
	noteRead = (host: string): void => this.#failures.noteRead(host, this.#answering);

	/** What the action has sent to the site of that page by a form or a script, and may have been counted. */
	sentTo = (page: { url(): string }): Request | undefined =>
		// Who counts visitors is told something as well.
		this.#failures.sent.find((each) => each.isNavigationRequest() || areOfSameSite(each, page));

	/** What the action has asked for, on that page. */
	onStep(page: { url(): string }): AskedOnStep {
		const sent = this.sentTo(page);
		return {
			hasAsked: this.wasAsked,
			hasGot: this.#got !== undefined && isOfSameSite(this.#got.host, placeOf(page).host),
			sent: sent && `${sent.method()} ${sent.url()}`,
			isFormSent: sent?.isNavigationRequest() === true,
			isMadeUp: this.#failures.isMadeUp,
			isPassedOver: this.#failures.isPassedOver,
		};
	}

	/** Which data that counts for a page of the site of that host has not come, or was refused `since` a time of the monotonic clock; undefined: all has. */
	lack(host: string, since?: number): string | undefined {
		for (const failure of this.#failures.all) {
			const isMeant = failure.mayCome && failure.at >= (since ?? 0);
			if (isMeant && this.#failures.counts(failure, host))
				return `${didNotCome} ${failure.error.message}`;
		}
		if (since !== undefined) return undefined;
		const late = this.#inVain.map(placeOf).find((place) => isOfSameSite(place.host, host));
		return late && `${didNotCome} ${late.name} has not answered.`;
	}

	/**
	 * What has not come for a step on the open page, first what counts there and was refused; `beforeLeft`: of that,
	 * what had not come when another page came.
	 */
	missing(page: { url(): string }, { beforeLeft }: { beforeLeft: boolean }): NotCome | undefined {
		const { host, name: here } = placeOf(page);
		const failures = this.#failures.all.filter(({ at }) => !beforeLeft || at < this.#leftAt);
		const isOwn = (each: { host: string }) => isOfSameSite(each.host, host);
		const counted = failures.filter((each) => this.#failures.counts(each, host));
		const ownFirst = [...counted.filter(isOwn), ...counted.filter((each) => !isOwn(each))];
		const refused = ownFirst.find((each) => each.mayCome);
		const barred = ownFirst.find((each) => each.isBarred);
		const gone = ownFirst.find((each) => each.isGone);
		const first = refused ?? barred ?? gone ?? failures[0];
		const late = [...this.#inVain.map((request) => placeOf(request).name), ...this.#givenUp];
		const why = first?.error.message ?? (late[0] && `${late[0]} has not answered.`);
		if (why === undefined) return undefined;
		const outage = first?.error.outage ?? { of: first ? 'answer' : 'network' };
		return {
			reason: `${didNotCome} ${why}`,
			isRefused: refused !== undefined,
			isElsewhere: refused !== undefined && !isOwn(refused),
			isBarred:
				barred !== undefined || ownFirst.some(({ isGone, place }) => isGone && place === here),
			isGone: gone !== undefined,
			// What was sent may have been counted all the same.
			again:
				failures.every(({ isSafe }) => isSafe) && this.#failures.sent.length === 0
					? () => this.#failures.again()
					: undefined,
			outage,
		};
	}

	/** What data of the site of that host says of having failed that has come `since` a time of the monotonic clock. */
	async saidError(
		host: string,
		since = 0,
	): Promise<{ reason: string; outage: Outage } | undefined> {
		for (const { place, saidError, at } of this.#answers) {
			if (at < since || !isOfSameSite(place.host, host)) continue;
			const error = await saidError();
			if (error === undefined) continue;
			const reason = `${didNotCome} ${place.name} answered that it failed (${error}).`;
			return { reason, outage: { of: 'answer' } };
		}
		return undefined;
	}

	/** The data of the site of that host that had come last when another page came. */
	leftWith(host: string): string | undefined {
		const { host: from = '', name } = this.#leftWith ?? {};
		return isOfSameSite(from, host) ? name : undefined;
	}

	/**
	 * Throws a PageError where data has failed to come that may come if it is asked for once more; `what`: a
	 * sentence about what is missing for want of it. `host`: only data of its site, or of another that has given such; `isLost`: also what has come since, as
	 * nothing is there of what it was for.
	 */
	check(what: string, { host, isLost = false }: { host?: string; isLost?: boolean } = {}): void {
		for (const failure of isLost ? this.#failures.ever : this.#failures.all) {
			if (!failure.mayCome || (host !== undefined && !this.#failures.isOwn(failure, host)))
				continue;
			const { message, outage } = failure.error;
			throw new PageError(`${what} ${didNotCome} ${message}`, { outage });
		}
	}

	/**
	 * What a list lacks that scrolling adds to: data that counts for a page of the site of that host, and was refused `since`
	 * a time of the monotonic clock, or refused or not answered at a place that has answered before. Throws where it may come
	 * if it is asked for once more.
	 */
	lackOfList(host: string, since: number): string | undefined {
		const lacks = this.#failures.all.filter(
			(each) =>
				this.#failures.counts(each, host) && (each.at >= since || this.#answering.has(each.place)),
		);
		const [lack] = [...lacks.filter(({ mayCome }) => mayCome), ...lacks];
		const late = [...this.#underWay].map(placeOf).find(({ name }) => this.#answering.has(name));
		if (!lack && !late) return undefined;
		const what = lack ? lack.error.message : `${late?.name} has not answered.`;
		const said = `Scrolling has brought nothing new. ${didNotCome} ${what}`;
		if (lack?.mayCome) throw new PageError(said, { outage: lack.error.outage });
		return said;
	}

	#came(place: Answer['place'], saidError: Answer['saidError']): void {
		const answer = { place, saidError, at: performance.now() };
		this.#answers = [...this.#answers, answer].slice(-maxAnswers);
	}

	/** That was waited for in vain once more. */
	#noteWait(asked: Request): void {
		this.#waits.set(channelOf(asked), this.#waitsFor(asked) + 1);
	}

	#waitsFor = (asked: Asked): number => this.#waits.get(channelOf(asked)) ?? 0;
}
