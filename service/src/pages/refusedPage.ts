import { outageOf } from './outage.ts';
import { PageError } from './page.ts';

/** What the HTTP statuses mean that people meet most; others get their number alone. */
const meanings: Record<number, string> = {
	206: 'the site has sent a part of the page only',
	401: 'the page is for people who have signed in',
	403: 'the site refuses to show the page',
	404: 'the page does not exist',
	408: 'the site has waited too long for the request',
	410: 'the page is gone for good',
	429: 'the site was asked too often',
	451: 'the page may not be shown for legal reasons',
	500: 'something went wrong on the site',
	502: 'the site is not available now',
	503: 'the site is not available now',
	504: 'the site is not available now',
};

/** A site has answered with a status that is no success; `through`: by which proxy, if any. */
export function refusedPage(
	url: string,
	{
		status,
		retryAfter,
		through,
		answeredBy = url,
	}: { status: number; retryAfter: string | null; through: string; answeredBy?: string },
): PageError {
	const meaning = meanings[status];
	const what = meaning === undefined ? `HTTP ${status}` : `HTTP ${status}, ${meaning}`;
	return new PageError(`${url} could not be opened: ${what}${through}.`, {
		url: answeredBy,
		outage: outageOf(status, retryAfter),
	});
}
