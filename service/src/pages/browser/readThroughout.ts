/// <reference lib="dom" />
import { z } from 'zod';
import { saysAnything } from '../../text/saysAnything.ts';
import { withoutFragment } from '../../text/withoutFragment.ts';
import type { Entered, HowToRead } from '../page.ts';
import type { DocumentState } from './documentState.ts';
import { inside, NotThere } from './elements.ts';
import type { Found, Wanted } from './findInPage.ts';
import type { OpenedTab } from './openedTab.ts';

/** Milliseconds for which somebody looks at a part of a list: scripts may wait until scrolling has come to rest. */
const dwellTime = 600;
/** So many rows that say the same may hold the place of something else. */
const minHeld = 3;
/** Times in a row that it may bring nothing where something is blank: the first entries may have none of what the next have. */
const patienceOfBlank = 10;
/** Of a page that goes on for ever, this many screens, and so many other things that scroll on it; of a list, screens. */
const limits = { screens: 40, scrollers: 5, elements: 20_000, screensOfList: 200 };
/** Values of a list: to compare more takes long. */
const maxValues = 50_000;

/**
 * As `OpenedTab.find` does; but where it may scroll, what may come once it comes into sight is scrolled to first, as somebody
 * does who looks for it: the whole page, where a column of it, or of its only row, says nothing; an entry; or a list, up to
 * its last row, unless it holds only rows that are in sight; of what is taller than the window, all. What that adds to a list is left out, and told to be to come. On a site where it
 * brings nothing, it is not done for ever.
 */
export async function findThroughout(
	opened: OpenedTab,
	scope: Entered[],
	{ mayScroll = false, ...wanted }: Partial<Wanted> & HowToRead,
): Promise<Found> {
	const first = await opened.find(scope, wanted);
	const found = mayScroll ? await bySight(opened, scope, wanted, first) : first;
	if (found.values.some((said) => said.some(saysAnything))) opened.noteRead();
	return found;
}

/** Whether there is such an element on a page that has none, once that was scrolled through. */
export async function comesIntoSight(
	opened: OpenedTab,
	scope: Entered[],
	selector: string,
): Promise<boolean> {
	const found = await opened.elements.look(scope, { selector });
	return found !== undefined && (await bySight(opened, scope, { selector }, found)).count > 0;
}

/** Does something with such an element of the page; where that has none, once more when it was scrolled through. */
export async function onceInSight(
	opened: OpenedTab,
	selector: string | undefined,
	act: () => Promise<void>,
): Promise<void> {
	try {
		await act();
	} catch (error) {
		if (!(error instanceof NotThere) || selector === undefined) throw error;
		if (!(await comesIntoSight(opened, [], selector))) throw error;
		await act();
	}
}

