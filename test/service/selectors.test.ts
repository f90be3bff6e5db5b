import { HtmlDocument } from '../../service/src/pages/http/htmlDocument.ts';
import { scopedSelector } from '../../service/src/pages/scopedSelector.ts';
import { isSelector } from '../../service/src/tasks/isSelector.ts';
import { useChromium } from '../support/inProcess/chromium';
import { describeWithBrowser } from '../support/service/browser';

// What is taken for a selector, and what it finds, as in Chromium.

const body = `<div id=a class="A b" lang=en-US DATA-X="Foo" title="say &quot;hi&quot;"><p id=p1 class=abc>t</p><p id=p2 class="ABC d">u</p><p id=p3></p><p id=p4> </p><p id=p5><!-- c --></p></div>
<form id=f1><fieldset id=fs disabled><legend id=lg><input id=i0 type=TEXT><fieldset id=fs2><input id=i0a></fieldset></legend><legend><input id=i0b></legend>
	<input id=i1 required><input id=i2 type=checkbox checked><input id=i3 type=radio name=r><div><legend><input id=i3c></legend></div>
	<select id=s1><optgroup id=og1><option id=o1></optgroup><option id=o2 disabled></select><textarea id=ta readonly>x</textarea><button id=b1>go</button><input id=i4 type=submit><datalist id=dl><option id=odl></datalist></fieldset>
	<select id=s2 disabled><option id=o3><optgroup id=og2><option id=o4></optgroup></select><select id=s3><option id=o5 disabled><optgroup id=og3 disabled><option id=o6></optgroup><option id=o7></select>
	<select id=s4 size=3><option id=o8></select><select id=s5><option id=o9 selected><option id=o10 selected></select><select id=s6 multiple required><option id=o11 selected><option id=o12 selected></select>
	<input id=i5 disabled><input id=i6 type=hidden required><input id=i7 type=range required><input id=i8 type=submit required><input id=i9 type=checkbox required><button id=b2 required></button><textarea id=tb required></textarea>
	<input type=radio id=r1 name=q checked><input type=radio id=r2 name=q checked><input type=radio id=r3 name=other checked><output id=out></output></form>
<input type=radio id=r4 name=q checked><option id=o13 selected></option>
<a id=l1 href="#x">1</a><a id=l2 name=z>2</a><area id=l3 href=x><link id=l4 rel=x href=y><ul id=u><li id=li1 class="x y">1<li id=li2 class=y>2<li id=li3 class=x>3<ol id=ol><li id=li4>4</ol></ul>
<div id=deep><div id=d1><span id=sp1 class=t>a</span><b id=bb>b</b><span id=sp2 class=t>c</span><span id=sp3>d</span></div><div id=d2 hidden><span id=sp4 class=t>e</span></div></div>
<svg id=svg viewBox="0 0 1 1"><linearGradient id=lgr class=t gradientUnits="userSpaceOnUse" /><a id=svga href="#y"><text id=tx>q</text></a><a id=svgx xlink:href="#y"></a><button id=svgb disabled /></svg><math id=m><mi id=mi>x</mi></math>
<div id="1num" class="2c a:b"></div><p id=é class=ü>é</p><p id=nb class="left&nbsp;right"></p><p id=dup class=one></p><p id=dup class=two></p><table id=tb1 align=LEFT><tr id=tr1><td id=td1 align=left><td id=td2></table>`;
const documents = { standard: `<!doctype html><meta charset=utf-8>${body}`, quirky: body };

