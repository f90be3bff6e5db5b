import type { Page } from '../pages/page.ts';
import type { Step } from '../tasks/task.ts';

/**
 * Returns how a loop over texts comes back to the open page, as `back` does, for a round that begins with this step. Where
 * what the step uses is not to be seen any more, scripts have put what was found in the place of the form that it is in:
 * then, and for all rounds after it, the page comes anew.
 */
export function backToField(page: Page, step: Step | undefined, back: () => Promise<void>) {
	const here = page.bookmark();
	const selector =
		(step?.type === 'inputText' || step?.type === 'click') && 'selector' in step.config
			? step.config.selector
			: undefined;
	const { forget } = here;
	if (selector === undefined || forget === undefined || !here.isAsOpened) return back;
	let [hasBegun, isGone] = [false, false];
	return async () => {
		if (isGone) forget();
		await back();
		if (hasBegun && !isGone) {
			isGone = ['missing', 'hidden'].includes(await page.presence(selector));
			if (!isGone) return;
			forget();
			await back();
		}
		hasBegun = true;
	};
}
