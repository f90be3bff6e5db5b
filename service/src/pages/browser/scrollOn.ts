/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { setTimeout as sleep } from 'node:timers/promises';
import type { AskedData } from './askedData.ts';
import type { DocumentState } from './documentState.ts';
import { leftToClicks } from './leftToClicks.ts';
import type { OpenedTab } from './openedTab.ts';
import { untilAnswered } from './pageChange.ts';
import { scrolledShape, scrollInPage, type HowToScroll, type Scrolled } from './scrollInPage.ts';
import { within } from './within.ts';
import type { ScrolledOn } from '../page.ts';
import type { PageUse } from './pageUse.ts';

/** Milliseconds for scrolling to bring something new. */
const growthTimeout = 3_000;
/** Milliseconds for a page to hear of the wheel. */
const wheelTimeout = 500;
/** Milliseconds for what a script moves by the wheel to come to rest: slides take no other turn until then. */
const wheelPause = 1_600;
/** Turns of the wheel in a row that may move nothing. */
const wheelTries = 2;
/** Pixels by which a list may get longer without a new row: it may guess how high those are that are not seen. */
const guess = 10;
/** By how often what is seen at once to go up, and down again: past where sites begin to ask for more. */
const nudge = 3;

/** Where to scroll. */
interface Scroller {
	/** What was done on the page. */
	use: PageUse;
	/** Without it the window. */
	selector: string | undefined;
	/** What is read of the list. */
	rows?: string | undefined;
}

/**
 * Scrolls on by what is seen at once, so many times: the window; where that can't scroll, the element that can and takes
 * up most room. A named one that is only wider goes sideways.
 */
async function scroll(
	{ world, elements }: OpenedTab,
	{ use: { entered }, selector }: Scroller,
	how: HowToScroll,
): Promise<Scrolled> {
	const answer =
		selector === undefined
			? world.call(scrollInPage, how)
			: elements.use(entered, { selector }, (named) => named.ask(scrollInPage, how));
	return scrolledShape.parse(await answer);
}

/** For what scripts make. */
export interface Patience {
	/** Milliseconds for data that is on its way. */
	timeout: number;
	/** Waits until the next look. */
	rest: () => Promise<void>;
}

/**
 * Scrolls on until something new has come, or nothing new comes up to the end. Throws a PageError where that is
 * for want of data that may come if it is asked for once more.
 */
export async function untilNew(
	opened: OpenedTab,
	scroller: Scroller,
	patience: Patience,
): Promise<ScrolledOn> {
	const begun = performance.now();
	const { hasMore, ...how } = await bringsNew(opened, scroller, patience);
	// Lists may wait until such a dialog is left, or show other rows until then.
	if (!hasMore && (await leaveDialogs(opened))) return { hasMore: true };
	scroller.use.isScrolled ||= hasMore;
	const { data } = opened.network;
	const { hostname = '' } = URL.parse(opened.tab.url()) ?? {};
	// What comes into sight at the end of one scroll may be asked for before the next.
	const since = data.scrolled ?? begun;
	const ofData = hasMore
		? undefined
		: await lackOfData(data, hostname, since).catch((error: unknown) => {
				const isKnown = opened.lackOfList !== undefined;
				opened.lackOfList = error;
				throw isKnown ? withoutPage(opened, error) : error;
			});
	// The list did not ask for it again: only one that comes anew does.
	const lackBefore = opened.lackOfList;
	opened.lackOfList = undefined;
	if (!hasMore && lackBefore !== undefined) throw withoutPage(opened, lackBefore);
	data.scrolled = begun;
	if (hasMore || ofData !== undefined) return { hasMore, ...how, lack: ofData };
	const { rows } = scroller;
	const ofClicks = rows === undefined ? undefined : await leftToClicks(opened, rows);
	if (await haveDialogsCome(opened)) return { hasMore, ...how, lack: underDialog };
	return { hasMore, ...how, leftToClicks: ofClicks };
}

/** What is thrown where a list lacks something: its page is given up for that, unless it has come anew in vain. */
function withoutPage(opened: OpenedTab, lack: unknown): unknown {
	if (!opened.newList.isLeft) return lack;
	opened.newList.note(false);
	return opened.givenUpFor(lack);
}

/** What a list lacks at its end for want of data that was asked for since then; throws as `lackOfList` does. */
async function lackOfData(
	data: AskedData,
	host: string,
	since: number,
): Promise<string | undefined> {
	const lack = data.lackOfList(host, since);
	if (lack !== undefined) return lack;
	const said = await data.saidError(host, since);
	return said && `Scrolling has brought nothing new. ${said.reason}`;
}

const underDialog =
	'Scrolling has brought nothing new. A dialog has come over the page meanwhile, which is not left by Escape: where the list waits for that, rows are missing.';

async function haveDialogsCome({ world }: OpenedTab): Promise<boolean> {
	return (await world.call(({ dialogs }) => dialogs.haveCome(), undefined)) === true;
}

/** Leaves a dialog that has come since the list began, as people do; false if there is none, or it stays. */
async function leaveDialogs(opened: OpenedTab): Promise<boolean> {
	if (!(await haveDialogsCome(opened))) return false;
	opened.network.act();
	await opened.tab.locator(':root').press('Escape');
	await opened.network.settle();
	return !(await haveDialogsCome(opened));
}

/**
 * A loop begins where the page has opened its list: what earlier ones have scrolled, or clicks have, is put back. Where the
 * list is missing, the loop itself says so.
 */
