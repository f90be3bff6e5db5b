import type { Document } from 'domhandler';
import { textContent } from 'domutils';
import { innerText } from '../innerText.ts';
import { all, first } from '../select.ts';

/** Characters of text below which a page with scripts is taken for one that they have yet to make. */
const hardlyAny = 200;

/**
 * Whether a page that came as it is looks as if its scripts made it: it has some, and hardly any text, or
 * it says that it needs them.
 */
export function needsScripts(page: Document): boolean {
	const body = first('body', page);
	if (!body || !first('script', page)) return false;
	const text = innerText(body).replace(/\s+/g, ' ').trim();
	return (
		text.length < hardlyAny ||
		all('noscript', page).some((each) => /java-?script/i.test(shownIn(textContent(each))))
	);
}

/** The text of markup that browsers with scripts do not even parse. */
function shownIn(markup: string): string {
	return markup.replace(/<[^>]*>/g, ' ');
}
