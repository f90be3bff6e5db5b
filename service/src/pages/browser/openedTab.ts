import type { Cookie, Page as Tab } from 'playwright-core';
import { defaultTimeout, type RequestSettings } from '../requestSettings.ts';
import { AwaitedPage } from './awaitedPage.ts';
import { Elements } from './elements.ts';
import { hungBrowser, isAborted, isOfBrowser, isOwnFault, type Gone } from './failures.ts';
import type { Found, Wanted } from './findInPage.ts';
import { Chance, Chances } from './chance.ts';
import { FloodGate } from './flood.ts';
import { Hangs } from './hangs.ts';
import { ledNowhere } from './pageAnswer.ts';
import {
	PageError,
	type AskedPresence,
	type Entered,
	type Missing,
	type Presence,
} from '../page.ts';
import { IsolatedWorld } from './isolatedWorld.ts';
import { endBrowser } from './memoryBound.ts';
import { Network } from './network.ts';
import { openOnlyTab } from './onlyTab.ts';
import { OpenedDocument } from './openedDocument.ts';
import { NoAnswer, Pulse, type Arrival } from './pulse.ts';
import { comesIntoSight } from './readThroughout.ts';
import { Redirects, type HowToOpen } from './redirects.ts';
import { sendSecrets } from './secretHeaders.ts';
import { within } from './within.ts';

/** Milliseconds for an element to come that scripts may still be making. */
export const elementTimeout = 5_000;
/** Documents after which what is left of them is thrown away. */
const maxGarbage = 50;
/** Milliseconds for a tab to open beside one that is there. */
const openTimeout = 10_000;
/** Milliseconds for a tab to be closed, which takes some when its page is busy; it goes on behind that. */
const closeTimeout = 10_000;

/** Milliseconds for the end of a browser to be known, once that of one of its pages is. */
const endTime = 500;
/** Of data that its site has. */
const isThere = { isRefused: false, isElsewhere: false, isBarred: false, isGone: false };

/** A tab of the browser, in a context of its own, with what watches it. */
export class OpenedTab {
	readonly tab: Tab;
	readonly world: IsolatedWorld;
	readonly pulse: Pulse;
	readonly network: Network;
	readonly document: OpenedDocument;
	readonly elements: Elements;
	/** Of its browser. */
	readonly #hangs: Hangs;
	readonly #signal: AbortSignal;
	readonly #gate: FloodGate;
	readonly #awaited: AwaitedPage;
	#isGivenUp = false;
	/** Whether its page, given up for its data, would come again as it is now. */
	mayComeAgain = (): boolean => true;

	/** That what a step does comes, though nothing says so. */
	readonly steps = new Chance();
	/** That what a page has not brought comes once it comes into sight, by site and what is looked for. */
	readonly unseen = new Chances();
	/** How many have come in it. */
	#documents = 0;
	/** Where the mouse is, from the left. */
	#mouse = 1;