/** A line each; some are none. */
const selectors = String.raw`
* | p | P | #a | #A | .abc | .ABC | .A.b | [data-x] | [DATA-X] | [data-x=foo] | [data-x=Foo] | [data-x=foo i] | [data-x="FOO"i] | [data-x=Foo s]
[type=text] | [type=TEXT] | [align=left] | [lang|=en] | [class~=b] | [class~=""] | [class^=""] | [title='say "hi"'] | [id^=p] | [id$="1"] | [id*=i]
:root | :scope | :empty | :first-child | p:last-of-type | :only-child | :only-of-type | :nth-child(2n+1) | p:nth-child(-n+3) | li:nth-child(EVEN)
:nth-last-of-type(1) | :nth-child( 2N + 1 ) | :nth-child(- n) | :nth-child(-n- 1) | :nth-child(+ n) | :nth-child(n+-1) | :nth-child(1.5) | :nth-child | :nth-child()
:not(p) | p:not(.abc, .d) | :is(p, li) | :where(.t) | :not() | div:has(> p) | :has(.t) | div:has(> .t ~ .t) | :has(:has(p)) | :has(:is(:has(p))) | ul:has(+ div) | p:not(:has(*))
div:has(div > .t) | :not(:has(div > .t)) | div:has(div .t, > p) | div:has(:is(div) > .t) | :is(:has(div > b)) | div:has(:is(div > b)) | p:has(~ :is(form) legend) | p:has(+ p ~ p) | div:has(~ form legend) | div:has(+ form > fieldset, > .zz) | div:not(:has(> div .t)) | div:has(div:has(b))
:not(> p) | :has(> ) | :has(p >) | span + b | b ~ span | div > div > span | div>>span | p > | > p | + p | ~ p | p || li | p << li | p < li
:link | :any-link | :visited | :hover | :active | :enabled | :disabled | :checked | :required | :optional | option:checked | :not(:disabled) | :has(:disabled) | fieldset:disabled input:enabled
:hover(p) | :empty() | :first-child(1) | :checked(x) | linearGradient | lineargradient | LINEARGRADIENT | svg linearGradient.t | [viewBox] | [viewbox] | svg[viewBox="0 0 1 1"] | [gradientUnits=userspaceonuse i]
.left | .right | [class~=left] | [class^=left] | #\31 num | #1num | .2c | .\32 c | .a\:b | .a:b | #é | .ü | #\e9 | #\0000E9 | [id="\31 num"] | 1p | -p | --p | #-1 | p#-x | [1a] | [-1a]
p, li | p , | ,p | p,,li | div p:nth-child(2) | p\:x | [id=] | [id=1] | [id=-1] | [id=p-1] | [id=p1] | ["id"] | [=a] | [id==a] | [id!=p1] | [id=p1][class] | [ id = p1 ] | [id =p1 i ] | [id=p1 x] | [id=p1 i i]
[|id=p1] | [href^=/docs/..] | [href^="/docs/.."] | [title="a] | [id=p\31] | p. | # | . | : | :: | p:foo | :first | :last | :contains(x) | :icontains("x") | :matches(p) | :eq(0) | p:visible | :selected | :text | :header | :parent | :button | :input | :checkbox
@media | p{} | p;li | /* c */ p | p/**/li | p/* c */.abc | p/**/ | <!-- p | \p | \70 | "p" | p"x" | p!important | ! | p(li) | (p) | p) | p:not(:not(p)) | :is(:is(p)) > .t | *p | .abc* | .abcp | [id]p | p.abc#p1[class]:empty | :is(p)li
x-y | X-Y | :NOT(p) | :FIRST-CHILD | A | DIV > P | *|* | li:nth-child(2 of .y) | :lang(en) | :dir(rtl) | *|p | :read-only | ::before | :is() | :focus | ${'p' + ':not(x)'.repeat(50)} | ${'div '.repeat(20)}p`
	.trim()
	.split(/ \| |\n/);

/** What Chromium knows besides: refused, with a word. */
const unknown = [
	...[
		':has(:is(:has(p)))',
		'[title="a]',
		'li:nth-child(2 of .y)',
		':lang(en)',
		':dir(rtl)',
		'*|p',
		':read-only',
		'::before',
	],
	...[':is()', ':focus'],
];

