import type { Bookmark, Page } from '../pages/page.ts';
import { allSteps, type LoopStep, type Step } from '../tasks/task.ts';
import type { PageTrail } from './pageTrail.ts';

/** Looks for what a round works on. `wasLeft`: another page was open before, and not that with what rounds have made of it. */
export type IsThere = (wasLeft: boolean) => Promise<boolean>;

/** How the rounds of a loop come back to the page that it began on. */
export interface WayBack {
	back: () => Promise<void>;
	/** Behind the last round. */
	end: () => Promise<void>;
	/** Whether its rounds read nothing: what they open, choose or send is for the steps behind it. */
	isForLater: boolean;
	/**
	 * After each round: what is for later stays, also where that has led to another page with what rounds begin with, as
	 * each choice of a filter does. Then the next round goes on from there.
	 */
	keep: () => Promise<void>;
}

/** Remembers the page as it is now, with the loop by page that it is in, and what rounds of `loop` work on there (`isThere`). */
export function wayBack(
	page: Page,
	around: PageTrail | undefined,
	isThere?: IsThere,
	loop?: LoopStep['config'],
): WayBack {
	const trail = around?.isHere ? around : undefined;
	const steps = loop?.steps ?? [];
	const isForLater = loop !== undefined && readsNothing(steps);
	const isOfOne = doesOneThing(steps);
	const list = loop && 'selector' in loop ? loop.selector : undefined;
	const beginning = list ?? steps.map(selectorOf).find((each) => each !== undefined);
	let bookmark = page.bookmark();
	let address = page.address();
	/** Where the last round has led, if that is no page to go on from. */
	let last: Bookmark | undefined;
	let [hasMoved, isWithoutList] = [false, false];
	const goBack = () => (trail ? trail.back(bookmark) : bookmark.goBack());
	const anew = isThere ? backAnew(bookmark, goBack, isThere) : goBack;
	const back = () => (hasMoved ? bookmark.goBack() : anew());
	const begin = async () => {
		await back();
		await bookmark.reopen?.();
	};
	const keep = async () => {
		if (!isForLater) return;
		// What is opened to choose there is opened by each round.
		const here = bookmark.now({ choicesAlone: !isOfOne });
		last = undefined;
		if (bookmark.isOpen()) {
			bookmark = here;
			return;
		}
		// Elements are looked for inside of what was entered before the loop.
		await here.goBack();
		const isHere = pathOf(page.address()) === pathOf(address);
		// Of rounds that do more, each may end on a page of its own that has a list as well, as that of an article has.
		const mayGoOn = isHere || (isOfOne && list !== undefined);
		if (mayGoOn && beginning !== undefined && !isWithoutList && (await page.has(beginning))) {
			[bookmark, address, hasMoved] = [here, page.address(), true];
			return;
		}
		isWithoutList = true;
		// All of it may be chosen by now.
		if (isHere && list !== undefined) last = here;
	};
	return { back: begin, end: () => (last ? last.goBack() : back()), isForLater, keep };
}

/** An address without what a page may say of itself in it. */
const pathOf = (address: string) => address.replace(/[?#].*$/, '');

/** Whether rounds read nothing, and open no pages of their own. */
const readsNothing = (steps: Step[]) =>
	allSteps(steps).every(({ type }) => ['click', 'inputText', 'wait', 'loop'].includes(type));

/** Whether rounds click once each, or type once. */
function doesOneThing(steps: Step[]): boolean {
	const done = steps.filter(({ type }) => type !== 'wait');
	const isOne = (step: Step) => step.type !== 'loop' || doesOneThing(step.config.steps);
	return done.filter(({ type }) => type !== 'loop').length <= 1 && done.every(isOne);
}

const selectorOf = ({ config }: Step): string | undefined =>
	'selector' in config ? config.selector : undefined;

/**
 * Returns how the rounds of a loop come back to a page, as `back` does. Where that does not bring what they work on, since
 * scripts have put something else in its place, the page comes anew, then and for all rounds after it.
 */
function backAnew(
	{ isOpen, forget }: Bookmark,
	back: () => Promise<void>,
	isThere: IsThere,
): () => Promise<void> {
	if (forget === undefined) return back;
	let [hasBegun, isGone] = [false, false];
	return async () => {
		if (isGone) forget();
		const wasLeft = !isOpen();
		await back();
		if (hasBegun && !isGone && !(await isThere(wasLeft))) {
			isGone = true;
			forget();
			await back();
		}
		hasBegun = true;
	};
}

/** A loop over elements needs some; on the page itself, clicks on them may have taken them away. */
export const needsList =
	(page: Page, selector: string): IsThere =>
	async (wasLeft) =>
		!wasLeft || page.has(selector);

/** A round needs what it begins with: what was found may stand in the place of the form that it is in. */
export const needsBeginning =
	(page: Page, step: Step | undefined): IsThere =>
	async () => {
		const isUsed = step?.type === 'inputText' || step?.type === 'click';
		if (!isUsed || !('selector' in step.config)) return true;
		return !['missing', 'hidden'].includes(await page.presence(step.config.selector));
	};