/** The same once what was found at `first` has been in sight. */
async function bySight(
	opened: OpenedTab,
	scope: Entered[],
	wanted: Partial<Wanted>,
	found: Found,
): Promise<Found> {
	const isOfPage =
		wanted.selector === undefined && (scope.length === 0 || wanted.isOfPage === true);
	const { host = '' } = URL.parse(opened.tab.url()) ?? {};
	const isBlank = hasBlank(found);
	const areFarDown = scope.length === 0 && found.count === 0;
	const name = `${host} ${scope.length} ${wanted.selector ?? ''} ${isBlank} ${areFarDown}`;
	const chance = opened.unseen.of(name, isBlank || areFarDown ? patienceOfBlank : undefined);
	const isList = found.count > 0 && found.values.length <= maxValues;
	const mayLack = isOfPage ? isBlank : areFarDown || isList;
	if (!mayLack || !chance.isLeft) return found;
	const show = (how: Partial<HowToShow>) =>
		opened.world.call(bringIntoSight, { ...inside(scope, wanted), ...limits, dwell: 0, ...how });
	// A single row may be as good as the page, as its body is.
	const isPage = isOfPage || areFarDown || (scope.length === 0 && found.count === 1 && isBlank);
	const address = opened.tab.url();
	const scroll = async (how: Partial<HowToShow>) => {
		const { dwell = 0 } = how;
		const through = () => opened.world.call(scrollThrough, { ...limits, dwell });
		if ((await (isPage ? through() : show(how))) !== true) return false;
		await opened.network.settle({ untilAnswered: true });
		return !isPage || staysAt(opened, address);
	};
	const columns = (wanted.values ?? []).map(({ selector = '' }) => selector);
	const counts = isPage ? await countsOf(opened, columns) : [];
	const before = areFarDown ? await headingsOf(opened) : [];
	if (!(await scroll({}))) return found;
	if (areFarDown) {
		const now = await opened.elements.look(scope, wanted);
		// Where the headings are others by then, the next story has come, of which it may be.
		const isSame = before.length === 0 || String(await headingsOf(opened)) === String(before);
		const hasCome = now !== undefined && now.count > 0 && isSame;
		chance.note(hasCome);
		return hasCome ? opened.find(scope, wanted) : found;
	}
	const next = async (before: Found) => {
		const after = await afterScroll(opened, scope, wanted, before);
		if (isOther(after, before, isPage)) return before;
		if (!isPage) return after;
		return withoutOthers(after, before, wanted, [counts, await countsOf(opened, columns)]);
	};
	const now = await next(found);
	chance.note(saidBy(now) !== saidBy(found));
	const slowly = opened.unseen.of(`${name} slowly`);
	const mayHold = wanted.begins === true || (isPage ? hasBlank(now) : holdsPlaces(now));
	if (!mayHold || !slowly.isLeft) return now;
	const dwell = dwellTime;
	const look = async (how: Partial<HowToShow>, before: Found) => {
		if (!(await scroll(how))) return before;
		const after = await next(before);
		slowly.note(saidBy(after) !== saidBy(before));
		return after;
	};
	if (!wanted.begins) return look({ dwell }, now);
	// Where a loop begins, no values are read yet that would tell: the others are looked at if that changes the last ones.
	const last = await look({ dwell, screensOfList: 1, isFromEnd: true }, now);
	return saidBy(last) === saidBy(now) ? now : look({ dwell }, last);
}

/** What is found once what has come into sight has come, of as many elements as before; or the same. */
async function afterScroll(
	opened: OpenedTab,
	scope: Entered[],
	wanted: Partial<Wanted>,
	before: Found,
): Promise<Found> {
	const whole = await opened.find(scope, wanted);
	const again = firstOf(before.count, whole);
	// What takes rows away is nothing that they come to, and of those that are there only in sight, others are gone by now.
	const isKept = again.count === before.count && !again.toCome;
	const added = whole.count - before.count;
	// Where the rows in sight say what they did, those out of sight have been filled in.
	const isFilled = isKept && keepsValues(again, before);
	const toCome = added > 0 ? { count: added } : isFilled ? undefined : before.toCome;
	return { ...(isKept ? again : before), toCome };
}

/** Whether all that had said something says that still. */
function keepsValues(after: Found, before: Found): boolean {
	return before.values.every(
		(was, index) =>
			!was.some(saysAnything) || JSON.stringify(was) === JSON.stringify(after.values[index]),
	);
}

/** Whether a page is at that address still; if it has gone on to another one, as to the next story, that is taken back. */
async function staysAt({ tab, world }: OpenedTab, address: string): Promise<boolean> {
	if (tab.url() === address) return true;
	const isOther = withoutFragment(tab.url()) !== withoutFragment(address);
	await world.call((_, href) => history.replaceState(history.state, '', href), address);
	return !isOther;
}

/**
 * Whether rows out of sight may hold the place of what comes once somebody has looked at them for a moment: many say the
 * same in a column, which none in sight does.
 */
