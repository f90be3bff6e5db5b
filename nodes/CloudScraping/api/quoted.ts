/**
 * What somebody else's text becomes where it is shown: n8n renders errors and hints as HTML. What stands in
 * `<` and `>` would be missing, and `&region` would read `®ion`; before a space, an `&` begins nothing.
 */
export function quoted(text: string): string {
	return text
		.replaceAll('<', '‹')
		.replaceAll('>', '›')
		.replaceAll(/&(?=#?\w)/g, '& ');
}

/** What is said of a web page in place of its markup: its title, if it has one. Nothing for what is none. */
export function webPage(body: string): string | undefined {
	if (!/^\s*<(?:!doctype html|html|head)\b/i.test(body)) return undefined;
	const [, title = ''] = /<title\b[^>]*>([^<]*)/i.exec(body) ?? [];
	const text = unescaped(title).replaceAll(/\s+/g, ' ').trim();
	if (text === '') return 'a web page, and not the API';
	return `a web page with the title "${text.slice(0, maxTitleLength)}"`;
}

const maxTitleLength = 200;

const entities: ReadonlyMap<string, string> = new Map([
	['&amp;', '&'],
	['&lt;', '<'],
	['&gt;', '>'],
	['&quot;', '"'],
	['&#39;', "'"],
	['&nbsp;', ' '],
]);

function unescaped(text: string): string {
	return text.replaceAll(/&#?\w+;/g, (entity) => entities.get(entity) ?? entity);
}