describeWithBrowser('as in Chromium, in a page with the doctype of kind', () => {
	const browser = useChromium();

	test.each(Object.entries(documents))('%s, selectors find', async (_name, html) => {
		const page = await browser().newPage();
		await page.goto(`data:text/html;charset=utf-8,${encodeURIComponent(html)}`);
		const found = (each: string) =>
			page.evaluate<string[] | null>(
				`{ try { [...document.querySelectorAll(${JSON.stringify(each)})].map(({ id }) => id).filter(Boolean) } catch { null } }`,
			);
		const document = new HtmlDocument({
			body: Buffer.from(html),
			url: 'http://shop.example/',
			contentType: 'text/html; charset=utf-8',
		});
		const read = (each: string) =>
			document
				.rows([], each, [{ id: 'id', attribute: 'id' }], { from: 0, to: 10_000 })
				.flatMap(({ id }) => id ?? []);
		const differing: object[] = [];
		const refused: string[] = [];
		for (const each of selectors) {
			const seen = await found(each);
			const taken = isSelector(each) && !/^[>+~]/.test(each);
			if (seen && !taken) refused.push(each);
			const own = taken ? read(each) : null;
			const wanted = taken ? seen : null;
			if (JSON.stringify(own) !== JSON.stringify(wanted)) differing.push({ each, own, wanted });
		}
		expect(differing).toEqual([]);
		expect(refused).toEqual(unknown);
	});

	test('standard, selectors find inside of an element', async () => {
		const named = String.raw`a,b w-1/2 2xl:grid text-[#fff] @x a>b a&b`.split(' ');
		const html = `<!doctype html><div id=a><p>${named.map((name) => `<i class="${name}"></i>`).join('')}<b title="a, b > c"></b></p><b></b></div><b></b>`;
		const inside =
			String.raw`p > .a\,b | p > .w-1\/2 | p > .\32 xl\:grid | p > .text-\[\#fff\] | > p .\@x | p > .a\>b | p > .a\26 b | p > [title="a, b > c"] | p > :is(.a\,b, .w-1\/2), > b | i, > p > b | b | p i/* , */+ i`.split(
				' | ',
			);
		const page = await browser().newPage();
		await page.setContent(html);
		const around = page.locator('#a');
		const document = new HtmlDocument({
			body: Buffer.from(html),
			url: 'http://shop.example/',
			contentType: 'text/html; charset=utf-8',
		});
		for (const each of inside) {
			const found = await around.evaluate(
				(element, scoped) => element.querySelectorAll(scoped).length,
				scopedSelector(each),
			);
			expect({ each, found }).toEqual({
				each,
				found: document.count([{ selector: '#a', index: 0 }], each),
			});
			expect(found).toBeGreaterThan(0);
		}
	});
});

test.each(['[a', '[a="', '[a=', ':nth-child('].map((begun) => [begun]))(
	'a long text that begins as "%s" and is no selector is known for it at once',
	(begun) => {
		for (const piece of ['/**/', '\\1234', '\\1 ', 'a', ' ', '+ ', '-', '"']) {
			expect(isSelector(`${begun}${piece.repeat(10_000)}!`)).toBe(false);
		}
	},
);

describe('inside of an element, a selector', () => {
	const document = new HtmlDocument({
		body: Buffer.from(
			'<!doctype html><div id=a><div id=b><div id=c><p>in</p></div></div></div><p>out</p>',
		),
		url: 'http://shop.example/',
		contentType: 'text/html',
	});
	const count = (selector: string, around?: string) =>
		document.count(around === undefined ? [] : [{ selector: around, index: 0 }], selector);

	test('may begin with a combinator, which it may not in a whole page', () => {
		expect(isSelector('> p')).toBe(true);
		expect(count('> p', '#c')).toBe(1);
		expect(() => count('> p')).toThrow('"> p" begins with a combinator');
	});

	test('that begins with :root counts from the page', () => {
		expect([count('p', '#c'), count(':root p', '#c'), count(':root > body > p', '#b')]).toEqual([
			1, 2, 1,
		]);
	});

	test('counts from that element, whatever it was asked of before', () => {
		expect(['#a', '#b', '#c', '#b', '#a'].map((around) => count('div p', around))).toEqual([
			1, 1, 0, 1, 1,
		]);
	});

	test('knows that element also within others', () => {
		expect(count(':is(:scope > div) > p', '#b')).toBe(1);
		expect(count(':is(:scope > div) > p', '#a')).toBe(0);
	});
});

test('an attribute of SVG is read by the name that it has', () => {
	const document = new HtmlDocument({
		body: Buffer.from('<!doctype html><svg viewBox="0 0 1 1"></svg><p Title=x>'),
		url: 'http://shop.example/',
		contentType: 'text/html',
	});
	const read = (selector: string, attribute: string) =>
		document.rows([], selector, [{ id: 'a', attribute }], { from: 0, to: 1 })[0]?.a;
	expect(read('svg', 'viewBox')).toEqual(['0 0 1 1']);
	expect(read('svg', 'viewbox')).toEqual([]);
	expect(read('p', 'TITLE')).toEqual(['x']);
});
