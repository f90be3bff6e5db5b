import { pathToFileURL } from 'node:url';
import { describeOnBothPages } from '../support/service/browser';
import type { SiteAnswer } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

// The same steps do the same on both kinds of pages: every test runs on each.

let ground: Ground;

const list = (...items: string[]) =>
	`<ul>${items.map((item) => `<li><a href="/item/${item}">${item}</a> <b>${item.length}</b></li>`).join('')}</ul>`;

/** Addresses that no page is read from. */
const otherSchemes = [
	pathToFileURL(__filename).href,
	'data:text/html,<p>data</p>',
	'chrome://version/',
	'about:blank',
];

const pages: Record<string, string> = {
	'/list/1': `${list('one', 'two')}<a class="next" href="2">next</a>`,
	'/list/2': `${list('three')}<a class="next" href="/list/3">next</a>`,
	'/list/3': list('four', 'five'),
	'/base': '<base href="/list/"><a id="go" href="3">three</a><img src="x.png">',
	'/form': '<form action="/echo"><input name="q" value="before"><button>Go</button></form>',
	'/other-schemes': otherSchemes.map((url) => `<a href="${url}">${url}</a>`).join(''),
	'/spaces':
		'<div class="row"><template>t</template>\n\t<i>  a\n  b </i>\t<span data-x="  y ">z</span></div>',
	'/nested': '<section><h2>A</h2><p>1</p><p>2</p></section><section><h2>B</h2><p>3</p></section>',
};

const tasks = {
	links: task('links', [
		step('navigate', { url: '{base}/list/1' }),
		step('click', { selector: 'a.next', waitFor: 'b' }),
		extract({ Name: 'a', Link: { selector: 'a', attribute: 'href' } }, 'li'),
	]),
	base: task('base', [
		step('navigate', { url: '{base}/base' }),
		extract({ Image: { selector: 'img', attribute: 'src' } }),
		step('click', { selector: '#go' }),
		extract({ Name: 'a' }, 'li'),
	]),
	urls: task('urls', [
		loop({ loopType: 'list', listType: 'urlList', urls: ['{base}/list/3', '{base}/list/2'] }, [
			step('navigate', { useLoopItem: true }),
			extract({ Name: 'a' }, 'li'),
		]),
	]),
	texts: task('texts', [
		step('navigate', { url: '{base}/form' }),
		loop({ loopType: 'list', listType: 'textList', texts: ['x', 'y'] }, [
			step('inputText', { selector: 'input', useLoopItem: true }),
			step('click', { selector: 'button' }),
			extract({ Query: { selector: '.q' } }),
		]),
	]),
	elements: task('elements', [
		step('navigate', { url: '{base}/list/1' }),
		loop({ loopType: 'page', selector: 'a.next', timesMode: 'all' }, [
			loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
				extract({ Length: 'b' }),
				step('navigate', { useLoopItem: true }),
				extract({ Title: 'h1' }),
			]),
		]),
	]),
	clickedElements: task('clickedElements', [
		step('navigate', { url: '{base}/list/1' }),
		loop({ loopType: 'list', listType: 'elements', selector: 'li a' }, [
			step('click', { useLoopItem: true }),
			extract({ Title: 'h1' }),
		]),
	]),
	somePages: task('somePages', [
		step('navigate', { url: '{base}/list/1' }),
		loop({ loopType: 'page', selector: 'a.next', timesMode: 'custom', times: 2 }, [
			extract({ Name: 'a' }, 'li'),
		]),
	]),
	count: task('count', [
		step('navigate', { url: '{base}/list/1' }),
		loop({ loopType: 'count', times: 2 }, [
			extract({ Name: 'a' }, 'li'),
			step('click', { selector: 'a.next' }),
		]),
	]),
	spaces: task('spaces', [
		step('navigate', { url: '{base}/spaces' }),
		extract(
			{
				Folded: 'i',
				Exact: { selector: 'i', trim: false },
				Attribute: { selector: 'span', attribute: 'data-x' },
				Missing: 'u',
				'Missing attribute': { selector: 'i', attribute: 'title' },
			},
			'.row',
		),
	]),
	nested: task('nested', [
		step('navigate', { url: '{base}/nested' }),
		loop({ loopType: 'list', listType: 'elements', selector: 'section' }, [
			loop({ loopType: 'list', listType: 'elements', selector: 'p' }, [extract({ Number: {} })]),
		]),
	]),
	otherSchemes: task('otherSchemes', [
		step('navigate', { url: '{base}/other-schemes' }),
		loop({ loopType: 'list', listType: 'elements', selector: 'a' }, [
			step('navigate', { useLoopItem: true }, 'open a link'),
			extract({ Linked: 'body' }),
		]),
		loop({ loopType: 'list', listType: 'textList', texts: otherSchemes }, [
			step('navigate', { useLoopItem: true }, 'open a text'),
			extract({ Listed: 'body' }),
		]),
	]),
	waits: task('waits', [
		step('navigate', { url: '{base}/late' }),
		step('wait', { milliseconds: 400 }),
		step('wait', { selector: 'b' }),
		extract({ Late: 'b' }),
		step('wait', { selector: '.never' }),
		extract({ Never: 'b' }),
	]),
	latin1: task('latin1', [step('navigate', { url: '{base}/latin1' }), extract({ Text: 'p' })]),
	redirect: task('redirect', [
		step('navigate', { url: '{base}/moved' }),
		extract({ Link: { selector: 'a', attribute: 'href' } }, 'li:first-child'),
	]),
};

