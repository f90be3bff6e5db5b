import { startHttpPages, type HttpPages } from '../support/inProcess/httpPages';
import type { SiteAnswer } from '../support/service/startSite';

// What sites send that is out of the ordinary, and what becomes of it on an http page.

let ground: HttpPages;

beforeAll(async () => {
	ground = await startHttpPages();
});

afterAll(() => ground?.stop());

const read = (page: SiteAnswer, name?: 'readMarkup') => ground.read(page, name);

describe('an encoding', () => {
	const cases: [label: string, bytes: string, text: string][] = [
		['windows-1251', 'cff0e8', 'При'],
		['shift_jis', '93fa967b', '日本'],
		['iso-2022-jp', '1b2442467c1b2842', '日'],
		['iso-8859-8-i', 'f9ece5ed', 'שלום'],
		['x-mac-cyrillic', '8ff0e8', 'При'],
		['iso-8859-1', '8093', '€“'],
		["'utf-8'", 'c3bc', 'ü'],
	];
	const paragraph = (bytes: string) =>
		Buffer.concat([Buffer.from('<p>'), Buffer.from(bytes, 'hex'), Buffer.from('</p>')]);

	test.each(cases)('is known from the header: %s', async (label, bytes, text) => {
		const headers = { 'content-type': `text/html; charset=${label}` };
		expect((await read({ headers, body: paragraph(bytes) })).texts).toEqual([text]);
	});

	test.each(cases)('is known from the page: %s', async (label, bytes, text) => {
		const headers = { 'content-type': 'text/html' };
		const metas = [
			`<meta charset=${label}>`,
			`<meta http-equiv=Content-Type content="text/html; charset=${label}">`,
		];
		for (const meta of metas) {
			const body = Buffer.concat([Buffer.from(meta), paragraph(bytes)]);
			expect((await read({ headers, body })).texts).toEqual([text]);
		}
	});

	test('is known from a byte order mark, whatever the header says', async () => {
		const headers = { 'content-type': 'text/html; charset=windows-1251' };
		const utf8 = Buffer.from('\ufeff<p>ü</p>');
		const utf16 = Buffer.from('\ufeff<p>ü</p>', 'utf16le');
		expect((await read({ headers, body: utf8 })).texts).toEqual(['ü']);
		expect((await read({ headers, body: utf16 })).texts).toEqual(['ü']);
		expect((await read({ headers, body: utf16.swap16() })).texts).toEqual(['ü']);
	});

	test.each([
		'<meta charset=utf-8>',
		'<meta charset=klingon><meta charset=utf-8>',
		'<meta http-equiv=content-type content="text/html; charset=utf-8">',
	])('is known from the page where it comes late in its head: %s', async (meta) => {
		const headers = { 'content-type': 'text/html' };
		const script = `<script>${'// nothing\n'.repeat(200)}</script>`;
		const body = `<head><title>ü</title>${script}${meta}</head><p>ü</p>`;
		expect((await read({ headers, body })).texts).toEqual(['ü']);
	});

	test.each([
		['windows-1251', 'Новости дня: сегодня в городе открылась большая выставка.'],
		['koi8-r', 'Новости дня: сегодня в городе открылась большая выставка.'],
		['shift_jis', '本日のニュース：東京で大きな展覧会が開かれました。'],
		['euc-jp', '本日のニュース：東京で大きな展覧会が開かれました。'],
		['gbk', '今日新闻：北京举办了一场大型展览会，吸引了数千名观众前来参观。'],
		['big5', '今日新聞：台北舉辦了一場大型展覽會，吸引了數千名觀眾前來參觀。'],
		['euc-kr', '오늘의 뉴스: 서울에서 큰 전시회가 열렸습니다.'],
		[
			'iso-8859-2',
			'Dzisiejsze wiadomości: w mieście otwarto dużą wystawę, którą odwiedziły tysiące.',
		],
		[
			'windows-1250',
			'Dzisiejsze wiadomości: w mieście otwarto dużą wystawę, którą odwiedziły tysiące.',
		],
		['iso-8859-7', 'Σήμερα στην πόλη άνοιξε μια μεγάλη έκθεση σύγχρονης τέχνης.'],
		['windows-1252', 'Öffnungszeiten der größten Ausstellung: „täglich“, Eintritt 5 €'],
		['windows-1252', 'All rights reserved © 2024'],
	])('is guessed from the letters where nobody says it: %s', async (label, text) => {
		const before = '<title>Home</title><ul class="navigation"><li><a href="/">Home</a></ul>';
		const body = Buffer.concat([
			Buffer.from(`${before.repeat(10)}<p>`),
			encoded(text, label),
			Buffer.from(`</p>${before.repeat(10)}`),
		]);
		const headers = { 'content-type': 'text/html' };
		expect((await read({ headers, body })).texts).toEqual([text]);
	});

	test('is known from an XML declaration', async () => {
		const headers = { 'content-type': 'application/xhtml+xml' };
		const body = '<?xml version="1.0" encoding="UTF-8"?><html><body><p>ü</p></body></html>';
		expect((await read({ headers, body })).texts).toEqual(['ü']);
	});

	test.each(['application/xhtml+xml', 'application/xml', 'text/xml', ''])(
		'is UTF-8 where XML of type "%s" does not say it, unless it cannot be',
		async (type) => {
			const headers = { 'content-type': type };
			const page = (text: string) =>
				`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>${text}</p></body></html>`;
			expect((await read({ headers, body: page('ü €') })).texts).toEqual(['ü €']);
			const text = 'Öffnungszeiten der größten Ausstellung';
			const body = Buffer.from(page(text), 'latin1');
			expect((await read({ headers, body })).texts).toEqual([text]);
		},
	);

	test('of two bytes a letter is known from how the XML declaration begins', async () => {
		const headers = { 'content-type': 'text/html' };
		const page = '<?xml version="1.0"?><html><body><p>ü</p></body></html>';
		const body = Buffer.from(page, 'utf16le');
		expect((await read({ headers, body })).texts).toEqual(['ü']);
		expect((await read({ headers, body: body.swap16() })).texts).toEqual(['ü']);
	});

	test('that an XML declaration names behind the beginning of the page is none', async () => {
		const headers = { 'content-type': 'text/html' };
		const text = 'Öffnungszeiten der größten Ausstellung';
		const body = Buffer.from(` <?xml version="1.0" encoding="koi8-r"?><p>${text}</p>`, 'latin1');
		expect((await read({ headers, body })).texts).toEqual([text]);
	});

	test.each(['x-user-defined', 'iso-2022-kr', 'utf-7', 'klingon', ''])(
		'that cannot be decoded, or is none, leaves ASCII as it is: "%s"',
		async (label) => {
			const headers = { 'content-type': `text/html; charset=${label}` };
			expect((await read({ headers, body: '<p>text</p>' })).texts).toEqual(['text']);
			const body = `<meta charset="${label}"><p>text</p>`;
			expect((await read({ headers: { 'content-type': 'text/html' }, body })).texts).toEqual([
				'text',
			]);
		},
	);
});

