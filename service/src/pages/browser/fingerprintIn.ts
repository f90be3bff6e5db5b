import type { Entered, LookAtPage, Reading } from '../page.ts';
import {
	fingerprintOf,
	hasSameValues,
	isRead,
	isWhole,
	type Fingerprint,
	type ReadContent,
} from '../seenPages.ts';
import { DocumentGone } from './isolatedWorld.ts';
import { htmlOf } from './htmlOf.ts';
import { elementTimeout, type OpenedTab } from './openedTab.ts';
import type { Patience } from './scrollOn.ts';
import {
	isAnother,
	keepsAColumn,
	keepsAllRows,
	readContent,
	readsTheSame,
	saysOtherBehind,
	untilAnswered,
} from './pageChange.ts';
import { timerLimits } from './timers.ts';
import { wantedBy } from './wantedBy.ts';

/** So often a page may go away while it is looked at. */
const maxLooks = 5;

/** Milliseconds for what a page has of elements to change, when what is read behind a click has changed already. */
const behindTimeout = 1_000;

type HowToLook = Pick<LookAtPage, 'isBeforeStep' | 'parts'> & { isAfterClick?: boolean };

/** What is to be read, inside of what was entered, and how it is looked at. */
interface Look extends LookAtPage {
	scope: Entered[];
	readings: Reading[];
}

/**
 * What tells the open page from others. Given the one `before` a click, waits until that has changed what is
 * read. Throws a PageError where nothing has changed that had to, and data has failed to come.
 */
export async function fingerprintIn(
	opened: OpenedTab,
	{ before, patience, earlier, isBeforeStep = false, parts, ...wanted }: Look,
	{ timeout, rest }: Patience,
): Promise<Fingerprint> {
	const { network } = opened;
	if (!before) return lookOnceThere(opened, wanted, { isBeforeStep, parts });
	let partsHaveGone = false;
	const look = async () => {
		const seen = await lookOnceThere(opened, wanted, { parts, isAfterClick: true });
		partsHaveGone ||= seen.partsHaveGone === true;
		return seen;
	};
	let now = await look();
	let isByChance = false;
	const isBehind = () => saysOtherBehind(now, before);
	const usual = () => (isBehind() ? behindTimeout : elementTimeout);
	// What a click is there for may come at a time that scripts have set then.
	const hasTimes = async (passed: number) =>
		passed < timerLimits.longestOfClick && !isBehind() && (await timeLeft(opened, 'ofClick')) > 0;
	const mayChange =
		patience === undefined
			? untilAnswered(network.data, { usual, most: timeout, hasTimes })
			: whileGoingOn(opened, () => (isRead(now.read) ? patience : elementTimeout), {
					isThere: () => isWhole(now, before),
					isPartly: () => isPartly() || isOfEarlier(),
					byChance: () => (isByChance ||= opened.steps.isLeft),
				});
	// A name may come at once, and its price a moment later; rows may come, and those before go a moment later.
	const isPartly = () =>
		patience !== undefined &&
		!network.hasOpened &&
		(keepsAColumn(now, before) || keepsAllRows(now, before));
	// What is shown again may still say what it did of another entry.
	const isOfEarlier = () =>
		earlier !== undefined &&
		!network.hasOpened &&
		isRead(now.read) &&
		isAnother(now, before, false) &&
		hasSameValues(now, earlier);
	const isDone = () =>
		!isPartly() &&
		!isOfEarlier() &&
		!network.isLoading &&
		isAnother(now, before, network.hasOpened) &&
		// Whatever a click changes at once, as the look of its link, what it is there for may come later.
		(patience === undefined || isRead(now.read));
	while (!isDone() && (network.isLoading || (await mayChange()))) {
		if (!network.isLoading) {
			await rest();
			now = await look();
			if (!isDone() && (await mayChange())) continue;
		}
		await network.settle();
		now = await look();
	}
	const isOther = isBehind();
	if (!isDone() && !isOther && patience === undefined) {
		const isThere = isWhole(now, before);
		const done = isThere ? 'changed nothing that is read' : 'brought nothing of what is read';
		await opened.checkAnswers(`A click has ${done}.`, { isWhole: isThere });
	}
	if (isByChance) opened.steps.note(isDone());
	const isSame = !network.hasOpened && !isOther && readsTheSame(now, before);
	return {
		...now,
		content: isSame ? before.content : now.content,
		byAddress: now.byAddress || now.address !== before.address,
		partsHaveGone,
	};
}

