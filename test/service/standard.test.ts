import { HtmlDocument } from '../../service/src/pages/http/htmlDocument.ts';
import { refreshIn } from '../../service/src/pages/refresh.ts';
import { describeWithBrowser } from '../support/service/browser';
import { useChromium } from '../support/inProcess/chromium';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite, type Site, type SiteAnswer } from '../support/service/startSite';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';

// What the standard says of pages, for those that run no scripts.

const documents: Record<string, string> = {
	'a template': '<!doctype html><template><p class=x>No</p></template><p class=x>Yes</p>',
	'a template in a template':
		'<!doctype html><div><template><template><p>No</p></template><p>No</p></template></div><p>Yes</p>',
	'a table in a template':
		'<!doctype html><table><template><tr><td>No</td></tr></template></table><table><tr><td>Yes</table>',
	'no doctype': '<p class=ABC id=Id>Yes</p>',
	'an old doctype':
		'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"><p class=ABC id=Id>Yes</p>',
	'a transitional doctype':
		'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd"><p class=ABC id=Id>No</p>',
	'a doctype': '<!doctype html><p class=ABC id=Id>No</p>',
};

const selectors = [
	'p',
	'.x',
	'td',
	'.abc',
	'.ABC',
	'#id',
	'#Id',
	'div p',
	'p:first-child',
	'[class=abc]',
	'body .abc',
	':not(.abc)',
];

describeWithBrowser('as in Chromium, selectors find in a page with', () => {
	const browser = useChromium();

	test.each(Object.entries(documents))('%s', async (_name, html) => {
		const page = await browser().newPage();
		await page.goto('about:blank');
		// As bytes: what is written into a page by a script has no doctype that counts.
		await page.goto(`data:text/html;charset=utf-8,${encodeURIComponent(html)}`);
		const seen = await page.evaluate<string[][]>(
			`${JSON.stringify(selectors)}.map((each) => [...document.querySelectorAll(each)].map((found) => found.localName))`,
		);
		const document = new HtmlDocument({
			body: Buffer.from(html),
			url: 'http://shop.example/',
			contentType: 'text/html; charset=utf-8',
		});
		const counted = selectors.map((selector) => [selector, document.count([], selector)]);
		expect(counted).toEqual(selectors.map((selector, index) => [selector, seen[index]?.length]));
	});
});

test('the HTML of an element has what is in its templates, as in a browser', () => {
	const html = '<!doctype html><div><template><b>in</b></template></div>';
	const document = new HtmlDocument({
		body: Buffer.from(html),
		url: 'http://shop.example/',
		contentType: 'text/html',
	});
	const [row] = document.rows([], 'div', [{ id: 'a', html: true }, { id: 'b' }], {
		from: 0,
		to: 1,
	});
	expect(row).toEqual({ a: ['<template><b>in</b></template>'], b: [''] });
});

test.each([
	'<template><base href="/evil/"></template>',
	'<svg><base href="/evil/"></svg>',
	'<base href="data:text/html,/evil/">',
	'<base href="javascript:evil()">',
])('%s has no say in what addresses count from', (without) => {
	const document = new HtmlDocument({
		body: Buffer.from(`${without}<a href="x">x</a>`),
		url: 'http://shop.example/',
		contentType: 'text/html',
	});
	const fields = [{ id: 'a', attribute: 'href' }];
	expect(document.rows([], 'a', fields, { from: 0, to: 1 })).toEqual([
		{ a: ['http://shop.example/x'] },
	]);
});

test('a refresh to a place on the page is done once it has led there', () => {
	const address = 'http://shop.example/page#there';
	const base = { url: address, encoding: 'utf-8' };
	expect(refreshIn('1; url=#there', base, address)).toBeUndefined();
	expect(refreshIn('1; url=#else', base, address)).toEqual({
		url: 'http://shop.example/page#else',
		after: 1_000,
	});
});

test.each([
	['0; url=/next', 'http://shop.example/next', 0],
	['3;URL="/next"', 'http://shop.example/next', 3_000],
	["0;url='/next'x", 'http://shop.example/next', 0],
	['0 /next', 'http://shop.example/next', 0],
	['0,/next', 'http://shop.example/next', 0],
	['1.9; url=/next', 'http://shop.example/next', 1_000],
	['.5; url=/next', 'http://shop.example/next', 0],
	['30; url=/next', 'http://shop.example/next', 30_000],
	['1', 'http://shop.example/page', 1_000],
	['0; url=#there', 'http://shop.example/page#there', 0],
	['30', undefined, 0],
	['6; url=/page', undefined, 0],
	['31; url=/next', undefined, 0],
	['url=/next', undefined, 0],
	['', undefined, 0],
	['x; url=/next', undefined, 0],
	['0; url=http://', undefined, 0],
])('the refresh "%s" leads to %s', (value, url, after) => {
	const address = 'http://shop.example/page';
	expect(refreshIn(value, { url: address, encoding: 'utf-8' }, address)).toEqual(
		url === undefined ? undefined : { url, after },
	);
});

const meta = (content: string) => `<meta http-equiv="Refresh" content="${content}"><p>empty</p>`;

