import { textContent } from 'domutils';
import { foldSpaces } from '../../pages/fieldValue.ts';
import type { HtmlDocument } from '../../pages/http/htmlDocument.ts';
import { innerText } from '../../pages/http/innerText.ts';
import { all, first } from '../../pages/http/select.ts';

/** Characters of text below which a page with scripts is taken for one that they have yet to make. */
const hardlyAny = 200;

/** Scripts that browsers run: others hold data. */
const running = [':not([type])', '[type=""]', '[type="module" i]', '[type*="javascript" i]']
	.map((type) => `script${type}`)
	.join();

/**
 * How probably a page that came as it is lacks what its scripts make of it: `likely` where it has hardly
 * any text, or says that it needs them; `possibly` where it has some.
 */
export function lackOfScripts({ page }: HtmlDocument): 'likely' | 'possibly' | undefined {
	const body = first('body', page);
	if (!body || !first(running, page)) return undefined;
	const text = foldSpaces(innerText(body));
	const isSaid = () =>
		all('noscript', page).some((each) => /java-?script/i.test(shownIn(textContent(each))));
	return text.length < hardlyAny || isSaid() ? 'likely' : 'possibly';
}

/** The text of markup that browsers with scripts do not even parse. */
function shownIn(markup: string): string {
	return markup.replace(/<[^>]*>/g, ' ');
}