/**
 * Whether something may still come of a step: for `patience` milliseconds where a part of what is read is as before, or all
 * as it was of an entry before, and scripts go on in a moment, where scripts have begun something, or by chance, and up to `elementTimeout` where what was
 * there to be read is not there now, or data is on its way.
 */
function whileGoingOn(
	opened: OpenedTab,
	patience: () => number,
	{ isThere, isPartly, byChance }: Record<'isThere' | 'isPartly' | 'byChance', () => boolean>,
): () => Promise<boolean> {
	const { world, network } = opened;
	const begun = performance.now();
	const hasBegunInStep = async () => {
		const hasBegun = world.call((state) => state.hasBegunInStep(), undefined);
		// A page that has gone away meanwhile is followed by another.
		return network.isLive || (await hasBegun.catch(() => true)) === true;
	};
	return async () => {
		const passed = performance.now() - begun;
		if (passed >= elementTimeout) return false;
		if (!isThere() || network.data.unanswered.length > 0) return true;
		if (passed >= patience()) return false;
		if (isPartly()) return (await timeLeft(opened, 'all')) > 0;
		if (await hasBegunInStep()) return true;
		// What a database of the browser says, or a long computation, is announced by nothing.
		return byChance();
	};
}

/** Milliseconds, see `TimesLeft`; none where the page has gone away meanwhile. */
async function timeLeft({ world }: OpenedTab, of: 'all' | 'ofClick'): Promise<number> {
	const left = world.call((state, which) => state.timesLeft()[which], of);
	return Number(await left.catch(() => 0));
}

/** Looks at the page, or at the one that has come meanwhile: nothing was entered on that. */
async function lookOnceThere(
	opened: OpenedTab,
	{ scope, readings }: Look,
	{ isBeforeStep = false, parts, isAfterClick = false }: HowToLook,
): Promise<Fingerprint> {
	for (let tries = 1; ; tries += 1) {
		const within = isAfterClick && opened.network.hasOpened ? [] : scope;
		try {
			return await lookIn(opened, { scope: within, readings, isBeforeStep, parts });
		} catch (error) {
			if (!(error instanceof DocumentGone) || tries === maxLooks) throw error;
			await opened.network.settle();
		}
	}
}

/** Takes note of what is seen of it on the whole page. */
async function noteOnPage(elements: OpenedTab['elements'], reading: Reading): Promise<void> {
	const { values, ...wanted } = wantedBy(reading, []);
	const needed = reading.selector === undefined ? values : [];
	await elements.look([], { ...wanted, values: needed, isBeforeStep: true });
}

async function lookIn(
	{ tab, world, network, elements }: OpenedTab,
	{ scope, readings, isBeforeStep, parts }: Look & { isBeforeStep: boolean },
) {
	const isPart = parts === 'there';
	if (parts === 'come') await world.call(({ shownParts }) => shownParts.forget(), undefined);
	const read: ReadContent[] = [];
	const beside: ReadContent[] = [];
	const behind: ReadContent[] = [];
	for (const reading of readings) {
		// Behind the step, another address may have come, and all of it counts from the page.
		if (isBeforeStep && scope.length > 0) await noteOnPage(elements, reading);
		const { values, ...wanted } = wantedBy(reading, scope);
		const each = { ...wanted, isBeforeStep, isPart, values: [...values, {}, { html: true }] };
		const content = readContent(await elements.look(scope, each), reading);
		(reading.isBehind ? behind : reading.isBeside ? beside : read).push(content);
	}
	const html = await htmlOf(world);
	const how = { byAddress: network.navigations.openedByAddress, read, beside, behind };
	const haveGone =
		isPart && (await world.call(({ shownParts }) => shownParts.haveGone(), undefined));
	return { ...fingerprintOf(tab.url(), html, how), partsHaveGone: haveGone === true };
}
