import { listAt, objectAt } from '../../../playground/json.ts';
import { plainText } from '../../support/service/plainText';
import { policyFile, sqliteFile } from './newUserTasks';

// What the tasks are to find, from the files of the packages and without any HTML parser.

const entities: Record<string, string> = {
	larr: '←',
	rarr: '→',
	pi: 'π',
	nbsp: '\u00a0',
	'#91': '[',
	'#93': ']',
	'#94': '^',
};

/** Each release that has a page of its own: what the list says of it, and what the page says. */
export function expectedReleases(list: string) {
	const entry =
		/<tr><td[^>]*><a href='[^']*\?c=(\w+)&y=ci'>([-\d]+)<\/a><\/td>\s*<td[^>]*><a href="([^"]*)">([\d.]+)<\/a>/g;
	return [...sqliteFile('chronology.html').matchAll(entry)].map(
		([, checkIn, date, file, version]) => {
			const html = sqliteFile(file);
			const sourceId = /SQLITE_SOURCE_ID:\s+"?([-\d]+ [\d:]+\s+[\da-f]+)/.exec(html)?.[1];
			return {
				Date: date,
				Version: version,
				'Check-in': checkIn,
				Changes: outerItems(html).map(blockText).join('\n'),
				'Source ID': sourceId?.replace(/\s+/g, ' ') ?? 'unknown',
				Page: new URL(file, list).href,
				Software: 'SQLite',
			};
		},
	);
}

/** What stands in the items of the lists of class "lessindent", lists inside of them included. */
function outerItems(html: string): string[] {
	const items: string[] = [];
	let depth = 0;
	for (const piece of html.split(/(?=<\/?(?:li|ol|ul)\b)/)) {
		if (/^<\/[ou]l/.test(piece) && depth > 0) depth--;
		if (depth === 1 && piece.startsWith('<li')) items.push(piece);
		else if (depth > 0 && items.length > 0) items.push(`${items.pop()}${piece}`);
		if (depth > 0 ? /^<[ou]l/.test(piece) : piece.startsWith("<ol class='lessindent'")) depth++;
	}
	return items;
}

/** Text in which blocks are apart, as readers see them. */
function blockText(html: string): string {
	const apart = html
		.replace(/<(?![/a-z!])/gi, '&lt;')
		.replace(/<\/?(?:li|ol|ul|p|br|div)\b/g, ' $&');
	return plainText(
		apart.replace(/&(larr|rarr|pi|nbsp|#91|#93|#94);/g, (_all, name: string) => entities[name]),
	);
}

/** Each heading of the policy, from its first page on along "next". */
export function expectedSections(policy: string) {
	const rows: Record<string, string>[] = [];
	for (let file: string | undefined = 'index.html'; file !== undefined;) {
		const html = policyFile(file);
		const heading =
			/<h([1-4])>((?:(?!<\/h\1>).)*<a class="headerlink" href="(#[^"]*)"[^>]*>¶<\/a>)<\/h\1>/gs;
		for (const [, , inside, anchor] of html.matchAll(heading)) {
			const number = /<span class="section-number">([\d.]+)\. <\/span>/.exec(inside)?.[1];
			rows.push({
				Number: number ?? 'none',
				Title: plainText(inside.replace(/<span class="section-number">.*?<\/span>/, '')).replace(
					/¶$/,
					'',
				),
				HTML: inside,
				Link: `${policy}/${file}${anchor}`,
				File: file,
			});
		}
		file = /<link rel="next" title="[^"]*" href="([^"]*)"/.exec(html)?.[1];
	}
	return rows;
}

/** Words to look for, and how the policy's search index spells their stems. */
const stems = { epoch: 'epoch', udeb: 'udeb', conffile: 'conffil' };

/** What the policy's own search has to find: the pages of a word, and sections that are called so. */
export function expectedHits(policy: string) {
	const script = policyFile('searchindex.js');
	const index: unknown = JSON.parse(
		script.slice('Search.setIndex('.length, script.lastIndexOf(')')),
	);
	const files = listAt(index, 'docnames').map((name) => `${String(name)}.html`);
	const titles = listAt(index, 'titles').map((title) => plainText(String(title)));
	return Object.entries(stems).flatMap(([word, stem]) => {
		const pages = [objectAt(index, 'terms')[stem], objectAt(index, 'titleterms')[stem]].flat();
		const hits = pages
			.filter((page) => typeof page === 'number')
			.map((page) => ({ Title: titles[page], Link: `${policy}/${files[page]}` }));
		for (const [title, places] of Object.entries(objectAt(index, 'alltitles'))) {
			if (!title.toLowerCase().includes(word) || title.length > word.length * 2) continue;
			for (const place of listAt(places)) {
				const [page, anchor] = listAt(place);
				const number = Number(page);
				hits.push({
					Title: `${titles[number]} > ${title}`,
					Link: `${policy}/${files[number]}#${String(anchor)}`,
				});
			}
		}
		return hits.map((hit) => ({
			Word: word,
			...hit,
			Asked: `search.html?q=${word}`,
			Book: 'Debian Policy',
		}));
	});
}

/** The letters of a page of the policy, by which a piece of it is recognised. */
export function lettersOf(link: string): string {
	const file = new URL(link).pathname.split('/').at(-1) ?? '';
	const html = policyFile(file).replace(/<a class="headerlink".*?<\/a>/gs, '');
	return letters(blockText(html).replaceAll('&#64;', '@'));
}

export function letters(text: string): string {
	return text.replace(/[^\p{L}\p{N}]/gu, '');
}
