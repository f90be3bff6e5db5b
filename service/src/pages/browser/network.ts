import type { Page as Tab, Request } from 'playwright-core';
import type { PageError } from '../page.ts';
import { throughProxy } from '../proxy.ts';
import { followRefresh, refreshOf } from './followRefresh.ts';
import { defaultTimeout, type RequestSettings } from '../requestSettings.ts';
import {
	bringsErrorPage,
	isEmptyAnswer,
	isInterrupted,
	isTimeout,
	EndlessPages,
} from './failures.ts';
import { withoutFragment } from '../../text/withoutFragment.ts';
import { AskedData } from './askedData.ts';
import type { AwaitedPage } from './awaitedPage.ts';
import { BehindForms } from './behindForms.ts';
import type { IsolatedWorld } from './isolatedWorld.ts';
import { dataTimeout } from './laterWork.ts';
import { isLasting, isMedia } from './lastingRequest.ts';
import { LateAnswers } from './lateAnswers.ts';
import { lookAt, type Look } from './lookAt.ts';
import { Navigations } from './navigations.ts';
import { failedPage, latePage, refusalOf } from './pageAnswer.ts';
import type { Arrival } from './pulse.ts';
import { LedElsewhere, type HowToOpen, type Led, type Redirects } from './redirects.ts';
import { onRequestEnd } from './requestEnds.ts';
import { areOfSameSite, isStream } from './requestKinds.ts';
import { Rest, settleTimeout, typingTime } from './rest.ts';

/** Pages that one action may open, one after the other: each may lead on to the next by itself. */
const maxPages = 10;

/** Watches what a tab asks for, to tell when a page has done what an action set off. */
export class Network {
	readonly #tab: Tab;
	readonly #world: IsolatedWorld;
	readonly #awaited: AwaitedPage;
	/** Milliseconds for the document of another page to load. */
	readonly #loadTimeout: number;
	readonly #proxy: string | undefined;
	readonly #signal: AbortSignal;
	readonly #redirects: Redirects;
	readonly #rest: Rest;
	readonly #lateAnswers: LateAnswers;
	/** The data that was asked for since the last action. */
	readonly data: AskedData;
	/** What the action has set off so far. */
	readonly navigations = new Navigations();
	/** Where the action found the tab. */
	#from = '';
	#pages = 0;
	#behindForms = new BehindForms();
	/** Whether a step before the action has sent anything that may have been counted. */
	#hasSent = false;
	/**
	 * Whether a page has failed in the tab. Chromium shows a page of its own about that, sooner or later: it
	 * may even come in place of a page that is asked for next, so none should be.
	 */
	hasFailed = false;
	/** Whether the page that came last is one: none may have come yet, and a refusal is none. */
	hasAccepted = false;
	/** Whether a page has shown a message: one message after the other may keep another page from coming. */
	hasSpoken = false;
	/** Whether the open page was still coming when its time was over. */
	isCut = false;
	/** Whether the page has opened a connection that lasts. */
	#hasConnection = false;

