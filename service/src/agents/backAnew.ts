import type { Bookmark, Page } from '../pages/page.ts';
import type { Step } from '../tasks/task.ts';

/**
 * Returns how the rounds of a loop come back to a page, as `back` does. Where that does not bring what they work on
 * (`isThere`), since scripts have put something else in its place, the page comes anew, then and for all rounds after it.
 */
export function backAnew(
	{ forget }: Bookmark,
	back: () => Promise<void>,
	isThere: () => Promise<boolean>,
): () => Promise<void> {
	if (forget === undefined) return back;
	let [hasBegun, isGone] = [false, false];
	return async () => {
		if (isGone) forget();
		await back();
		if (hasBegun && !isGone && !(await isThere())) {
			isGone = true;
			forget();
			await back();
		}
		hasBegun = true;
	};
}

/** Whether what a round begins with can be used: what was found may stand in the place of the form that it is in. */
export async function canBegin(page: Page, step: Step | undefined): Promise<boolean> {
	const isUsed = step?.type === 'inputText' || step?.type === 'click';
	if (!isUsed || !('selector' in step.config)) return true;
	return !['missing', 'hidden'].includes(await page.presence(step.config.selector));
}
