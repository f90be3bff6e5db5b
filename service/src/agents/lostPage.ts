import { PageError } from '../pages/page.ts';

/** The page that a round of a loop is to begin on is lost: that is as clicks have made it. */
export function lostPage(url: string): PageError {
	const reason = `The loop goes on from what clicks have made of ${url}, which its address does not bring again: it ends here.`;
	return new PageError(reason, { url });
}