const pages: Record<string, SiteAnswer> = {
	'/meta': meta('0; url=/there'),
	'/header': { body: '<p>empty</p>', headers: { refresh: '0; url=/there' } },
	'/based': `<base href="/sub/">${meta('0; url=../there')}`,
	'/soonest':
		meta('2; url=/list') + meta('0; url=/list') + meta('0; url=/there') + meta('1; url=/list'),
	'/chain': meta('0; url=/meta'),
	'/round': meta('0; url=/around'),
	'/around': meta('0; url=/round'),
	'/itself': meta('0'),
	'/news': meta('300'),
	'/left': meta('1800; url=/there'),
	'/place': meta('0; url=#there').replace('empty', 'there'),
	'/template': `<template>${meta('0; url=/there')}</template><p>stays</p>`,
	'/file': meta('0; url=file:///etc/passwd'),
	'/there': '<p>there</p>',
	'/moved': { status: 302, headers: { location: '/there' } },
	'/named': { status: 303, headers: { location: '/there#new' } },
	'/hop': { status: 302, headers: { location: '/named' } },
	'/hops': { status: 301, headers: { location: '/moved#first' } },
	'/bare': { status: 302, headers: { location: '/there#' } },
	'/made': { status: 201, headers: { location: '/x#new' }, body: '<p>there</p>' },
	'/list': '<ul><li>\n<b>one</b>\n<i>1</i>\n</li><li><b>two</b></li><li>none</li></ul>',
};

/** An address that is opened, and the one that is read. */
const addresses: [opened: string, read: string][] = [
	['/there#part', '/there#part'],
	['/moved#part', '/there#part'],
	['/meta#part', '/there'],
	['/named#old', '/there#new'],
	['/hop#old', '/there#new'],
	['/hops#old', '/there#first'],
	['/bare#old', '/there'],
	['/made#old', '/made#old'],
	['/place', '/place#there'],
];

let site: Site;
let service: RunningService;
let client: CloudClient;

beforeAll(async () => {
	site = await startSite(({ url, headers }) => {
		const { authorization = 'none', 'x-own': own = 'none' } = headers;
		if (url.pathname === '/headers') return `<p>${[authorization, own].join(' ')}</p>`;
		return pages[url.pathname] ?? { status: 404 };
	});
	const here = site.baseUrl.replace('127.0.0.1', 'localhost');
	const sentOn: [string, object][] = [`${site.baseUrl}/headers`, `${here}/headers`].map(
		(to, index) => {
			pages[`/headers${index}`] = meta(`0; url=${to}`);
			const open = step('navigate', { url: `${site.baseUrl}/headers${index}` });
			const headers = { Authorization: 'secret', 'X-Own': '1' };
			return [
				`headers${index}`,
				task(`headers${index}`, [open, extract({ Text: 'p' })], { headers }),
			];
		},
	);
	const reading = (path: string) =>
		task(path, [
			step('navigate', { url: `${site.baseUrl}${path}` }),
			extract({ Text: 'p', Page: { source: 'pageUrl' } }),
		]);
	const paths = [...Object.keys(pages), ...addresses.map(([path]) => path)];
	const list = task('lists', [
		step('navigate', { url: `${site.baseUrl}/list` }),
		extract({
			Whole: { selector: 'li', all: true, html: true, match: '(?s)<b>(.*)</i>' },
			Bold: { selector: 'li', all: true, html: true, match: '<b>(.*)</b>' },
			Raw: { selector: 'li', all: true, trim: false, match: '[a-z]+\\s+\\d' },
		}),
	]);
	const named = paths.map((path): [string, object] => [path.replace(/\W/g, '-'), reading(path)]);
	service = await startService({ tasks: { ...Object.fromEntries([...named, ...sentOn]), list } });
	client = cloudClient(service);
});
afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

const rowOf = async (path: string) => (await client.run(uuidOf(path))).rows[0];

test.each(['/meta', '/header', '/based', '/soonest', '/chain'])(
	'%s is read where it sends on to',
	async (path) => {
		expect(await rowOf(path)).toEqual({ Text: 'there', Page: `${site.baseUrl}/there` });
	},
);

test('a refresh to another site takes no Authorization there', async () => {
	expect(await rowOf('headers0')).toEqual({ Text: 'secret 1' });
	expect(await rowOf('headers1')).toEqual({ Text: 'none 1' });
});

test.each(['/round', '/itself', '/file'])('%s fails, and is not read empty', async (path) => {
	const { batch, rows } = await client.run(uuidOf(path));
	expect(rows).toEqual([]);
	expect(batch.status).toBe(3);
	await service.logged({ msg: 'batch successful', taskID: uuidOf(path), failedPages: 1 });
});

test.each([
	['/news', 'empty'],
	['/left', 'empty'],
	['/template', 'stays'],
])('%s is read itself', async (path, Text) => {
	expect(await rowOf(path)).toEqual({ Text, Page: `${site.baseUrl}${path}` });
});

test.each(addresses)('the address of %s is %s', async (path, address) => {
	expect(await rowOf(path)).toEqual({ Text: 'there', Page: `${site.baseUrl}${address}` });
});

test('of several elements each is matched by itself, whatever lines it has', async () => {
	expect(await rowOf('lists')).toEqual({
		Whole: 'one</b>\n<i>1',
		Bold: 'one\ntwo',
		Raw: 'one\n1',
	});
});
