import type { Page, PageError } from '../pages/page.ts';
import { lacksAColumn, type Fingerprint } from '../pages/seenPages.ts';

// Why a page of a loop by page may be missing, or lack something, in sentences for people.

export function openedAnew(url: string): string {
	return `going back to ${url}, its address was opened, which brings nothing of what steps had made of the page: it reads the same, but what leads on may lead through another list`;
}

export function sentAgain({ message }: PageError): string {
	return `what a click had sent was sent again (${message}): a site that counts by itself how far its visitor is leaves a page out then, if it had counted the first`;
}

/** Of one behind which others have come. */
export function readsAsBefore(url: string): string {
	return `${url} reads as a page before it does: where its site, or a cache, has given that once more, its rows are there twice, and those of this page are missing`;
}

/**
 * Of a page behind a click: the data that was refused for it, or says that it failed. `saidBefore`: that of the page before
 * has said so, too: then it counts where a column says nothing in a row, or what it said there.
 */
export async function lackOf(
	page: Page,
	[before, after]: [Fingerprint, Fingerprint],
	saidBefore: boolean,
): Promise<{ reason: string | undefined; isSaid: boolean }> {
	const isInVain = lacksAColumn(after, [before]);
	const missing = await page.missing({ isInVain: true });
	const isSaid = missing?.isSaid === true;
	if (!missing?.isRefused && !(isSaid && (isInVain || !saidBefore)))
		return { reason: undefined, isSaid };
	const lack = isInVain
		? 'A column of what is behind the click is empty in a row for want of it, or as it was before.'
		: 'What is behind the click may lack something for want of it.';
	return { reason: `${missing.reason} ${lack}`, isSaid };
}
