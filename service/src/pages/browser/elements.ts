/// <reference lib="dom" />
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page as Tab } from 'playwright-core';
import { absoluteAddress } from '../absoluteAddress.ts';
import { PageError, type AskedPresence, type Entered, type Presence } from '../page.ts';
import { isOfPage, scopedSelector } from '../scopedSelector.ts';
import { Chance } from './chance.ts';
import type { DocumentState } from './documentState.ts';
import { EndlessPages, isTimeout } from './failures.ts';
import { findInPage, foundShape, type Found, type Wanted } from './findInPage.ts';
import type { HandedElement } from './handedElement.ts';
import { DocumentGone, type IsolatedWorld } from './isolatedWorld.ts';
import { NotReady } from './readiness.ts';

/** Milliseconds between two looks for what is not there yet. */
const interval = 100;
/** Milliseconds in which a page that has changed may change again. */
const restTime = 250;
/** Milliseconds for all columns of rows to say anything: scripts may fill in some a little later. */
const blankTime = 2_000;
/** How often the time for an element goes by for one that is to be shown first. */
const showingTimes = 2;
/** On a page that does not come to rest: milliseconds between two looks that have to say the same, and for all of these. */
const stillTime = 500;
const stillTimeout = 10_000;

/** A page has no such element. */
export class NotThere extends PageError {}

/** What something is done with; without a selector, the element that was entered. */
export type Used = Partial<Pick<Wanted, 'selector' | 'isClicked'>>;

/** The elements of a tab, which its scripts may still be making: each look waits up to `timeout`. */
export class Elements {
	readonly #tab: Tab;
	readonly #world: IsolatedWorld;
	readonly #timeout: number;
	readonly #signal: AbortSignal;
	readonly #atRest: () => Promise<unknown>;
	readonly #isRestless: () => boolean;
	readonly #isAsking: () => boolean;
	readonly #goesOn: () => boolean;
	readonly #longTimeout: number;
	readonly #blanks = new Chance();
	readonly #answers = new Chance();
	readonly #stills = new Chance();
	/** The elements that had been entered when the address of the open document changed. */
	left: Entered[] = [];