test('an address with a user name or password is skipped, and the log says what to do', async () => {
	ground.pages['/page'] = '<p>text</p>';
	const { host } = new URL(ground.site.baseUrl);
	expect(await ground.open(`http://user:secret@${host}/page`)).toEqual({
		texts: [],
		reasons: [
			`The address of a page on ${host} has a user name or password, which an http page does not send. Set "page" to "browser".`,
		],
	});
});

test('a selector finds elements, and never makes them: markup is refused', async () => {
	await expect(read('<p>text</p>', 'readMarkup')).rejects.toThrow(
		'/steps/1/config/selector must be a CSS selector, but is "<p>"',
	);
});

test('a page of many elements, some of them deep in one another, is read', async () => {
	const page = `${'<div>'.repeat(1_900)}<p>deep</p>${'</div>'.repeat(1_900)}${'<p>a'.repeat(90_000)}`;
	const { texts, reasons } = await read(page);
	expect(reasons).toEqual([]);
	expect(texts.slice(0, 2)).toEqual(['deep', 'a']);
});

test.each([204, 205])(
	'HTTP status %i brings no page: it fails, as in a browser',
	async (status) => {
		expect(await read({ status })).toEqual({
			texts: [],
			reasons: [`/page could not be opened: HTTP ${status}.`],
		});
	},
);

test('a part of a page that nobody has asked for fails by name', async () => {
	expect(await read({ status: 206, body: '<p>text' })).toEqual({
		texts: [],
		reasons: ['/page could not be opened: HTTP 206, the site has sent a part of the page only.'],
	});
});

test('a page that comes with another status of success is read', async () => {
	expect(await read({ status: 202, body: '<p>text' })).toEqual({ texts: ['text'], reasons: [] });
});

test('an answer may have headers of 100 KB, as in Chromium', async () => {
	const headers = { 'x-large': 'x'.repeat(100_000) };
	expect(await read({ headers, body: '<p>text</p>' })).toEqual({ texts: ['text'], reasons: [] });
});

/** A text in an encoding that Node.js can only read: of one or two bytes a letter. */
function encoded(text: string, label: string): Buffer {
	const decoder = new TextDecoder(label);
	const bytes = Array.from({ length: 256 }, (_, byte) => byte);
	const codes = new Map<string, number[]>();
	for (const first of bytes.slice(128)) {
		for (const second of bytes)
			codes.set(decoder.decode(Uint8Array.of(first, second)), [first, second]);
	}
	for (const byte of bytes) codes.set(decoder.decode(Uint8Array.of(byte)), [byte]);
	return Buffer.from([...text].flatMap((letter) => codes.get(letter) ?? []));
}
