import { setTimeout as sleep } from 'node:timers/promises';
import { asksPassword } from './asksPassword.ts';
import type { Browser } from './browser.ts';
import type { Elements, Used } from './elements.ts';
import { EndlessPages, isInterrupted, pageErrorOf } from './failures.ts';
import { haveAddedUp } from './choices.ts';
import { fingerprintIn } from './fingerprintIn.ts';
import type { HandedElement } from './handedElement.ts';
import { snapshotOf } from './htmlOf.ts';
import { documentIn, standsFor, type KnownDocument } from './knownDocument.ts';
import type { OpenedTab } from './openedTab.ts';
import { backIn, enteredFor, inEntered, type WorkInside } from './leftEntry.ts';
import { isMadeHere, isToBeKept, moved, openAgain, unused, usedLater } from './pageUse.ts';
import type { PageUse, UsedBefore } from './pageUse.ts';
import { NoAnswer, type Arrival } from './pulse.ts';
import { press } from './press.ts';
import { findThroughout, onceInSight } from './readThroughout.ts';
import { limitsOf, type Limits } from './readiness.ts';
import {
	PageError,
	selectorsOf,
	type Bookmark,
	type Entered,
	type HowToRead,
	type LookAtPage,
	type MayAsk,
	type Page,
	type ReadRow,
	type Reading,
	type Restoration,
	type Selectors,
	type Switched,
	type TypedText,
} from '../page.ts';
import type { RequestSettings } from '../requestSettings.ts';
import { scrollBack, untilNew } from './scrollOn.ts';
import { byHosts, type HowToOpen } from './redirects.ts';
import { submitFrom } from './sendForm.ts';
import { leaveIn, notDoneYet, typeAgain, typeInto, undoAllBut, type Typed } from './typeInto.ts';
import { linkOf, textOf } from './linkOf.ts';
import { storesNothing } from './storesNothing.ts';
import { Tabs } from './tabs.ts';
import { rowsOf, rowsWantedBy } from './wantedBy.ts';
import type { Fingerprint } from '../seenPages.ts';

/** Milliseconds between two looks at what scripts make. */
const interval = 100;

/** A page in a browser, with its scripts. `signal` closes it whatever it is doing. */
export class BrowserPage implements Page {
	readonly #tabs: Tabs;
	readonly #settings: RequestSettings;
	readonly #limits: Limits;
	readonly #signal: AbortSignal;
	/** For what scripts make: milliseconds for data that is on its way, and what waits until the next look. */
	readonly #patience: { timeout: number; rest: () => Promise<void> };
	/** The document that was accepted last: where a site has refused one since, it is open no more. */
	#last: KnownDocument | undefined;
	/** The tab whose document has gone, where that was thrown as a failure. */
	#lost: OpenedTab | undefined;
	#use = unused();
	isRestored = false;

