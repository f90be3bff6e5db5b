import { gzipSync } from 'node:zlib';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { consoleClient } from '../support/service/console';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite, type Site, type SiteAnswer } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Feeds and other XML are read as XML: to a parser of HTML, `link` has no text, and CDATA is a comment.

const rss = `<?xml version="1.0"?>
<!-- by hand -->
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>News</title><atom:link href="/rss" rel="self"/><link>/</link>
<item><title>One &amp; &#x201C;only&#x201D;</title><link>/detail?n=1</link>
<description><![CDATA[<p>First & <b>best</b></p>]]></description>
<dc:creator>Ann</dc:creator><pubDate>Mon, 06 Jan 2025</pubDate><enclosure url="/1.mp3" Length="5"/></item>
<item><title><![CDATA[Two]]> of two</title><link>
/detail?n=2</link>
<description>&lt;p&gt;Second&lt;/p&gt;</description>
<media:title>Not this</media:title><dc:creator>Ben</dc:creator><pubDate/></item>
</channel></rss>`;

const entry = (n: number) => `<entry><title>Entry ${n}</title><link rel="edit" href="/edit"/>
<link rel="alternate" href="/detail?n=${n}"/><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">
<p>About</p><p>${n}</p><a href="/elsewhere">x</a></div></content></entry>`;
const atom = (
	n: number,
) => `<feed xmlns="http://www.w3.org/2005/Atom">${entry(2 * n - 1)}${entry(2 * n)}
${n < 2 ? `<link rel="next" href="/atom?n=${n + 1}"/>` : ''}</feed>`;

const sitemap = (n: number) =>
	n > 0
		? `<urlset><url><loc>/detail?n=${2 * n - 1}</loc><image:image><image:loc>/picture</image:loc></image:image></url><url><loc> /detail?n=${2 * n} </loc></url></urlset>`
		: '<sitemapindex><sitemap><loc>/sitemap?n=1</loc></sitemap><sitemap><loc>/packed.xml.gz?n=2</loc></sitemap></sitemapindex>';

let site: Site;
let service: RunningService;
let client: CloudClient;
/** What the site answers with at `/page`. */
let page: SiteAnswer;

beforeAll(async () => {
	site = await startSite(({ url: { pathname, searchParams } }) => {
		const n = Number(searchParams.get('n'));
		const answers: Record<string, () => SiteAnswer> = {
			'/page': () => page,
			'/rss': () => xml(rss),
			'/atom': () => xml(atom(n), 'application/atom+xml'),
			'/sitemap': () => xml(sitemap(n), 'application/xml'),
			'/packed.xml.gz': () => xml(gzipSync(sitemap(n)), 'application/x-gzip'),
			'/detail': () => `<h1>Detail ${n}</h1>`,
		};
		return answers[pathname]?.() ?? { status: 404 };
	});
	const open = (path: string) => step('navigate', { url: `${site.baseUrl}${path}` });
	const heading = extract({ Heading: 'h1' });
	const eachOf = (selector: string, steps: object[]) =>
		loop({ loopType: 'list', listType: 'elements', selector }, steps);
	service = await startService({
		tasks: {
			items: task('items', [
				open('/page'),
				extract(
					{
						Title: 'title',
						Link: 'link',
						Text: 'description',
						Markup: { selector: 'description', html: true },
						By: 'dc\\:creator',
						Date: 'pubDate',
						File: { selector: 'enclosure', attribute: 'url' },
						Length: { selector: 'enclosure', attribute: 'Length' },
					},
					'channel > item',
				),
			]),
			whole: task('whole', [open('/page'), extract({ Text: {}, Root: ':root > title' })]),
			paragraphs: task('paragraphs', [open('/page'), extract({ Text: {} }, 'p')]),
			followed: task('followed', [
				open('/rss'),
				eachOf('item', [step('navigate', { useLoopItem: true }), heading]),
			]),
			placed: task('placed', [
				open('/sitemap'),
				eachOf('sitemap', [
					step('navigate', { useLoopItem: true }),
					eachOf('url > loc', [step('click', { useLoopItem: true }), heading]),
				]),
			]),
			clicked: task('clicked', [
				open('/rss'),
				eachOf('item', [step('click', { selector: 'link' }), heading]),
			]),
			entries: task('entries', [
				open('/atom?n=1'),
				loop({ loopType: 'page', selector: 'feed > link[rel=next]', timesMode: 'all' }, [
					eachOf('entry', [
						extract({ Title: 'title', Text: 'content' }, undefined, { emit: false }),
						step('navigate', { useLoopItem: true }),
						heading,
					]),
				]),
			]),
		},
	});
	client = cloudClient(service);
});

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