export async function scrollBack(opened: OpenedTab, scroller: Scroller): Promise<void> {
	const { world, network, elements } = opened;
	const { use, selector } = scroller;
	await bringBoxIntoSight(opened, scroller);
	// Whatever steps have opened may hold the list.
	const areKnown = use.isPressed || use.typed.length > 0;
	const hasScrolled = await world.call(({ dialogs, scrolls }, given) => {
		dialogs.note(given);
		return scrolls.any();
	}, areKnown);
	if (hasScrolled !== true) return;
	const named = selector === undefined ? undefined : await elements.look(use.entered, { selector });
	if (named?.count === 0) return;
	const { top } = await scroll(opened, scroller, { times: 0 });
	network.act();
	const back = await scroll(opened, scroller, { times: 0, isBack: true });
	if (back.top !== top) await network.settle();
}

/** What is in a box far down may wait until that comes into sight, however it is scrolled itself. */
async function bringBoxIntoSight(
	{ elements, network }: OpenedTab,
	{ use: { entered }, selector }: Scroller,
): Promise<void> {
	if (selector === undefined || !(await elements.look(entered, { selector }))?.count) return;
	const hasMoved = await elements.use(entered, { selector }, (named) => named.ask(show, {}));
	if (hasMoved === true) await network.settle();
}

/** Runs in the page, so it can use nothing that is outside of it. Whether the window has been scrolled for it. */
function show({ own, taken, scrolls }: DocumentState, { handed }: { handed: number }): boolean {
	const named = taken(handed);
	const { top, bottom } = own(named).getBoundingClientRect();
	if (bottom > 0 && top < innerHeight) return false;
	scrolls.noteAround(named);
	own(named).scrollIntoView({ block: 'center', behavior: 'instant' });
	return own(named).getBoundingClientRect().top !== top;
}

async function bringsNew(
	opened: OpenedTab,
	scroller: Scroller,
	{ timeout, rest }: Patience,
): Promise<Omit<ScrolledOn, 'lack'>> {
	const { network } = opened;
	const scrollBy = (times: number, withPlaces = false) =>
		scroll(opened, scroller, { times, guess: withPlaces ? guess : undefined });
	network.act();
	const before = await scrollBy(0, true);
	let now = before;
	// A list that holds only what is seen of it may become shorter, or have fewer elements, by being scrolled.
	const isLonger = () => now.whole > before.whole + guess;
	const hasGrown = () => isLonger() || now.elements > before.elements;
	const isElsewhere = () => now.places !== 0 && now.places !== before.places;
	const isNew = () => hasGrown() || now.content !== before.content || isElsewhere();
	const hasMoved = async () => {
		const { top } = now;
		// What comes into sight may ask for more of itself.
		await network.settle({ untilAnswered: true });
		now = await scrollBy(0, before.scrolls);
		// A page may take scrolling back.
		return now.top > top;
	};
	// Scripts may move by themselves what does not scroll.
	if (!before.scrolls) {
		await rest();
		now = await scrollBy(0);
		// A clock changes as well, and a ticker moves.
		const isStill = !isNew() && now.top === before.top;
		let tries = wheelTries;
		while (tries > 0) {
			const isTaken = await takesWheel(opened, before);
			const goesOn = (await hasMoved()) && isStill;
			if (isTaken && !goesOn && !isNew()) {
				await sleep(wheelPause);
				now = await scrollBy(0);
			}
			if (isNew() && (isStill || isTaken)) return { hasMore: true };
			if (goesOn) tries = wheelTries;
			else tries = isTaken ? tries - 1 : 0;
		}
		now = { ...now, content: before.content };
	}
	let hasSkipped = false;
	while (!isNew() && !now.isAtEnd) {
		const from = now.top;
		await scrollBy(1);
		if (!(await hasMoved())) break;
		// Where a list puts other rows into its elements, the browser may carry it on by itself, to keep these where they are.
		hasSkipped ||= now.top - from > 2 * now.seen && now.elements <= before.elements;
	}
	// At the end only growth counts: what goes on moving there, such as a clock, is nothing new.
	const lookForGrowth = async () => {
		const mayGrow = untilAnswered(network.data, { usual: () => growthTimeout, most: timeout });
		while (!isNew() && (await mayGrow())) {
			await rest();
			now = { ...(await scrollBy(0)), content: now.content, places: now.places };
		}
		return isNew();
	};
	if (await lookForGrowth()) return { hasMore: true, hasSkipped, isLonger: isLonger() };
	// The end may have come into sight too early, or what was asked for then has failed: up, and down again.
	await scrollBy(-nudge);
	await network.settle();
	await scrollBy(nudge);
	await hasMoved();
	while (!now.isAtEnd && !isLonger()) {
		await scrollBy(1);
		if (!(await hasMoved())) break;
	}
	now = { ...now, content: before.content, places: before.places };
	return { hasMore: await lookForGrowth(), isLonger: isLonger() };
}

/** Turns the wheel over the middle of what is seen. Resolves to whether a script of the page has taken that. */
async function takesWheel(
	{ tab, world }: OpenedTab,
	{ middle: [x, y], turn }: Scrolled,
): Promise<boolean> {
	const taken = world.call(wheelTaken, undefined).catch(() => false);
	await tab.mouse.move(x, y);
	await tab.mouse.wheel(0, turn);
	return (await within(wheelTimeout, taken)) === true;
}

/** Runs in the page. */
function wheelTaken(): Promise<boolean> {
	return new Promise((resolve) =>
		addEventListener('wheel', ({ defaultPrevented }) => resolve(defaultPrevented), { once: true }),
	);
}