function holdsPlaces({ values, places = [], count }: Found): boolean {
	const columns = values.length / count;
	return Array.from({ length: columns }).some((_, column) => {
		const [seen, ahead] = [new Set<string>(), new Map<string, number>()];
		for (const [row, { isAhead }] of places.entries()) {
			const said = JSON.stringify(values[row * columns + column]);
			if (isAhead) ahead.set(said, (ahead.get(said) ?? 0) + 1);
			else seen.add(said);
		}
		return seen.size > 0 && [...ahead].some(([said, rows]) => rows >= minHeld && !seen.has(said));
	});
}

function hasBlank({ values }: Found): boolean {
	return values.some((said) => !said.some(saysAnything));
}

function saidBy({ values, marks }: Found): string {
	return JSON.stringify([values, marks]);
}

/** What was found, but for elements behind that many. */
function firstOf(count: number, found: Found): Found {
	if (found.count <= count) return found;
	const { values, places, marks } = found;
	return {
		...found,
		count,
		values: values.slice(0, (values.length / found.count) * count),
		...(places && { places: places.slice(0, count) }),
		...(marks && { marks: marks.slice(0, count) }),
	};
}

/**
 * Whether a page, or its only row, is another one by now: nothing says what it did, as where a page goes on to the next story.
 * Of what is no page, one value alone may only have held a place.
 */
function isOther(after: Found, before: Found, isPage: boolean): boolean {
	if (before.count !== 1) return false;
	const said = before.values.flatMap((was, index) =>
		was.some(saysAnything) ? [JSON.stringify(was) === JSON.stringify(after.values[index])] : [],
	);
	return said.length > (isPage ? 0 : 1) && !said.includes(true);
}

/** What the page says that it is about, as far as it does. */
async function headingsOf({ world }: OpenedTab): Promise<string[]> {
	return z.array(z.string()).parse(await world.call(headingsInPage, undefined));
}

/** Runs in the page, so it can use nothing that is outside of it. */
function headingsInPage({ own }: DocumentState): string[] {
	return [...document.querySelectorAll('h1')].map((each) => own(each).textContent ?? '');
}

/** How many elements of the page each of these finds; the page itself is one. */
async function countsOf({ world }: OpenedTab, selectors: string[]): Promise<number[]> {
	return z.array(z.number()).parse(await world.call(countInPage, { selectors }));
}

/** Runs in the page, so it can use nothing that is outside of it. */
function countInPage(
	{ loopElements }: DocumentState,
	{ selectors }: { selectors: string[] },
): number[] {
	return selectors.map((each) => (each === '' ? 1 : loopElements.all(document, each).length));
}

/**
 * What was found of a page `before`, with what has come of it `after` that: where it has more of all that had said something,
 * as behind the next story that it goes on to, that is nothing; and a column that was blank says only what the page has
 * once, since others may be of the entries beside it.
 */
function withoutOthers(
	after: Found,
	before: Found,
	{ values = [] }: Partial<Wanted>,
	[were, are]: [number[], number[]],
): Found {
	const says = (index: number) => before.values[index]?.some(saysAnything) === true;
	const said = [...were.keys()].filter(says);
	if (said.length > 0 && said.every((index) => (are[index] ?? 0) > (were[index] ?? 0)))
		return before;
	const isForeign = (index: number) =>
		values[index]?.all !== true &&
		!says(index) &&
		(are[index] ?? 0) > Math.max(1, were[index] ?? 0);
	return {
		...after,
		values: after.values.map((now, index) =>
			isForeign(index) ? (before.values[index] ?? now) : now,
		),
	};
}

