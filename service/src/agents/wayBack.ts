import type { Bookmark, Page } from '../pages/page.ts';
import type { LoopStep, Step } from '../tasks/task.ts';
import type { PageTrail } from './pageTrail.ts';

/** Looks for what a round works on. `wasLeft`: another page was open before, and not that with what rounds have made of it. */
export type IsThere = (wasLeft: boolean) => Promise<boolean>;

/** How the rounds of a loop come back to the page that it began on. */
export interface WayBack {
	back: () => Promise<void>;
	/** Behind the last round. */
	end: () => Promise<void>;
	/** Whether its rounds only open something, or choose it, for the steps behind it. */
	isForLater: boolean;
	/**
	 * After each round: what is for later stays, also where that has led to another page with the list, as each choice of a
	 * filter does. Then the next round goes on from there.
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
	const isForLater = loop !== undefined && onlyOpens(loop.steps);
	const list = loop && 'selector' in loop ? loop.selector : undefined;
	let bookmark = page.bookmark();
	// None may be open yet, but where there is a list.
	let address = isForLater && list !== undefined ? page.address() : '';
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
		const here = bookmark.now();
		last = undefined;
		if (bookmark.isOpen()) {
			bookmark = here;
			return;
		}
		// Elements are looked for inside of what was entered before the loop.
		await here.goBack();
		if (list !== undefined && !isWithoutList && (await page.has(list))) {
			[bookmark, address, hasMoved] = [here, page.address(), true];
			return;
		}
		isWithoutList = true;
		// All of it may be chosen by now.
		if (pathOf(page.address()) === pathOf(address)) last = here;
	};
	return { back: begin, end: () => (last ? last.goBack() : back()), isForLater, keep };
}

/** An address without what a page may say of itself in it. */
const pathOf = (address: string) => address.replace(/[?#].*$/, '');

/** Whether rounds click once each, and read nothing. With more clicks, one may send what the others have chosen. */
function onlyOpens(steps: Step[]): boolean {
	const isOpening = (step: Step) =>
		['click', 'wait'].includes(step.type) || (step.type === 'loop' && onlyOpens(step.config.steps));
	return steps.every(isOpening) && steps.filter(({ type }) => type === 'click').length <= 1;
}

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
