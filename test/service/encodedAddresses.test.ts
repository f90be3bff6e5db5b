import { sample } from '../support/length';
import type { Page } from 'playwright-core';
import { HtmlDocument } from '../../service/src/pages/http/htmlDocument.ts';
import { useChromium } from '../support/inProcess/chromium';
import { startService } from '../support/inProcess/startService';
import { describeOnBothPagesAtLength, describeWithBrowser } from '../support/service/browser';
import { pointByRequests } from '../support/service/pointByRequests';
import type { SiteAnswer } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

// Letters in the query of an address are bytes of the encoding that the page is in.

const encodings =
	`utf-8 utf-16le iso-8859-1 iso-8859-2 iso-8859-7 iso-8859-8-i iso-8859-15 windows-1251 windows-1252
	windows-1256 koi8-r koi8-u ibm866 macintosh x-mac-cyrillic gb2312 gbk gb18030 big5 euc-jp shift_jis
	iso-2022-jp euc-kr`.split(/\s+/);

/** Written as references, which are the same letters in any encoding. */
const letters = 'é € ß книги Ω שלום 書籍 表ソ ｶﾅ ～ 정보 똠 𠮷 \u{fffd} ’'.replace(
	/\P{ASCII}/gu,
	(letter) => `&#${letter.codePointAt(0)};`,
);

const markup = `<!doctype html><title>x</title>
	<a href="/ü${letters}/?a=${letters}&amp;b='&quot;&lt;>\\%zz#${letters}">x</a>
	<a href="?${letters}?${letters}">x</a><a href="//other.example?${letters}">x</a>
	<a href="#${letters}?${letters}">x</a><a href="mailto:x?${letters}">x</a>
	<form action="/?dropped=${letters}"><input name="a${letters}" value="${letters}*-._~ +&amp;=%"><button></button></form>
	<form accept-charset="none, koi8-r"><input name=a value="${letters}"><input type=hidden name=_charset_><button></button></form>`;

describeWithBrowser('as in Chromium, on a page in', () => {
	const browser = useChromium();
	const address = 'http://shop.example/list?x';

	test.each(sample(encodings))('%s', async (encoding) => {
		const page = await browser().newPage();
		const contentType = `text/html; charset=${encoding}`;
		const body = Buffer.from(markup, encoding === 'utf-16le' ? 'utf16le' : 'latin1');
		await page.route('**/*', (route) => route.fulfill({ contentType, body }));
		await page.goto(address);
		const links = await page.evaluate<string[]>('[...document.links].map(({ href }) => href)');
		const forms = [await sentBy(page, 0), await sentBy(page, 1)];
		const document = new HtmlDocument({ body, contentType, url: address });
		const field = { id: 'link', attribute: 'href', selector: 'a', all: true };
		expect(document.values(document.page, field)).toEqual(links);
		expect(
			[1, 2].map((nth) => document.requestOfClick([], `form:nth-of-type(${nth}) button`, []).url),
		).toEqual(forms);
		await page.close();
	});

	async function sentBy(page: Page, form: number): Promise<string> {
		await page.goto(address);
		const sent = page.waitForRequest((request) => request.isNavigationRequest());
		await page.evaluate(`document.forms[${form}].querySelector('button').click()`);
		return (await sent).url();
	}
});

/** 書 in Shift_JIS, and as it is asked for. */
const [word, asked] = [Buffer.from([0x8f, 0x91]), '%8F%91'];
const inShiftJis = (...parts: (string | Buffer)[]): SiteAnswer => ({
	headers: { 'content-type': 'text/html; charset=shift_jis' },
	body: Buffer.concat(parts.map((part) => Buffer.from(part))),
});

const details = [1, 2].flatMap((n) => [`<li><a href="/said?${n}=`, word, `">to ${n}</a></li>`]);