function xml(body: string | Buffer, type = 'application/rss+xml'): SiteAnswer {
	return { headers: { 'content-type': type }, body };
}

async function rowsOf(name: string, answer: SiteAnswer = '') {
	page = answer;
	return (await client.run(uuidOf(name))).rows;
}

describe('a feed', () => {
	it.each(['application/rss+xml', 'application/xml', 'Text/XML; charset=utf-8', ''])(
		'is read as XML: %s',
		async (type) => {
			expect(await rowsOf('items', xml(rss, type))).toEqual([
				{
					Title: 'One & “only”',
					Link: '/detail?n=1',
					Text: '<p>First & <b>best</b></p>',
					Markup: '&lt;p&gt;First &amp; &lt;b&gt;best&lt;/b&gt;&lt;/p&gt;',
					By: 'Ann',
					Date: 'Mon, 06 Jan 2025',
					File: '/1.mp3',
					Length: '5',
				},
				{
					Title: 'Two of two',
					Link: '/detail?n=2',
					Text: '<p>Second</p>',
					Markup: '&lt;p&gt;Second&lt;/p&gt;',
					By: 'Ben',
					Date: '',
					File: '',
					Length: '',
				},
			]);
		},
	);

	it('leads to the pages of its items by the texts of their links', async () => {
		const headings = [{ Heading: 'Detail 1' }, { Heading: 'Detail 2' }];
		expect(await rowsOf('followed')).toEqual(headings);
		expect(await rowsOf('clicked')).toEqual(headings);
	});

	it('of addresses leads to these, and one of such feeds to their pages', async () => {
		const headings = [1, 2, 3, 4].map((n) => ({ Heading: `Detail ${n}` }));
		expect(await rowsOf('placed')).toEqual(headings);
	});

	it('of Atom leads to the pages of its entries, and on to its next part', async () => {
		expect(await rowsOf('entries')).toEqual(
			[1, 2, 3, 4].map((n) => ({
				Title: `Entry ${n}`,
				Text: `About ${n} x`,
				Heading: `Detail ${n}`,
			})),
		);
	});
});

it('XML cannot be pointed at, and says what to do', async () => {
	page = xml(rss);
	const visit = await consoleClient(service);
	const answer = await visit('/console/new', {
		method: 'POST',
		body: new URLSearchParams({ url: `${site.baseUrl}/page`, page: 'http' }),
	});
	expect(answer.status).toBe(400);
	expect(await answer.text()).toContain(
		'This is XML, such as a feed, which cannot be pointed at. Write',
	);
});

describe('XML', () => {
	it.each([
		['UTF-8 where nothing is said', '', '', 'utf8'],
		['what it says', '<?xml version="1.0" encoding="ISO-8859-1"?>', '', 'latin1'],
		[
			'what its header says',
			'<?xml version="1.0" encoding="UTF-8"?>',
			'; charset=latin1',
			'latin1',
		],
	] as const)('is in %s', async (_, declaration, charset, encoding) => {
		const body = Buffer.from(`${declaration}<a><title>Größe</title></a>`, encoding);
		const [row] = await rowsOf('whole', xml(body, `text/xml${charset}`));
		expect(row).toEqual({ Text: 'Größe', Root: 'Größe' });
	});

	it('that is a page of HTML is read as one', async () => {
		const body = `<!doctype html><html xmlns="http://www.w3.org/1999/xhtml"><p>One<p>Two${'<br>'.repeat(3_000)}</html>`;
		expect(await rowsOf('paragraphs', xml(body, 'application/xml'))).toEqual([
			{ Text: 'One' },
			{ Text: 'Two' },
		]);
	});

	it('has its own entities left as they are, and what is not in it not there', async () => {
		const body =
			'<!DOCTYPE a [<!ENTITY x "y">]><a><p constructor="c">&x;</p><p>&lt;<![CDATA[&lt;]]></p></a>';
		expect(await rowsOf('paragraphs', xml(body))).toEqual([{ Text: '&x;' }, { Text: '<&lt;' }]);
	});
});
