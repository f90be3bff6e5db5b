import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, WebSocket } from 'playwright-core';
import { Chance } from './chance.ts';
import type { IsolatedWorld } from './isolatedWorld.ts';
import { dataTimeout, LaterWork } from './laterWork.ts';
import { lookAt, unseen, workTerm, type Look } from './lookAt.ts';
import type { SentMessage } from './socketMessages.ts';

/** A page is quiet when it has asked for nothing, and nothing has changed in it, for so many milliseconds. */
const quietTime = 250;
/** The same where scripts have put off something for less than that: React shows what it has got up to 300 ms after what was before. */
const revealTime = 350;
/** Milliseconds after typing: scripts wait for the end of a word before they look for it, up to half a second. */
export const typingTime = 650;
/**
 * Milliseconds for one that has just come, whose scripts have nothing to do later but for what the browser does for them:
 * a step may have set that off, too, as where they ask a large database of the browser.
 */
const idleTime = 100;
/** Milliseconds to wait for that; some pages never are. */
export const settleTimeout = 3_000;
/** Milliseconds between two looks for that. */
const lookInterval = 25;
/** Milliseconds for the scripts that a document waits for. */
const scriptTimeout = 10_000;
/** What a page asks for; a socket, as long as it is opened. */
type Asked = Request | SentMessage | WebSocket;

/** The page that is waited for, at one moment. */
interface Awaited {
	/** Nothing more is to be waited for. */
	isOver: boolean;
	/** Another page is on its way. */
	isLoading: boolean;
	/** Something else than the document may bring news. */
	isLive: boolean;
	/** It was open before the action. */
	isStep: boolean;
	/** Milliseconds that are left at most. */
	left: number;
}

/** Tells when the page of a tab has come to rest: when it has done what an action has set off. */
export class Rest {
	readonly #world: IsolatedWorld;
	readonly #signal: AbortSignal;
	/** What the page has asked for, and when. */
	readonly #underWay = new Map<Asked, number>();
	/** When the page has asked for something last, or has got it. */
	#lastChange = 0;
	/** When the action was done, or what it opened had come. */
	#since = 0;
	/** When data had come that was asked for since: what is made of it has a time of its own. */
	#answered = 0;
	/** For how many milliseconds a page has to be quiet whose scripts may have something to do later. */
	#time = quietTime;
	/** Whether the document went on changing for all of the time: it is not waited for a second time. */
	#isRestless = false;
	/** Beyond `settleTimeout`, as where it works, or asks for things, for all of that. */
	readonly #more = new Chance();
	readonly #later = new LaterWork();

	constructor(world: IsolatedWorld, signal: AbortSignal) {
		this.#world = world;
		this.#signal = signal;
	}

	/** When the action was done, or what it opened had come, by the monotonic clock. */
	get since(): number {
		return this.#since;
	}

	/** Whether the document changes all the time. */
	get isRestless(): boolean {
		return this.#isRestless;
	}

	/** Whether a search goes on that has had its time. */
	get goesOn(): boolean {
		return this.#later.goesOn;
	}

	/** An action begins. */
	act(): void {
		this.#later.act();
	}

	/** It was done, or something that it has set off later is waited for. */
	begin(): void {
		this.#lastChange = this.#since = performance.now();
	}

	/** A page has come; `isNew`: only now, and not all of it. */
	hasCome({ isNew = false } = {}): void {
		this.#since = performance.now();
		if (!isNew) return;
		this.#isRestless = false;
		this.act();
	}

	asked(asked: Asked): void {
		this.#lastChange = performance.now();
		this.#underWay.set(asked, this.#lastChange);
	}