beforeAll(async () => {
	ground = await startOnBothPages(tasks, ({ url }): SiteAnswer => {
		const page = pages[url.pathname];
		if (page !== undefined) return page;
		if (url.pathname.startsWith('/item/')) return `<h1>${url.pathname.slice(6)}!</h1>`;
		if (url.pathname === '/late') return '<b>late</b>';
		if (url.pathname === '/moved') return { status: 302, headers: { location: '/list/2' } };
		if (url.pathname === '/latin1') {
			return {
				headers: { 'content-type': 'text/html; charset=iso-8859-1' },
				body: Buffer.from('<p>Grün</p>', 'latin1'),
			};
		}
		if (url.pathname === '/echo') return `<p class="q">${url.searchParams.get('q')}</p>`;
		return { status: 404 };
	});
}, 300_000);

afterAll(() => ground?.stop());

const names = (...list: string[]) => list.map((Name) => ({ Name }));

describeOnBothPages('on a page of kind', (page) => {
	async function rowsOf(name: keyof typeof tasks): Promise<Record<string, string>[]> {
		return (await ground.client.run(uuidOf(`${name} ${page}`))).rows;
	}

	test.concurrent('follows a link and reads rows, addresses made absolute', async () => {
		expect(await rowsOf('links')).toEqual([
			{ Name: 'three', Link: `${ground.site.baseUrl}/item/three` },
		]);
	});

	test.concurrent('counts relative addresses from the base element', async () => {
		expect(await rowsOf('base')).toEqual([
			{ Image: `${ground.site.baseUrl}/list/x.png`, Name: '' },
			{ Image: '', Name: 'four' },
			{ Image: '', Name: 'five' },
		]);
	});

	test.concurrent('loops over a list of URLs', async () => {
		expect(await rowsOf('urls')).toEqual(names('four', 'five', 'three'));
	});

	test.concurrent('loops over a list of texts, from the same page each time', async () => {
		expect(await rowsOf('texts')).toEqual([{ Query: 'x' }, { Query: 'y' }]);
	});

	test.concurrent(
		'loops over the elements of each page and comes back to go to the next',
		async () => {
			expect(await rowsOf('elements')).toEqual(
				['one', 'two', 'three', 'four', 'five'].flatMap((name) => [
					{ Length: String(name.length), Title: '' },
					{ Length: '', Title: `${name}!` },
				]),
			);
		},
	);

	test.concurrent('clicks the elements of a loop themselves', async () => {
		expect(await rowsOf('clickedElements')).toEqual([{ Title: 'one!' }, { Title: 'two!' }]);
	});

	test.concurrent('loops by page for a number of times', async () => {
		expect(await rowsOf('somePages')).toEqual(names('one', 'two', 'three'));
	});

	test.concurrent('loops by count, each time from where the last one ended', async () => {
		expect(await rowsOf('count')).toEqual(names('one', 'two', 'three'));
	});

	test.concurrent('nests loops over elements', async () => {
		expect(await rowsOf('nested')).toEqual([{ Number: '1' }, { Number: '2' }, { Number: '3' }]);
	});

	test.concurrent(
		'folds white space unless told not to, and leaves what is missing empty',
		async () => {
			expect(await rowsOf('spaces')).toEqual([
				{
					Folded: 'a b',
					Exact: '  a\n  b ',
					Attribute: 'y',
					Missing: '',
					'Missing attribute': '',
				},
			]);
		},
	);

	test.concurrent(
		'waits for a time and for an element, not beyond one that never comes',
		async () => {
			const begin = Date.now();
			expect(await rowsOf('waits')).toEqual([{ Late: 'late', Never: '' }]);
			expect(Date.now() - begin).toBeGreaterThanOrEqual(400);
		},
	);

	test.concurrent('reads pages in the encoding that they say', async () => {
		expect(await rowsOf('latin1')).toEqual([{ Text: 'Grün' }]);
	});

	test.concurrent('opens http and https addresses only, wherever they come from', async () => {
		expect(await rowsOf('otherSchemes')).toEqual([]);
	});

	test.concurrent('follows redirects and counts addresses from where they lead', async () => {
		expect(await rowsOf('redirect')).toEqual([{ Link: `${ground.site.baseUrl}/item/three` }]);
	});
});