	constructor(browser: Browser, settings: RequestSettings, signal: AbortSignal) {
		[this.#settings, this.#signal, this.#limits] = [settings, signal, limitsOf(settings)];
		const rest = () => sleep(interval, undefined, { signal });
		this.#patience = { timeout: this.#limits.page, rest };
		this.#tabs = new Tabs(browser, settings, signal);
		signal.addEventListener('abort', () => void this.close());
	}

	open(url: string, mayAsk?: MayAsk, how: HowToOpen = {}): Promise<void> {
		if (this.#isToBeKept(url)) this.#tabs.keep(this.#lastDocument(), this.#use);
		return byHosts(url, mayAsk, (at, mayLead) => this.#load(at, { ...how, mayLead }));
	}

	/**
	 * A page that is left may keep the next from coming for ever: then that comes in another tab. `how`: as `Network.open`
	 * has it.
	 */
	async #load(url: string, how: HowToOpen): Promise<void> {
		const arrival = { url, deadline: performance.now() + this.#limits.page, hasCome: false };
		const open = () =>
			this.#onPage(async (opened) => {
				this.#leave(opened);
				await opened.open(url, arrival, how);
			}, arrival);
		try {
			await open();
		} catch (error) {
			if (arrival.hasCome || !(error instanceof NoAnswer || isInterrupted(error))) throw error;
			await open();
		}
	}

	async inputText(selector: string, text: string): Promise<TypedText> {
		const entered = await this.#inside([selector], (_, within) => Promise.resolve(within));
		const typed = notDoneYet(async (now) => {
			await this.#onPage((opened) => {
				const use = () =>
					opened.elements.use(entered, { selector }, async (field) => {
						Object.assign(now, await typeInto(field, text, selector));
						this.#use.typed.push(now);
					});
				// Scripts may do anything on a text, too: look for it, or open what was chosen.
				return this.#follow(opened, () => opened.network.settleAfterTyping(use));
			});
		});
		await typed.redo();
		return typed;
	}

	leaveField = (selector: string): Promise<void> =>
		this.#onPage((opened) => this.#leadOn(opened, { selector }, leaveIn));

	submit(selector: string): Promise<string | undefined> {
		return this.#onPage(async (opened) => {
			const send = (field: HandedElement) => submitFrom(field, this.#limits);
			const lack = await this.#leadOn(opened, { selector }, send);
			const { hasOpened, data } = opened.network;
			return hasOpened || !data.resume() ? undefined : lack?.();
		});
	}

	async click(selector?: string, waitFor?: string, mayAsk?: MayAsk): Promise<Switched> {
		const address = await this.leadsTo(selector);
		const { led, switched } =
			address === undefined
				? await this.#onPage((opened) => this.#press(opened, selector))
				: { led: { to: address } };
		if (led) await this.open(led.to, mayAsk, { referer: led.referer });
		if (waitFor !== undefined && !(await this.#onPage((opened) => opened.has([], waitFor))))
			throw new PageError(`The page has no element ${waitFor}.`);
		return switched;
	}

	askedAddress = () => this.#opened?.network.navigations.askedAddress;

	missing = async (how?: { isInVain: boolean }) => this.#opened?.missing(how);

	asked = () => this.#opened?.network.data.onStep(this.#opened.tab);

	choicesAddUp = () => this.#onPage(haveAddedUp);

	/** Scripts may do anything on a click, but on what nobody can click. */
	async leadsTo(selector?: string): Promise<string | undefined> {
		if (!this.#opened) return undefined;
		return this.#onPage(({ elements }) => elements.unseenLink(this.#use.entered, selector));
	}

	has = (selector: string) =>
		this.#inside([selector], (opened, entered) => opened.has(entered, selector));

	presence: Page['presence'] = (selector, how) =>
		this.#inside([selector], (opened, entered) => opened.presence(entered, selector, how));

	elements(selector: string, how?: HowToRead): Promise<Entered[]> {
		return this.#inside([selector], async (opened, entered) => {
			const wanted = { selector, begins: true, ...how };
			const { marks = [], toCome } = await findThroughout(opened, entered, wanted);
			this.#use.toCome = toCome;
			return marks.map((mark, index) => ({ selector, index, mark }));
		});
	}

	/** Whether it is there is seen when it is used. */
	enter = (element: Entered) => void (this.#use.entered = [...this.#use.entered, element]);

	address = () => this.#lastDocument()?.now?.url ?? '';

	lack = () => this.#opened?.lack();

	goesOn = () => this.#opened?.network.goesOn() === true;

	documentEnd = async () => this.#opened?.document.end();

	saidError = async () => this.#opened?.saidError();

	/** What was read of the page counts, whatever becomes of it meanwhile. */
	asksPassword = () => this.#onPage(asksPassword).catch(() => false);

	async isUnknown(): Promise<boolean> {
		if ((await this.#opened?.hasCookies()) !== false) return false;
		return !this.#isOpen() || this.#onPage(storesNothing).catch(() => false);
	}

	enteredLink = () => this.#onEntered((elements) => linkOf(elements, this.#use.entered));

	enteredText = () => this.#onEntered((elements) => textOf(elements, this.#use.entered));

	/** All is read at one moment, because scripts may change the page. */
	async *read(...[selector, fields, how]: Parameters<Page['read']>): AsyncIterable<ReadRow[]> {
		const reading = { selector, fields };
		const found = await this.#inside(selectorsOf(reading), (opened, entered) =>
			findThroughout(opened, entered, { ...rowsWantedBy(reading, entered), ...how }),
		);
		[this.#use.places, this.#use.toCome] = [found.places, found.toCome];
		yield* rowsOf(found, fields);
	}

	places = () => this.#use.places ?? [];

	documentID = () => this.#lastDocument()?.now?.id;

	toCome = () => this.#use.toCome;

	scroll = (selector?: string, rows?: string) =>
		this.#onPage((opened) => untilNew(opened, { use: this.#use, selector, rows }, this.#patience));

	scrollBack = (selector?: string) =>
		this.#onPage((opened) => scrollBack(opened, { use: this.#use, selector }));

	/**
	 * The way back opens the address again if another document is open, or none, and types again what was
	 * typed. If not, what scripts have done stays, and what was typed or switched since goes.
	 */
	bookmark(as: UsedBefore = this.#use): Bookmark {
		const [document, use] = [this.#lastDocument(), { ...this.#use, ...as, typed: [...as.typed] }];
		const isLast = () => this.#lastDocument() === document;
		const isOpen = () => isLast() && this.#isOpen();
		const goBack = async (restoration?: Restoration) => {
			if (!document) return;
			if (!isOpen()) await this.#goBack(document, use, restoration);
			await this.#onPage(({ network }) => undoAllBut(use.typed, this.#use, network));
			await typeAgain(use.typed, () => this.#use);
			this.#signal.throwIfAborted();
			[this.#use.entered, this.#use.left] = [use.entered, use.left];
		};
		const now: Bookmark['now'] = (how) => this.bookmark(usedLater(use, this.#use, how));
		const reopen = () => openAgain(use, () => this.#use);
		const forget = () => void (document && (document.now = undefined));
		return { isAsOpened: !use.isPressed, isLast, isOpen, goBack, now, reopen, forget };
	}

	snapshot = () => this.#onPage(snapshotOf);

	async fingerprint(readings: Reading[], look: LookAtPage = {}): Promise<Fingerprint> {
		const now = await this.#inside(readings.flatMap(selectorsOf), (opened, scope) =>
			fingerprintIn(opened, { scope, readings, ...look }, this.#patience),
		);
		if (look.patience !== undefined && this.#opened?.network.hasOpened) this.#leave(this.#opened);
		return now;
	}

	close = () => this.#tabs.close();

	/**
	 * Everything that is asked of the page goes through here, in the tab of `opening` if that is to come
	 * there. What the browser throws is the page's failure, unless the agent was called off; a page that
	 * does not answer, or leads on without end, is given up with its tab.
	 */
	async #onPage<Result>(
		work: (opened: OpenedTab) => Promise<Result>,
		opening?: Arrival & { url: string },
	): Promise<Result> {
		try {
			const document = this.#lastDocument();
			const opened = await (opening ? this.#tabs.forAnother() : this.#openDocument(document));
			opened.mayComeAgain = () => !this.#use.isPressed || this.isRestored;
			return await opened.during(() => work(opened), opening);
		} catch (error) {
			this.#signal.throwIfAborted();
			if (error instanceof NoAnswer || error instanceof EndlessPages) this.#opened?.giveUp();
			this.#lost = this.#isOpen() ? undefined : this.#opened;
			if (error instanceof PageError && !error.outage) this.#opened?.checkData(error.message);
			const gone = this.#opened ? await this.#opened.goneBy(error) : 'browser';
			throw pageErrorOf(error, { url: opening?.url, proxy: this.#settings.proxy, gone });
		}
	}

	/** The same with the elements that these selectors count from. */
	#inside<Result>(selectors: Selectors, work: WorkInside<Result>): Promise<Result> {
		return this.#onPage((opened) => inEntered(opened, this.#use, { selectors, work }));
	}

	get #opened(): OpenedTab | undefined {
		return this.#tabs.open;
	}

	#isOpen = () => this.#opened?.isOpen ?? false;

	#isToBeKept = (to?: string) => this.#isOpen() && isToBeKept(this.#use, this.#lastDocument(), to);

	#lastDocument(): KnownDocument | undefined {
		return (this.#last = this.#opened?.isOpen ? documentIn(this.#opened, this.#last) : this.#last);
	}

	/** The tab with the document that is to be worked on: where that is gone, and this was said, it comes again. */
	async #openDocument(document: KnownDocument | undefined): Promise<OpenedTab> {
		if (document && !this.#isOpen() && this.#lost === this.#opened)
			await this.#goBack(document, this.#use);
		if (!document || !this.#opened) throw new PageError('No page was opened yet.');
		return this.#opened;
	}

	/**
	 * Another document takes the place of one that is open no more: that of its address, or, of one that a
	 * sent form has made, what is open there.
	 */
	async #goBack(document: KnownDocument, use: PageUse, restoration?: Restoration): Promise<void> {
		const { entered, left, typed } = use;
		const kept = this.#tabs.backTo(document);
		const isHere = this.#isOpen() && isMadeHere(use, document);
		if (kept || (isHere && (await this.#onPage((tab) => backIn(tab, this.#use, document))))) {
			this.#use = { ...(kept ?? use), entered, left, typed: [...(kept ?? use).typed] };
			this.#last = document;
			if (kept || !restoration) return;
			// Its scripts count from what was refused, wherever they say that they are.
			if (await restoration.isBack()) return void this.#opened?.network.data.resume();
		}
		const open = this.#isOpen() ? this.#lastDocument() : undefined;
		const isThere = async () => {
			if (!standsFor(open, document)) return false;
			this.#use.entered = entered;
			return (await restoration?.isThere()) ?? true;
		};
		if (!(await isThere())) {
			const isOther = open?.now?.id !== document.now?.id;
			// Until it is there, it is not to be taken for what is.
			document.now = undefined;
			await this.#load(document.address, { mayStay: open && !isOther });
			await typeAgain(typed, () => this.#use, restoration !== undefined);
			this.#use.entered = entered;
			await restoration?.restore();
		}
		document.now = this.#lastDocument()?.now;
		this.#last = document;
	}

	async #press(opened: OpenedTab, selector: string | undefined, again?: Typed) {
		let switched: (() => Promise<Switched>) | undefined;
		const { entered } = this.#use;
		const typed =
			again ??
			notDoneYet(async (each) => {
				this.#use.entered = entered;
				await this.#onPage((tab) => this.#press(tab, selector, each));
			});
		const click = (element: HandedElement) =>
			press(element, this.#use, { limits: this.#limits, typed });
		const act = async () => {
			switched = await this.#leadOn(opened, { selector, isClicked: true }, click);
		};
		const led = await opened.network.instead(act, this.#isToBeKept());
		if (led) this.#use.hasStayed = true;
		return { led, switched: await switched?.() };
	}

	/** Does something with an element that may bring another page, and waits for what comes of it. */
	async #leadOn<Result>(
		opened: OpenedTab,
		used: Used,
		work: (element: HandedElement) => Promise<Result>,
	): Promise<Result | undefined> {
		let result: Result | undefined;
		const use = async () => {
			const entered = await enteredFor(opened, this.#use, [used.selector]);
			result = await opened.elements.use(entered, used, work);
		};
		const act = () => this.#follow(opened, () => opened.network.settleAfter(use));
		await onceInSight(opened, used.selector, act);
		return result;
	}

	/** Takes note of another page where an action has brought one. */
	async #follow(opened: OpenedTab, act: () => Promise<boolean>): Promise<void> {
		const before = opened.tab.url();
		if (await act()) this.#leave(opened);
		else if (opened.tab.url() !== before) this.#leave(opened, moved(this.#use));
		await this.#tabs.keepCookies();
	}

	/** Another page has come: nothing was entered or typed there. What a given up one does is past. */
	#leave(opened: OpenedTab, use = unused()): void {
		if (opened === this.#opened) this.#use = use;
	}

	#onEntered<Result>(work: (elements: Elements) => Promise<Result>): Promise<Result> {
		return this.#onPage(({ elements }) => {
			if (this.#use.entered.length > 0) return work(elements);
			throw new PageError('The loop item is not an element of this page.');
		});
	}
}