	/**
	 * `isData`: that was asked for since the action; `isOwn`: of which scripts may ask for more, where a page has come
	 * that of its own site. Returns false if it was nothing that the page has asked for.
	 */
	ended(ended: Asked, isData: boolean, isOwn = isData): boolean {
		const asked = this.#underWay.get(ended);
		if (asked === undefined) return false;
		this.#underWay.delete(ended);
		this.#lastChange = performance.now();
		if (isOwn) this.#later.dataCame();
		// What pages ask for all the time is answered at once.
		if (isData && this.#lastChange - asked >= quietTime) this.#answered = this.#lastChange;
		return true;
	}

	/** Something is asked for whose end may be that of the page: what it is, scripts know once it begins to come. */
	async beginsToCome(request: Request): Promise<void> {
		this.asked(request);
		await request.response().catch(() => undefined);
		this.ended(request, false);
	}

	/** What the page has asked for that is still to come, but for what comes by sockets. */
	get requests(): Request[] {
		return [...this.#underWay.keys()].filter((each) => 'resourceType' in each);
	}

	isUnderWay(request: Request): boolean {
		return this.#underWay.has(request);
	}

	/** Waits so many milliseconds of quiet while this is done. */
	async with<Result>(time: number, work: () => Promise<Result>): Promise<Result> {
		this.#time = time;
		try {
			return await work();
		} finally {
			this.#time = quietTime;
		}
	}

	/**
	 * Waits until the page is at rest; `isSentOn` is asked then whether it has sent its reader on meanwhile. A document
	 * that waits for a script too long is taken as it is; so is one that never comes to rest.
	 */
	async come(page: () => Awaited, isSentOn: (look: Look) => Promise<boolean>): Promise<void> {
		let look: Look = unseen;
		let isAtWork = false;
		this.#later.begin();
		for (let now = page(); !now.isOver && now.left > 0; now = page()) {
			let wait = idleTime - this.#silence;
			if (wait <= 0 || this.#hadTime(settleTimeout, now)) {
				look = await lookAt(this.#world, look);
				// What is made in slices is there when they are done.
				isAtWork = look.isTaken || look.goOnAtOnce || look.isBusy === true;
				const isAwaited = isAtWork && this.#more.isLeft;
				const still = this.#isRestless ? Infinity : look.unchanged;
				const quiet = Math.min(this.#silence, still);
				const isHeldBack = look.timesLeft.all > 0 && look.timesLeft.all <= revealTime;
				const time = isHeldBack ? Math.max(this.#time, revealTime) : this.#time;
				// While the page was asked, it may have begun to ask for something.
				const mayGoOn = look.mayGoOn || now.isStep || page().isLive;
				wait = (mayGoOn ? time : idleTime) - (isAwaited ? 0 : quiet);
				// When these times have come, there may be nothing more to do.
				const timesCome = Math.max(look.timesLeft.all, idleTime - quiet, lookInterval);
				if (look.timesLeft.all > 0) wait = Math.min(wait, timesCome);
				if (look.mayGoOn && look.isBusy === undefined) wait = Math.max(wait, workTerm);
				if (!look.isDrawn && !this.#isRestless) wait = Math.max(wait, lookInterval);
				if (wait <= 0) {
					const later = this.#later.timeLeft(look, {
						stepped: now.isStep ? this.#since : undefined,
						isRestless: this.#isRestless,
					});
					if (later > 0) wait = Math.min(Math.max(later, lookInterval), idleTime);
				}
				if (!isAtWork && wait <= 0) this.#more.note(true);
				if (wait <= 0 && look.isParsed && !(await isSentOn(look))) return this.#later.end(look);
				const hasMore = !look.isParsed || (look.isTaken && isAwaited);
				if (this.#hadTime(hasMore ? scriptTimeout : settleTimeout, page())) break;
			}
			const isBusy = this.#underWay.size > 0 || !look.isParsed;
			const pause = Math.min(isBusy ? lookInterval : Math.max(wait, 1), page().left);
			await sleep(Math.max(pause, 0), undefined, { signal: this.#signal });
		}
		if (isAtWork || this.#hasGrace) this.#more.note(false);
		this.#later.giveUp();
		this.#isRestless ||= look.isParsed && look.unchanged < quietTime;
	}

	/** Milliseconds since the page has asked for something. */
	get #silence(): number {
		return this.#underWay.size > 0 ? 0 : performance.now() - this.#lastChange;
	}

	/** Whether data has come so late that the page has more time for it. */
	get #hasGrace(): boolean {
		return this.#more.isLeft && this.#answered > this.#since;
	}

	/** Whether the page has had so much time; as long as another one is on its way, it has more. */
	#hadTime(timeout: number, { isLoading }: Awaited): boolean {
		const latest = Math.min(this.#answered, this.#since + dataTimeout);
		const since = Math.max(this.#hasGrace ? latest : this.#since, this.#later.latest(timeout));
		return performance.now() - since >= timeout && !isLoading;
	}
}
