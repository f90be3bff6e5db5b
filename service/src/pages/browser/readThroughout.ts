/// <reference lib="dom" />
import { saysAnything } from '../../text/saysAnything.ts';
import type { Entered, HowToRead } from '../page.ts';
import type { DocumentState } from './documentState.ts';
import { inside } from './elements.ts';
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
	const name = `${host} ${scope.length} ${wanted.selector ?? ''} ${isBlank}`;
	const chance = opened.unseen.of(name, isBlank ? patienceOfBlank : undefined);
	const mayLack = isOfPage || (found.count > 0 && found.values.length <= maxValues);
	if (!mayLack || !chance.isLeft) return found;
	const show = (how: Partial<HowToShow>) =>
		opened.world.call(bringIntoSight, { ...inside(scope, wanted), ...limits, dwell: 0, ...how });
	// A single row may be as good as the page, as its body is.
	const isPage = isOfPage || (scope.length === 0 && found.count === 1 && isBlank);
	const selectors = (wanted.values ?? []).flatMap(({ selector = [] }) => selector);
	const through = (dwell: number) =>
		opened.world.call(scrollThrough, { ...limits, dwell, ahead: isBlank ? [] : selectors });
	if ((await (isPage ? through(0) : show({}))) !== true) return found;
	const now = await afterScroll(opened, scope, wanted, found);
	chance.note(saidBy(now) !== saidBy(found));
	const slowly = opened.unseen.of(`${name} slowly`);
	const mayHold = wanted.begins === true || (isPage ? hasBlank(now) : holdsPlaces(now));
	if (!mayHold || !slowly.isLeft) return now;
	const dwell = dwellTime;
	const look = async (how: Partial<HowToShow>, before: Found) => {
		if ((await (isPage ? through(dwell) : show(how))) !== true) return before;
		const after = await afterScroll(opened, scope, wanted, before);
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
	await opened.network.settle({ untilAnswered: true });
	const whole = await opened.find(scope, wanted);
	const again = besides(firstOf(before.count, whole), before);
	// What takes rows away is nothing that they come to, and of those that are there only in sight, others are gone by now.
	const isKept = again.count === before.count && !again.toCome;
	const added = whole.count - before.count;
	const toCome = added > 0 ? { count: added } : before.toCome;
	return { ...(isKept ? again : before), toCome };
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
 * The same of a page, or of a single row, of which something was found `before`: what has gone by scrolling, as what closes
 * then, was there; and where nothing was blank, what `all` finds is left out behind as much as before: a page that goes on
 * for ever brings more each time. Of several rows, each may stand in the place of another one by now.
 */
function besides(found: Found, before: Found): Found {
	if (found.count !== 1 || before.count !== 1) return found;
	const isWhole = !hasBlank(before);
	const values = found.values.map((said, index) => {
		const was = before.values[index] ?? [];
		if (!said.some(saysAnything)) return was.some(saysAnything) ? was : said;
		return isWhole && was.length > 1 && said.length > was.length ? said.slice(0, was.length) : said;
	});
	return { ...found, values };
}

interface HowToGoThrough {
	/** Milliseconds at each part. */
	dwell: number;
	/** Nothing is done where what these selectors find first is all in sight, or above; without any, it is. */
	ahead: string[];
}

/** Runs in the page, so it can use nothing that is outside of it. False where nothing scrolls. */
async function scrollThrough(
	{ own, nextFrame, loopElements }: DocumentState,
	{ dwell, ahead, ...most }: typeof limits & HowToGoThrough,
): Promise<boolean> {
	const isAhead = (selector: string) => {
		const [first] = loopElements.all(document, selector);
		return first instanceof Element && own(first).getBoundingClientRect().top >= innerHeight;
	};
	if (ahead.length > 0 && !ahead.some(isAhead)) return false;
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
			if (own(each).scrollTop === scrollTop) break;
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
	const scrollerOf = (element: Element) => {
		for (let at = own(element).parentElement; at && at !== page; at = own(at).parentElement) {
			const isLonger = own(at).scrollHeight > own(at).clientHeight + 1;
			if (isLonger && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
		}
		return page;
	};
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
		const scroller = scrollerOf(each);
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