	/**
	 * `atRest`: waits until the page has come to rest, unless it `isRestless`; `isAsking`: for data of its site; `goesOn`:
	 * whether a search does, for which what is to come has `longTimeout`.
	 */
	constructor(
		tab: Tab,
		world: IsolatedWorld,
		{
			timeout,
			signal,
			atRest,
			isRestless,
			isAsking,
			goesOn,
			longTimeout,
		}: {
			timeout: number;
			signal: AbortSignal;
			atRest: () => Promise<unknown>;
			isRestless: () => boolean;
			isAsking: () => boolean;
			goesOn: () => boolean;
			longTimeout: number;
		},
	) {
		this.#tab = tab;
		this.#world = world;
		this.#timeout = timeout;
		this.#signal = signal;
		this.#atRest = atRest;
		this.#isRestless = isRestless;
		this.#isAsking = isAsking;
		[this.#goesOn, this.#longTimeout] = [goesOn, longTimeout];
	}

	/**
	 * Looks for all that is wanted inside of what was entered, where any of it is there; else waits for the first of it.
	 * What comes late, or while the page changes again, is looked for once more at rest: scripts make it piece by piece.
	 * Rows are not there yet where a column of them says nothing, and scripts go on in a moment. What is read of a page that
	 * does not come to rest is on its way until it says the same twice, as a number that counts up, or a text that is typed.
	 */
	async find(scope: Entered[], wanted: Partial<Wanted>): Promise<Found> {
		const begun = performance.now();
		const isOver = () => {
			const passed = performance.now() - begun;
			return passed >= this.#timeout && (passed >= this.#longTimeout || !this.#goesOn());
		};
		const blankEnd = this.#blanks.isLeft ? performance.now() + blankTime : 0;
		const isThere = (found: Found | undefined) =>
			found !== undefined && found.count > 0 && !(found.isBlank && performance.now() < blankEnd);
		let wasBlank = false;
		for (let isAwaited = false; ; isAwaited = true) {
			const isLast = isOver();
			let found = await this.look(scope, wanted);
			wasBlank ||= found?.isBlank === true && !isThere(found);
			const mayChange = found && isThere(found) ? this.#mayChange(found, wanted) : undefined;
			if (mayChange || (isAwaited && (isThere(found) || isLast))) {
				await this.#atRest();
				const before = saidBy(found);
				found = await this.look(scope, wanted);
				if (mayChange === 'for data') this.#answers.note(saidBy(found) !== before);
			}
			if (!found && isLast) {
				const url = this.#tab.url();
				throw new EndlessPages(`${url} was given up: it opened another page again and again.`, {
					url,
				});
			}
			// What was waited for until the page is at rest may be that a search goes on.
			if (found && (isThere(found) || (isLast && isOver()))) {
				if (wasBlank) this.#blanks.note(!found.isBlank);
				if (!found.missing) return this.#isRestless() ? this.#still(found, scope, wanted) : found;
				throw new PageError(lackOf(found.missing));
			}
			await sleep(interval, undefined, { signal: this.#signal });
		}
	}

	/** What is found in the end, once that says what it did a moment before. */
	async #still(found: Found, scope: Entered[], wanted: Partial<Wanted>): Promise<Found> {
		const isRead = (wanted.values ?? []).length > 0;
		if (!isRead || !this.#stills.isLeft) return found;
		const end = performance.now() + stillTimeout;
		for (let now = found, hasMoved = false; ; hasMoved = true) {
			await sleep(stillTime, undefined, { signal: this.#signal });
			const next = await this.look(scope, wanted);
			// What takes it away is nothing that it comes to.
			if (!next || next.missing || next.count < now.count) return now;
			const isStill = saidBy(next) === saidBy(now);
			now = next;
			if (!isStill && performance.now() < end) continue;
			if (hasMoved || !isStill) this.#stills.note(isStill);
			return now;
		}
	}

	/** Whether a page that had come to rest is changing again, or has changed and asks for data that is to be read there. */
	#mayChange(
		{ changedAgo }: Found,
		{ values = [], begins = false }: Partial<Wanted>,
	): 'now' | 'for data' | undefined {
		if (changedAgo === undefined || this.#isRestless()) return undefined;
		if (changedAgo < restTime) return 'now';
		const isRead = begins || values.length > 0;
		return isRead && this.#answers.isLeft && this.#isAsking() ? 'for data' : undefined;
	}

	/** The same without waiting; undefined while another page comes. */
	async look(scope: Entered[], wanted: Partial<Wanted>): Promise<Found | undefined> {
		try {
			const { scope: left } = inside(this.left, {});
			const asked = { ...inside(scope, wanted), left };
			return foundShape.parse(await this.#world.call(findInPage, asked));
		} catch (error) {
			if (error instanceof DocumentGone) return undefined;
			throw error;
		}
	}

	/**
	 * Whether a click on the first of these elements does something, once it does. `isToBeShown`: where it is hidden, that is
	 * waited for longer, and where it is to be, since scripts may show what comes near. `isInVain`: one whose class says that it is disabled is that.
	 */
	async presence(
		scope: Entered[],
		selector: string,
		{ isToBeShown = false, isInVain = false }: AskedPresence = {},
	): Promise<Presence> {
		const end = performance.now() + this.#timeout * (isToBeShown ? showingTimes : 1);
		for (let hasCome = !isToBeShown; ; hasCome = true) {
			const { count, isInactive, looksDisabled, isHidden } = await this.find(scope, {
				selector,
				asksActive: true,
				isClicked: true,
			});
			if (count === 0) return 'missing';
			if (isInVain && looksDisabled) return 'disabled';
			if (!isInactive && !isHidden) return 'active';
			if (performance.now() >= end) return isInactive ? 'disabled' : 'hidden';
			if (!hasCome) await this.#world.call(comeNear, { selector }).catch(unlessGone);
			await sleep(interval, undefined, { signal: this.#signal });
		}
	}

	/** Where the first of these elements leads to, if it is a `link` (of the head): nobody can click it. */
	async unseenLink(scope: Entered[], selector: string | undefined): Promise<string | undefined> {
		const values = [{ selector: 'link[href]', attributes: ['href'], isAround: true }];
		const found = await this.look(scope, { ...(selector !== undefined && { selector }), values });
		const href = found?.values[0]?.[0] ?? undefined;
		return found && href !== undefined ? absoluteAddress(href, found.base) : undefined;
	}

	/** Does something with the first of these elements, or with the one that was entered. Throws a NotThere if there is none. */
	async use<Result>(
		scope: Entered[],
		{ selector, isClicked = false }: Used,
		work: (element: HandedElement) => Promise<Result>,
	): Promise<Result> {
		const { handed } = await this.find(scope, { selector, hands: true, isClicked });
		if (handed === undefined) {
			throw selector === undefined
				? new PageError('The loop item is not an element of this page.')
				: new NotThere(`The page has no element ${selector}.`);
		}
		try {
			return await work({
				locator: this.#tab.locator(`${handedEngineName}=${handed}`),
				root: this.#tab.locator(':root'),
				ask: (run, argument) => this.#world.call(run, { ...argument, handed }),
			});
		} catch (error) {
			if (!(error instanceof NotReady) && !isTimeout(error)) throw error;
			const name = selector === undefined ? 'The loop item' : `The element ${selector}`;
			const why = error instanceof NotReady ? `: it ${error.lack}` : '';
			throw new PageError(`${name} is there, but could not be used in time${why}.`);
		}
	}
}

const saidBy = (found: Found | undefined) =>
	JSON.stringify([found?.count, found?.values, found?.marks]);

function lackOf({ selector, index, mark }: Entered): string {
	const name = mark?.name ? ` ("${mark.name}")` : '';
	return `Element ${index + 1} of ${selector}${name} is not on the page any more.`;
}

/** The selector engine that finds elements which were handed. */
export const handedEngineName = 'handed';

/** What is wanted, with selectors that count from what was entered. */
export function inside(scope: Entered[], { selector, ...rest }: Partial<Wanted>): Wanted {
	const ofPage = selector !== undefined && isOfPage(selector);
	const scoped = (each: string, isInside: boolean) => (isInside ? scopedSelector(each) : each);
	return {
		values: [],
		isOfPage: ofPage,
		...rest,
		scope: scope.map((entered, depth) => ({
			...entered,
			selector: scoped(entered.selector, depth > 0),
		})),
		...(selector !== undefined && { selector: scoped(selector, scope.length > 0) }),
	};
}

function unlessGone(error: unknown): void {
	if (!(error instanceof DocumentGone)) throw error;
}

/** Runs in the page, so it can use nothing that is outside of it. Scrolls to where an element that is hidden is to be. */
function comeNear({ own, loopElements }: DocumentState, { selector }: { selector: string }): void {
	let near: Element | null | undefined = loopElements.all(document, selector)[0];
	while (near && !own(near).checkVisibility()) near = own(near).parentElement;
	if (near) own(near).scrollIntoView({ block: 'end', behavior: 'instant' });
}