function answer({ url: { href, pathname, search, hash } }: { url: URL }): SiteAnswer {
	if (href.endsWith('?')) return '<b>?</b>';
	if (pathname === '/said') return `<b>${search.replaceAll('&', '&amp;')}${hash}</b>`;
	if (pathname === '/emptied') return { status: 302, headers: { location: '/said?#here' } };
	if (pathname === '/latin') return { status: 302, headers: { location: '/said?\xfc#\xfc' } };
	if (pathname === '/spaced') return { status: 302, headers: { location: ' /said?spaced\t ' } };
	if (pathname === '/refresh') {
		return inShiftJis('<meta http-equiv=refresh content="0; url=/said?', word, '">');
	}
	if (search === '') return inShiftJis(...details, '<a class="next" href="?', word, '">Next</a>');
	return inShiftJis(
		`<li><a href="/said">${search}</a></li><img srcset="a?`,
		word,
		' 1x"><form action="/said"><input name="q"><button>Go</button></form>',
	);
}

const tasks = {
	rounds: task('rounds', [
		step('navigate', { url: '{base}/' }),
		loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
			step('navigate', { useLoopItem: true }),
			extract({ Said: 'b' }),
		]),
	]),
	clicks: task('clicks', [
		step('navigate', { url: '{base}/' }),
		loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
			extract({ Link: { selector: 'a', attribute: 'href' } }, undefined, { emit: false }),
			step('click', { selector: 'a' }),
			extract({ Said: 'b' }),
		]),
	]),
	pages: task('pages', [
		step('navigate', { url: '{base}/' }),
		loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, [extract({ Link: 'a' }, 'li')]),
	]),
	pictures: task('pictures', [
		step('navigate', { url: '{base}/?x' }),
		extract({
			All: { selector: 'img', attribute: 'srcset' },
			One: { selector: 'img', picture: true },
		}),
	]),
	forms: task('forms', [
		step('navigate', { url: '{base}/?x' }),
		step('inputText', { selector: 'input', text: '書é', submit: true }),
		extract({ Said: 'b' }),
	]),
	...Object.fromEntries(
		['latin', 'spaced', 'emptied', 'refresh'].map((name) => [
			name,
			task(name, [step('navigate', { url: `{base}/${name}` }), extract({ Said: 'b' })]),
		]),
	),
};

let ground: Ground;

beforeAll(async () => {
	ground = await startOnBothPages(tasks, answer);
}, 300_000);

afterAll(() => ground?.stop());

describeOnBothPagesAtLength('on a page of kind', (page) => {
	const rowsOf = async (name: string) => (await ground.client.run(uuidOf(`${name} ${page}`))).rows;
	const said = [1, 2].map((n) => ({ Said: `?${n}=${asked}` }));

	test('the links of a loop are opened in the encoding of their page', async () => {
		expect(await rowsOf('rounds')).toEqual(said);
	});

	test('they are read as a click asks for them', async () => {
		expect(await rowsOf('clicks')).toEqual(
			said.map(({ Said }) => ({ Link: `${ground.site.baseUrl}/said${Said}`, Said })),
		);
	});

	test('a loop by page goes on in it', async () => {
		expect((await rowsOf('pages')).map(({ Link }) => Link)).toEqual(['to 1', 'to 2', `?${asked}`]);
	});

	test('so are pictures', async () => {
		const One = `${ground.site.baseUrl}/a?${asked}`;
		expect(await rowsOf('pictures')).toEqual([{ All: `${One} 1x`, One }]);
	});

	test('a form is sent in it, with references for what it does not have', async () => {
		expect(await rowsOf('forms')).toEqual([{ Said: `?q=${asked}%26%23233%3B` }]);
	});

	test('a redirect is followed by its bytes, whether they are UTF-8 or not', async () => {
		expect(await rowsOf('latin')).toEqual([{ Said: '?%FC' }]);
		expect(await rowsOf('refresh')).toEqual([{ Said: `?${asked}` }]);
	});

	test('white space around the address of a redirect is none of it', async () => {
		expect(await rowsOf('spaced')).toEqual([{ Said: '?spaced' }]);
		expect(await rowsOf('emptied')).toEqual([{ Said: '?' }]);
	});

	test('what is pointed at leads there, too', async () => {
		const service = await startService({ tasks: {} });
		const values = { url: `${ground.site.baseUrl}/`, page };
		const { pointAt, press, saveAndRun } = await pointByRequests(service, '/console/new', values);
		await pointAt('to 1');
		await pointAt('to 2');
		await press('Point at “next”');
		expect(await pointAt('Next')).toContain('Next page: Next (1 entry)');
		expect(await saveAndRun()).toEqual([['to 1'], ['to 2'], [`?${asked}`]]);
		await service.stop();
	});
});
