import type { Page, PageError } from '../pages/page.ts';
import { lacksAColumn, type Fingerprint } from '../pages/seenPages.ts';

// Why a page of a loop by page may be missing, or lack something, in sentences for people.

export function openedAnew(url: string): string {
	return `going back to ${url}, its address was opened, which brings nothing of what steps had made of the page: it reads the same, but what leads on may lead through another list`;
}

export function sentAgain({ message }: PageError): string {
	return `what a click had sent was sent again (${message}): a site that counts by itself how far its visitor is leaves a page out then, if it had counted the first`;
}

export function hiddenBeside(url: string): string {
	return `${url} has rows that are hidden beside those that it shows, and are none of what the next step shows: they were not read there, and are from here on; where they count, let a click show them first, else narrow the selector to the shown ones`;
}

/** Of one behind which others have come. */
export function readsAsBefore(url: string): string {
	return `${url} reads as a page before it does: where its site, or a cache, has given that once more, its rows are there twice, and those of this page are missing`;
}

/** Of so many pages before an end that read as others, where that does not show that they are others. */
export function leftOut(alike: number, repeatsRows: boolean): string {
	if (alike === 0)
		return repeatsRows
			? ', and the one before it has the same rows: where it is that page once more, they are there twice'
			: '';
	const pages = alike === 1 ? 'a page that reads' : `${alike} pages that read`;
	return `, after ${pages} as one before does, whose rows are left out; where they have addresses of their own, a column of the source "pageUrl" tells them apart`;
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