/** Runs in the page, so it can use nothing that is outside of it. False where nothing scrolls. `dwell`: milliseconds at each part. */
async function scrollThrough(
	{ own, nextFrame }: DocumentState,
	{ dwell, ...most }: typeof limits & { dwell: number },
): Promise<boolean> {
	const { pathname, search } = location;
	const isMoved = () => location.pathname !== pathname || location.search !== search;
	const page = document.scrollingElement ?? document.documentElement;
	const isLonger = (each: Element) => own(each).scrollHeight > own(each).clientHeight + 1;
	const isScrolled = (each: Element) =>
		isLonger(each) && /auto|scroll/.test(getComputedStyle(each).overflowY);
	const all = [...document.querySelectorAll('body *')];
	const inPage = all.length > most.elements ? [] : all.filter(isScrolled);
	const scrollers = [page, ...inPage.slice(0, most.scrollers)].filter(isLonger);
	let looks = 0;
	for (const each of scrollers) {
		const { scrollTop: before, clientHeight } = own(each);
		for (let screens = 0; screens < most.screens && looks < most.screens; screens += 1) {
			const { scrollTop } = own(each);
			own(each).scrollBy({ top: clientHeight, behavior: 'instant' });
			// By the second one, what has come into sight is told.
			await nextFrame();
			await nextFrame();
			if (own(each).scrollTop === scrollTop || isMoved()) break;
			if (dwell === 0) continue;
			looks += 1;
			await new Promise((resolve) => setTimeout(resolve, dwell));
		}
		own(each).scrollTo({ top: before, behavior: 'instant' });
	}
	return scrollers.length > 0;
}

interface HowToShow {
	/** Milliseconds at each part. */
	dwell: number;
	/** Parts at most. */
	screensOfList: number;
	/** From its last element on. */
	isFromEnd?: boolean;
}

/** The same with the elements that are wanted, or that was entered. False where all were in sight. */
async function bringIntoSight(
	{ own, nextFrame, loopElements, scrolls }: DocumentState,
	{ scope, selector, isOfPage, screensOfList, dwell, isFromEnd }: Wanted & HowToShow,
): Promise<boolean> {
	const { root, missing } = loopElements.enter(scope);
	if (missing && !isOfPage) return false;
	const all = selector !== undefined ? loopElements.all(root, selector) : [root];
	const wanted = all.filter((each) => each instanceof Element);
	if (isFromEnd) wanted.reverse();
	const before = new Map<Element, { left: number; top: number }>();
	const noteAround = (element: Element | null) => {
		for (let around = element; around && !before.has(around); around = own(around).parentElement) {
			before.set(around, { left: own(around).scrollLeft, top: own(around).scrollTop });
		}
	};
	const page = document.scrollingElement ?? document.documentElement;
	const look = async () => {
		await nextFrame();
		await nextFrame();
		if (dwell > 0) await new Promise((resolve) => setTimeout(resolve, dwell));
		screens += 1;
	};
	let screens = 0;
	for (const each of wanted) {
		noteAround(own(each).parentElement);
		const { top, left } = own(each).getBoundingClientRect();
		own(each).scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
		const now = own(each).getBoundingClientRect();
		const { parentElement } = own(each);
		const scroller = (parentElement && scrolls.scrollerOf(parentElement)) ?? page;
		const { clientHeight } = own(scroller);
		const isTall = now.height > clientHeight + 1;
		const carousel = scrolls.scrollerAcross(each);
		const box = carousel && own(carousel).getBoundingClientRect();
		// A carousel that snaps may have taken that back.
		const isCut = box !== undefined && (now.left < box.left - 1 || now.right > box.right + 1);
		if (now.top === top && now.left === left && !isCut && !isTall) continue;
		const inline = box ? 'center' : 'start';
		own(each).scrollIntoView({ block: 'start', inline, behavior: 'instant' });
		await look();
		for (
			let shown = clientHeight;
			shown < now.height && screens < screensOfList;
			shown += clientHeight
		) {
			own(scroller).scrollBy({ top: clientHeight, behavior: 'instant' });
			await look();
		}
		if (screens >= screensOfList) break;
	}
	if (screens === 0) return false;
	for (const [around, place] of before) own(around).scrollTo({ ...place, behavior: 'instant' });
	return true;
}