	private constructor(
		tab: Tab,
		world: IsolatedWorld,
		{
			settings,
			signal,
			hangs,
			redirects,
		}: { settings: RequestSettings; signal: AbortSignal; hangs: Hangs; redirects: Redirects },
	) {
		this.tab = tab;
		this.#hangs = hangs;
		this.#signal = signal;
		this.#gate = new FloodGate(tab, () => this.giveUp());
		this.world = world;
		const { timeout = defaultTimeout } = settings;
		const awaited = new AwaitedPage(tab, world, timeout);
		this.#awaited = awaited;
		this.pulse = new Pulse(tab, world, {
			timeout,
			isAwaiting: () => awaited.isThere,
			watchWork: () => hangs.watchWork(),
		});
		this.network = new Network(tab, world, awaited, { settings, signal, redirects });
		this.document = new OpenedDocument(tab);
		this.elements = new Elements(tab, world, {
			timeout: elementTimeout,
			signal,
			atRest: () => this.network.settle({ untilAnswered: true }),
			isRestless: () => this.network.isRestless,
			isAsking: () => this.network.data.isUnderWay(this.#host),
			goesOn: () => this.network.goesOn(),
			longTimeout: timeout,
		});
		tab.once('crash', () => this.giveUp());
		tab.on('domcontentloaded', () => void this.#move());
		tab.on('domcontentloaded', () => void this.#collectGarbage());
	}

	/**
	 * Of a tab that has opened nothing yet; undefined if it does not answer, as in the process of a
	 * page that hangs.
	 */
	static async of(
		tab: Tab,
		settings: RequestSettings,
		signal: AbortSignal,
	): Promise<OpenedTab | undefined> {
		const chromium = tab.context().browser();
		if (!chromium) throw new Error('The browser is gone.');
		const watching = Promise.all([
			IsolatedWorld.of(tab),
			Hangs.of(chromium),
			Redirects.of(tab),
			sendSecrets(tab, settings),
		]);
		const watched = await within(openTimeout, watching);
		if (!watched) return undefined;
		const [world, hangs, redirects] = watched;
		return new OpenedTab(tab, world, { settings, signal, hangs, redirects });
	}

	/**
	 * As `Pulse.during` does, as long as the page does not flood the browser. What fails because the browser hangs is no
	 * failure of the page: that is tried again. `arrival`: of another page.
	 */
	async during<Result>(work: () => Promise<Result>, arrival?: Arrival): Promise<Result> {
		if (arrival) this.#gate.reset();
		const [isHung, floodOf] = [this.#hangs.watch(), this.#gate.watch()];
		try {
			const result = await Promise.race([this.#gate.flood, this.pulse.during(work, arrival)]);
			this.#checkAddress();
			return result;
		} catch (error) {
			if (this.#signal.aborted || isOwnFault(error)) throw error;
			const hasHung = await isHung();
			// On a busy machine, what a page tells may keep it busy itself, before it does the browser.
			const isBusy = error instanceof NoAnswer && (arrival?.hasCome ?? true);
			const failure = hasHung || isBusy ? floodOf() : undefined;
			if (hasHung || failure) this.giveUp();
			throw failure ?? (hasHung ? hungBrowser(error) : error);
		}
	}

	/** Throws a PageError where the browser shows a page of its own, as for an address that it opens for no site. */
	#checkAddress(): void {
		// Before there is any, a tab is at an address of its browser, too, as while a redirect is followed.
		if (!this.network.hasAccepted || !isOfBrowser(this.tab.url())) return;
		this.network.hasFailed = true;
		throw ledNowhere(this.network.navigations.askedAddress);
	}

	/** There are sites whose scripts wait until somebody moves: not to where the mouse is. */
	async #move(): Promise<void> {
		this.#mouse = 3 - this.#mouse;
		await this.tab.mouse.move(this.#mouse, 200).catch(() => undefined);
	}

	/** By itself Chromium keeps what is left of each page, a megabyte or more, until the machine has no room. */
	async #collectGarbage(): Promise<void> {
		this.#documents += 1;
		if (this.#documents % maxGarbage === 0) await this.tab.requestGC().catch(() => undefined);
	}

	/** By a script, or with its browser. */
	get isClosed(): boolean {
		return this.tab.isClosed();
	}

	/** Whether a failure is that it is gone, or the process in which its next page was to come; or its whole browser is. */
	async goneBy(failure: unknown): Promise<Gone> {
		if (failure instanceof PageError) return undefined;
		const said = String(failure);
		const isGone = this.isClosed || (isAborted(said) && !this.#awaited.isAnswered);
		if (!isGone && !said.includes('has been closed')) return undefined;
		const chromium = this.tab.context().browser();
		// That is known a moment after the end of its pages.
		const ended = new Promise((resolve) => chromium?.once('disconnected', () => resolve(true)));
		const isEnded = !chromium?.isConnected() || (await within(endTime, ended)) === true;
		return isEnded ? 'browser' : 'page';
	}

	/** Whether its page is still there. */
	get isUsable(): boolean {
		return !this.isClosed && !this.#isGivenUp && !this.network.hasFailed;
	}

	/** Whether its page is one that was asked for, and no refusal. */
	get isOpen(): boolean {
		return this.isUsable && this.network.hasAccepted;
	}

	/** Whether another page can come here. */
	get takesAnother(): boolean {
		return this.isUsable && !this.network.hasSpoken;
	}

	/** As `Elements.find` does; throws as `checkData` does where nothing is found. */
	async find(scope: Entered[], wanted: Partial<Wanted>): Promise<Found> {
		const found = await this.elements.find(scope, wanted);
		const { selector = 'that the loop item is' } = wanted;
		if (found.count === 0) this.checkData(`The page has no element ${selector}.`);
		return found;
	}

	/**
	 * Opens an address, as `Network.open` does. A document that stays, as where only the fragment is another one, and does not
	 * get its data for that may say what it did: it comes anew.
	 */
	async open(url: string, arrival: Arrival, how: HowToOpen): Promise<void> {
		await this.network.open(url, arrival, how);
		const { hasOpened, data } = this.network;
		if (hasOpened || how.mayStay !== true) return;
		const missing = data.missing(this.tab, { beforeLeft: false });
		if (missing ?? (await data.saidError(this.#host)))
			await this.network.open(url, arrival, { ...how, mayStay: false });
	}

	/** Something was read of its page. */
	noteRead(): void {
		this.network.data.noteRead(this.#host);
	}

	/** Whether there is such an element, once there is one, also far down the page; false if none comes. */
	async has(scope: Entered[], selector: string): Promise<boolean> {
		const { count } = await this.find(scope, { selector });
		return count > 0 || comesIntoSight(this, scope, selector);
	}

	/** As that of its elements; where scripts may make one far down, that is scrolled to. */
	async presence(scope: Entered[], selector: string, how: AskedPresence = {}): Promise<Presence> {
		const presence = await this.elements.presence(scope, selector, how);
		const isLooked = presence === 'missing' && how.mayBeFarDown === true;
		if (!isLooked || !(await comesIntoSight(this, scope, selector))) return presence;
		return this.elements.presence(scope, selector, how);
	}

	/**
	 * Something lacks on the page. Throws a PageError that says so where its site has refused data: then the page
	 * is to be asked for again, if that brings it as it is.
	 */
	checkData(lack: string): void {
		try {
			this.network.data.check(lack, { host: this.#host });
		} catch (error) {
			throw this.givenUpFor(error);
		}
	}

	/**
	 * The same behind a click, where data has failed to come, or says itself that it failed. A page that still shows what it
	 * did stays as it is.
	 */
	async checkAnswers(lack: string, { isWhole }: { isWhole: boolean }): Promise<void> {
		try {
			this.network.data.check(lack, { isLost: !isWhole });
			const said = await this.network.data.saidError(this.#host);
			if (said) throw new PageError(`${lack} ${said.reason}`, { outage: said.outage });
		} catch (error) {
			throw isWhole ? error : this.givenUpFor(error);
		}
	}

	/** What is thrown in the place of that: the page is as good as none, and comes anew if it may. */
	givenUpFor(error: unknown): unknown {
		if (error instanceof PageError && !this.mayComeAgain()) return new PageError(error.message);
		this.network.refuse();
		return error;
	}

	/** Why the list lacked something when it was scrolled last, where that may be had. */
	lackOfList: unknown;
	/** To have the page come anew for that. */
	readonly newList = new Chance(3);

	/** See `Page.saidError`. */
	async saidError(): Promise<string | undefined> {
		if (!this.network.hasOpened) return undefined;
		return (await this.network.data.saidError(this.#host))?.reason;
	}

	get #host(): string {
		return URL.parse(this.tab.url())?.hostname ?? '';
	}

	/** When it was asked last what a step lacks, by the monotonic clock. */
	#askedAt = 0;

	/** See `Page.lack`. */
	lack(): string | undefined {
		if (this.network.isCut) {
			return 'it was still coming when its time ("timeout") was over: what had come by then was read';
		}
		// Of a step on the open page, who does it has asked: what came into sight since, or by a scroll, lacks what it asks for.
		const since = this.network.hasOpened ? undefined : this.#askedAt;
		return this.network.data.lack(this.#host, since);
	}

	/** See `Page.missing`. */
	async missing({ isInVain } = { isInVain: false }): Promise<Missing | undefined> {
		const { hasOpened, hasOpenedAnew, data } = this.network;
		this.#askedAt = performance.now();
		if (hasOpened && !hasOpenedAnew) return undefined;
		const notCome = data.missing(this.tab, { beforeLeft: hasOpenedAnew });
		const said = notCome || !isInVain ? undefined : await data.saidError(this.#host);
		const missing = notCome ?? (said && { ...said, ...isThere });
		// A page that does not get its data may open itself anew for that, or where it can do nothing with it.
		if (hasOpenedAnew && !missing?.isRefused) return this.#unused();
		if (!missing) return undefined;
		const { reason, outage, ...kind } = missing;
		const failure = (mayTryAgain: boolean) => {
			const message = `The step has not brought all that it asked for. ${reason}`;
			if (!mayTryAgain) return new PageError(message);
			this.network.refuse();
			return new PageError(message, { outage });
		};
		const isSaid = said !== undefined;
		return { reason, ...kind, isSaid, isOpenedAnew: hasOpenedAnew, failure };
	}

	#unused(): Missing | undefined {
		const data = this.network.data.leftWith(this.#host);
		if (data === undefined) return undefined;
		const reason = `The page has opened itself anew behind the answer of ${data}: what steps have made of it is gone.`;
		const failure = () => new PageError(reason);
		return { reason, ...isThere, isSaid: false, isOpenedAnew: true, failure };
	}

	/** Opens another tab in its place, unless it is `kept` with others, with the same cookies, if its browser can. */
	async replace(kept: OpenedTab[]): Promise<Tab | undefined> {
		const opening = openOnlyTab(
			this.tab.context(),
			kept.map(({ tab }) => tab),
		);
		return within(
			openTimeout,
			opening.catch(() => undefined),
		);
	}

	/** Undefined where the browser does not say. */
	async hasCookies(): Promise<boolean | undefined> {
		const cookies = await this.cookies();
		return cookies && cookies.length > 0;
	}

	/** Those that sites have set; undefined where the browser does not say. */
	async cookies(): Promise<Cookie[] | undefined> {
		const cookies = this.tab.context().cookies();
		return within(
			openTimeout,
			cookies.catch(() => undefined),
		);
	}

	/**
	 * The next page comes in another tab. Chromium ends the process of this one: at once, or where a script
	 * keeps it busy, after half a second; or not, where the page keeps Chromium itself busy. Then that ends, or the page
	 * would go on, and the others wait.
	 */
	giveUp(): void {
		if (this.#isGivenUp) return;
		this.#isGivenUp = true;
		const closing = this.tab.close().catch(() => undefined);
		const isClosed = within(
			closeTimeout,
			closing.then(() => true),
		);
		void isClosed.then(async (isGone) => {
			const chromium = this.tab.context().browser();
			if (!isGone && chromium && !(await this.#hangs.isOver())) endBrowser(chromium);
		});
	}

	/** Closes it with all that belongs to it. A browser that crashed has nothing left to close. */
	async close(): Promise<void> {
		const closing = this.tab.context().close();
		await within(
			closeTimeout,
			closing.catch(() => undefined),
		);
	}
}
