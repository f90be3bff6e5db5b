import { describeOnBothPages } from '../support/service/browser';
import type { SiteAnswer } from '../support/service/startSite';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

// What is kept of an element: of all that a selector finds, its HTML, part of it, addresses.

let ground: Ground;

const page = `<article>
	<p class="tag">one</p><p class="tag"> two </p><p class="tag"></p><p class="tag">three</p>
	<div id="html"> <b>bold</b> &amp; <i title="a &quot;b&quot;">it</i><br>
	end</div>
	<span class="price">was 12.50, now 9.99 EUR</span><span class="empty"></span>
	<img src="small.png" srcset="/small.png, big.png 2x,https://other.test/a,b.png 1200w">
	<i class="late" data-src="late.png" data-original="../o.png" data-lazy-src="//other.test/l.png" data-srcset="s.png 1.50x, ,t 2x"></i>
	<u><img src="/eager.png"><img src="data:image/gif;base64,R0=" data-src="lazy.png"><img src="/blank.png" data-lazy-src="//other.test/l.png">
		<img src="/blank.png" data-srcset="s.png 1x, t.png 2x"><img src="" srcset="/a,b.png 2x, c.png"><img><img src=" data:image/gif;base64,R0= "></u>
	<a href="1">1</a><a>none</a><a href="../2">2</a>
</article>`;

const held = `<form><textarea>a note</textarea>
	<select><option value="s">Small</option><option selected> Large  one </option></select>
	<select size="3"><option value="x">X</option></select><select><option disabled>-</option><option value="m">M</option></select>
	<input value="typed"><input type="checkbox" value="on-off"><input type="hidden"></form>`;

const tasks = {
	fields: task('fields', [
		step('navigate', { url: '{base}/dir/page' }),
		extract({
			Tags: { selector: '.tag', all: true },
			Links: { selector: 'a', attribute: 'href', all: true },
			Numbers: { selector: 'a', all: true, match: '[0-9]' },
			None: { selector: '.nothing', all: true, default: 'no tag' },
			Html: { selector: '#html', html: true },
			Number: { selector: '.price', match: 'now ([0-9.]+)' },
			Whole: { selector: '.price', match: '[0-9.]+ EUR' },
			Unmatched: { selector: '.price', match: 'USD (.*)', default: '-' },
			Optional: { selector: '.price', match: 'now( never)? 9' },
			Empty: { selector: '.empty', default: 'empty' },
			Images: { selector: 'img', attribute: 'srcset' },
			Late: { selector: '.late', attribute: 'data-src' },
			Original: { selector: '.late', attribute: 'data-original' },
			Lazy: { selector: '.late', attribute: 'data-lazy-src' },
			LateImages: { selector: '.late', attribute: 'data-srcset' },
			Picture: { selector: '.late', picture: true },
			Pictures: { selector: 'u img', picture: true, all: true },
			NoPicture: { selector: 'p', picture: true, default: 'none' },
		}),
	]),
	held: task('held', [
		step('navigate', { url: '{base}/held' }),
		extract({
			Note: { selector: 'textarea', attribute: 'value' },
			Values: { selector: 'select, option, input', attribute: 'value', all: true },
		}),
	]),
	evil: task('evil', [
		step('navigate', { url: '{base}/evil' }),
		extract({ Value: { selector: 'p', match: '^(a+)+$', default: 'no' } }),
	]),
};

beforeAll(async () => {
	ground = await startOnBothPages(tasks, ({ url }): SiteAnswer => {
		if (url.pathname === '/dir/page') return page;
		if (url.pathname === '/held') return held;
		if (url.pathname === '/evil') return `<p>${'a'.repeat(50_000)}b</p>`;
		return { status: 404 };
	});
}, 300_000);

afterAll(() => ground?.stop());

describeOnBothPages('on a page of kind', (kind) => {
	test('fields keep what their rules say', async () => {
		const { rows } = await ground.client.run(uuidOf(`fields ${kind}`));
		const { baseUrl } = ground.site;
		expect(rows).toEqual([
			{
				Tags: 'one\ntwo\n\nthree',
				Links: `${baseUrl}/dir/1\n${baseUrl}/2`,
				Numbers: '1\n2',
				None: 'no tag',
				Html: '<b>bold</b> &amp; <i title="a &quot;b&quot;">it</i><br>\n\tend',
				Number: '9.99',
				Whole: '9.99 EUR',
				Unmatched: '-',
				Optional: '',
				Empty: 'empty',
				Images: `${baseUrl}/small.png, ${baseUrl}/dir/big.png 2x, https://other.test/a,b.png 1200w`,
				Late: `${baseUrl}/dir/late.png`,
				Original: `${baseUrl}/o.png`,
				Lazy: 'http://other.test/l.png',
				LateImages: `${baseUrl}/dir/s.png 1.50x, ${baseUrl}/dir/t 2x`,
				Picture: `${baseUrl}/dir/late.png`,
				Pictures: [
					`${baseUrl}/eager.png`,
					`${baseUrl}/dir/lazy.png`,
					'http://other.test/l.png',
					`${baseUrl}/dir/s.png`,
					`${baseUrl}/a,b.png`,
					'data:image/gif;base64,R0=',
				].join('\n'),
				NoPicture: 'none',
			},
		]);
	});

	test('fields to type into, or to choose in, have the value that stands there', async () => {
		const { rows } = await ground.client.run(uuidOf(`held ${kind}`));
		const small = ['Large one', 's', 'Large one'];
		const values = [...small, '', 'x', 'm', '-', 'm', 'typed', 'on-off'];
		expect(rows).toEqual([{ Note: 'a note', Values: values.join('\n') }]);
	});

	test('an expression that would take others for ever holds up nobody', async () => {
		const { rows } = await ground.client.run(uuidOf(`evil ${kind}`));
		expect(rows).toEqual([{ Value: 'no' }]);
	});
});