	constructor(
		tab: Tab,
		world: IsolatedWorld,
		awaited: AwaitedPage,
		{
			settings,
			signal,
			redirects,
		}: { settings: RequestSettings; signal: AbortSignal; redirects: Redirects },
	) {
		const { timeout = defaultTimeout, proxy } = settings;
		[this.#tab, this.#world, this.#awaited] = [tab, world, awaited];
		this.#rest = new Rest(world, signal);
		this.#lateAnswers = new LateAnswers(world, this.#rest, signal);
		this.data = new AskedData(this.#rest, tab);
		this.#proxy = proxy;
		this.#loadTimeout = timeout;
		this.#signal = signal;
		this.#redirects = redirects;
		tab.on('request', (request) => this.#begun(request));
		tab.on('response', (response) => {
			if (response.request() === this.navigations.last?.request) this.data.leave();
			this.data.answered(response, throughProxy(proxy));
		});
		onRequestEnd(tab, (request, isUnread) => void this.#ended(request, isUnread));
		tab.on('websocket', (socket) => this.data.watch(socket));
		tab.on('websocket', () => (this.#hasConnection = true));
		tab.on('dialog', (dialog) => {
			this.hasSpoken = true;
			const answered = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss();
			void answered.catch(() => undefined);
		});
		tab.on('domcontentloaded', () => this.#rest.hasCome({ isNew: true }));
	}

	/** Opens an address in the tab, and waits until its page is quiet. Throws as `settleAfter` does. */
	async open(url: string, arrival: Arrival, { mayStay, mayLead, referer }: HowToOpen) {
		const goTo = async (address: string) => {
			// To Playwright, 0 is no limit.
			const timeout = Math.max(arrival.deadline - performance.now(), 1);
			const arriving = { waitUntil: 'commit', timeout, referer } as const;
			await this.#tab.goto(address, arriving).catch((error: unknown) => {
				throw isTimeout(error) || this.#awaited.late !== undefined
					? latePage(url, this.#loadTimeout)
					: error;
			});
		};
		try {
			await this.settleAfter(async () => {
				if (!mayStay && url.includes('#')) await goTo('about:blank');
				const open = () => goTo(url);
				if (!mayLead || this.#hasProxyUser) await open();
				else await this.#redirects.upToAnotherHost(url, open);
				arrival.hasCome = true;
			}, arrival.deadline);
		} catch (error) {
			if (!(error instanceof LedElsewhere)) throw error;
			mayLead?.(error.to);
		} finally {
			this.#redirects.rest();
		}
	}

	/** Has a page that is to be kept stay, whatever `act` does there: resolves to where that leads to. */
	async instead(act: () => Promise<void>, isToBeKept: boolean): Promise<Led | undefined> {
		if (!isToBeKept || this.#hasProxyUser) return act().then(() => undefined);
		return this.#redirects.instead(this.#tab.url(), act).finally(() => this.#redirects.rest());
	}

	/** An action begins: what follows belongs to that. */
	act = (): void => this.#rest.act();

	/**
	 * Does something on the page and waits until the page is quiet, up to `deadline`. Resolves to true if
	 * that opened another page; throws a PageError if the other page failed. Images, scripts and the like
	 * that do not answer are no failure: the page is as it is without them. So it is without what has not
	 * come of its document.
	 */
	async settleAfter(action: () => Promise<unknown>, deadline?: number): Promise<boolean> {
		this.navigations.begin();
		this.#behindForms = new BehindForms();
		this.#from = withoutFragment(this.#tab.url());
		this.act();
		this.data.begin();
		try {
			return await this.#expecting(() => this.#doneBy(action), deadline);
		} finally {
			const isStep = deadline === undefined;
			this.#hasSent ||= isStep && this.data.sentTo(this.#tab) !== undefined;
		}
	}

	async #doneBy(action: () => Promise<unknown>): Promise<boolean> {
		try {
			await action();
		} catch (error) {
			this.hasFailed ||= bringsErrorPage(String(error)) || isInterrupted(error);
			const isRefused = this.navigations.last?.failure !== undefined;
			if (!isRefused || !(await this.#isAskedAgain())) {
				if (isEmptyAnswer(String(error))) await this.#checkPage();
				throw error;
			}
		}
		return this.#settle({ untilAnswered: true });
	}

	/** The same for typing, the end of which a page may wait for before it does anything. */
	settleAfterTyping(action: () => Promise<unknown>): Promise<boolean> {
		return this.#rest.with(typingTime, () => this.settleAfter(action));
	}

	/** The same for what an action has set off later; `untilAnswered`: and for data that it is asking for. */
	settle({ untilAnswered = false } = {}): Promise<boolean> {
		return this.#expecting(() => this.#settle({ untilAnswered }));
	}

	async #expecting(work: () => Promise<boolean>, deadline?: number): Promise<boolean> {
		this.#pages = 0;
		this.#awaited.expect(deadline);
		try {
			return await work();
		} finally {
			// A page that comes later has a time of its own.
			this.#awaited.expect();
		}
	}

	/** `waitedFor`: the kinds of data that was waited for. */
	async #settle({ untilAnswered = false, waitedFor = new Set<string>() } = {}): Promise<boolean> {
		this.#rest.begin();
		await this.#rest.come(
			() => this.#now,
			(look) => this.#isSentOn(look),
		);
		if (untilAnswered && (await this.#hasAnswered(waitedFor))) {
			// What has come may say what to ask for next.
			return this.#settle({ untilAnswered, waitedFor });
		}
		if (untilAnswered && this.#lateAnswers.areToCome) {
			const isOver = this.#isOver(this.#rest.since + dataTimeout);
			return this.#lateAnswers.come(isOver, () => this.#settle({ untilAnswered, waitedFor }));
		}
		this.#awaited.callOff();
		const hasBegun = await this.#stopLoading();
		if (await this.#isAskedAgain()) return this.#settle({ untilAnswered, waitedFor });
		const isOther = await this.#checkNavigation();
		if (!hasBegun) throw latePage(this.#tab.url(), this.#loadTimeout);
		return isOther;
	}

	/** Whether a page behind something that was sent was not to be had for now, and was asked for again. */
	async #isAskedAgain(): Promise<boolean> {
		const page = this.navigations.last;
		if (page?.request.method() !== 'GET') return false;
		if (!this.#hasSent && !this.data.sentTo(page.request)) return false;
		const timeLeft = () => {
			this.#awaited.expect();
			return this.#left;
		};
		const why = await this.#refusal();
		return this.#behindForms.askAgain(this.#tab, page, { why, timeLeft, signal: this.#signal });
	}

	/**
	 * Waits for data that was asked for: by an action on the open page as long as for another one, since until then
	 * it is as it was before; by another page for less, and of its own site.
	 */
	#hasAnswered(waitedFor: Set<string>): Promise<boolean> {
		const isOther = this.hasOpened;
		// What is under way when the page has had its time for what follows has some, too.
		const latest = Math.max(this.#rest.since + dataTimeout, performance.now() + settleTimeout);
		const isOver = this.#isOver(isOther || this.data.isStreaming ? latest : Infinity);
		const host = isOther ? URL.parse(this.#tab.url())?.hostname : undefined;
		return this.data.settled(isOver, { host, waitedFor, signal: this.#signal });
	}

	/** Whether it is that time, the deadline has come, or another page, or none is there any more. */
	#isOver(end: number): () => boolean {
		const pages = this.#pages;
		return () =>
			this.#pages > pages || this.#left <= 0 || performance.now() >= end || this.#tab.isClosed();
	}

	/** Of a document that is still coming, what is there by now is read; resolves to false if nothing is. */
	async #stopLoading(): Promise<boolean> {
		if (!this.isLoading || !this.navigations.last) return true;
		const { hasBegun } = await lookAt(this.#world);
		this.navigations.last.isStopped = this.isCut = true;
		this.#world.stopLoading();
		return hasBegun;
	}

	/** The page is as good as none: the site has refused what it is made of. */
	refuse = (): void => void (this.hasAccepted = false);

	/** Whether the last action opened a page. */
	get hasOpened(): boolean {
		return this.navigations.last !== undefined;
	}

	/** Whether that is the one that was there. */
	get hasOpenedAnew(): boolean {
		return this.navigations.openedByAddress && withoutFragment(this.#tab.url()) === this.#from;
	}

	/** Then Playwright holds requests up itself, to say who asks: held up twice, the proxy hears of nobody. */
	get #hasProxyUser(): boolean {
		return this.#proxy !== undefined && new URL(this.#proxy).username !== '';
	}

	/** Milliseconds that are left up to the deadline. */
	get #left(): number {
		return this.#awaited.deadline - performance.now();
	}

	get #now() {
		const isOver =
			this.#pages > maxPages || this.#tab.isClosed() || this.navigations.failure !== undefined;
		const { isLoading, isLive } = this;
		return { isOver, isLoading, isLive, isStep: !this.hasOpened, left: this.#left };
	}

	/** Waits for the page that one which has been opened sends its reader on to; false if there is none. */
	async #isSentOn(look: Look): Promise<boolean> {
		const response = await this.navigations.last?.request.response();
		const refresh = response && refreshOf(this.#tab.url(), response, look);
		if (!refresh) return false;
		const pages = this.#pages;
		const isGone = () => this.#pages > pages || this.#tab.isClosed();
		const time = { isGone, end: this.#awaited.deadline, signal: this.#signal };
		await followRefresh(this.#tab, refresh, time);
		return isGone();
	}

	/** Whether something else than the document may bring news, as workers and open connections do. */
	get isLive(): boolean {
		return this.#hasConnection || this.#tab.workers().length > 0;
	}

	/** Whether it still asks for more, as a search goes on, though its time for that is over. */
	goesOn = (): boolean => this.#rest.goesOn;

	/** Whether the document changes all the time, as one with a carousel does. */
	get isRestless(): boolean {
		return this.#rest.isRestless;
	}

	/** Whether another page is on its way; what is still to come of one that was stopped is waited for no more. */
	get isLoading(): boolean {
		const { request, isStopped } = this.navigations.last ?? {};
		return request !== undefined && !isStopped && this.#rest.isUnderWay(request);
	}

	async #checkNavigation(): Promise<boolean> {
		if (this.#pages > maxPages) {
			throw new EndlessPages(
				`${this.#tab.url()} was given up: more than ${maxPages} pages in a row opened another one.`,
				{ url: this.#tab.url() },
			);
		}
		if (this.#awaited.late !== undefined) throw latePage(this.#awaited.late, this.#loadTimeout);
		if (!this.hasOpened) return false;
		await this.#checkPage();
		this.hasAccepted = true;
		return true;
	}

	/** Throws a PageError if what has come for a page is none. */
	async #checkPage(): Promise<void> {
		const refusal = await this.#refusal();
		if (!refusal) return;
		this.hasAccepted = false;
		throw refusal;
	}

	/** Why the page that was opened last is none: its request has failed, or its status says so. */
	async #refusal(): Promise<PageError | undefined> {
		const request = this.navigations.last?.request;
		const failure = this.navigations.failure;
		if (request && failure !== undefined) return failedPage(request.url(), failure, this.#proxy);
		return request && refusalOf(request, this.#proxy);
	}

	#begun(request: Request): void {
		if (isLasting(request) && !(isStream(request) && !this.hasOpened)) {
			this.#hasConnection = true;
			if (isMedia(request)) void this.#rest.beginsToCome(request);
			return;
		}
		if (request.isNavigationRequest() && request.frame() === this.#tab.mainFrame()) {
			if (request.redirectedFrom() === null) this.#pages += 1;
			this.isCut = this.#hasConnection = false;
			this.navigations.begun(request, this.#behindForms.originOf(request));
		}
		if (this.data.isEndless(request)) this.#hasConnection = true;
		else this.#rest.asked(request);
		this.data.asked(request);
	}

	async #ended(request: Request, isUnread: boolean): Promise<void> {
		const judged = isUnread ? undefined : this.data.judged(request);
		if (judged) await judged;
		const isData = this.data.awaits([request]);
		const isOwn = isData && (!this.hasOpened || areOfSameSite(request, this.#tab));
		this.data.ended(request, isUnread);
		if (!this.#rest.ended(request, isData, isOwn)) return;
		const navigation = this.navigations.of(request);
		if (!navigation || navigation.isStopped) return;
		this.#rest.hasCome();
		const failure = this.navigations.ended(navigation);
		if (failure) this.hasFailed ||= bringsErrorPage(failure);
	}
}
