import { parseHtml } from '../../service/src/pages/http/parseHtml.ts';
import { framed as framedHtml, type Styles } from '../../service/src/picker/document/framedHtml.ts';
import { all, first } from '../../service/src/pages/http/select.ts';
import { stillStyles } from '../../service/src/picker/document/stillStyles.ts';

// The page that people point at stands in a frame of the console. That runs and sends nothing there is also
// said by the frame's policy; what no policy holds back, and what a browser may read in another way than
// the service has read it, is not in the frame at all.

/** A page as it is shown in the frame. */
const framed = (page: string, styles: Styles = {}, url = 'https://shop.example/list?a=1&b=2') =>
	framedHtml({ page: parseHtml(page), base: { url, encoding: 'utf-8' } }, styles, '/picture');

test.each([
	['comments', '<!-- evil --><p>Pen</p>'],
	['what happens on events', '<p OnClick="evil()">Pen</p>'],
	['where links lead', '<a href="https://evil.example/" ping="/evil" target="evil">Pen</a>'],
	['where forms lead', '<form action="/evil"><button formaction="/evil">Pen</button></form>'],
	['other frames', '<iframe src="/evil" srcdoc="<p>evil"></iframe><p>Pen</p>'],
	['where a page sends its reader', '<meta http-equiv="refresh" content="0;url=/evil"><p>Pen</p>'],
	['a base of its own', '<base href="https://evil.example/"><p>Pen</p>'],
	['hosts to look up', '<link rel="dns-prefetch" href="https://evil.example/"><p>Pen</p>'],
	['pages to load', '<link rel="Prefetch" href="/evil"><p>Pen</p>'],
	['addresses that are scripts', '<img src=" JavaScript:evil()"><p>Pen</p>'],
	['drawings', '<svg><style><a id="</style><img src=evil>"></a></style></svg><p>Pen</p>'],
	['scripts', '<script>evil()</script><noscript><p>evil</p></noscript><p>Pen</p>'],
	['the signs of what was pointed at', '<p data-pointing-mark="evil">Pen</p>'],
	['numbers of its own', '<p data-pointing-number="evil">Pen</p>'],
	['names that scripts may fall for', '<img name="evil"><p>Pen</p>'],
	['style sheets that did not come', '<link rel="stylesheet" href="/evil.css"><p>Pen</p>'],
	['what pages load where something is seen', '<table background="/evil"><td>Pen</table>'],
	['addresses in styles', '<style>p:hover { background: url(/evil) }</style><p>Pen</p>'],
	['addresses in the styles of an element', '<p style="background: url(/evil)">Pen</p>'],
])('%s are not in the frame', (_what, page) => {
	const shown = framed(page);
	expect(shown).toContain('Pen');
	expect(shown).not.toMatch(/evil/i);
});

test('pictures, styles and classes are, and pictures are asked of the service', () => {
	const page = `<link rel="Stylesheet" href="/shop.css" media="screen"><p class="name">
		<img src="pen.png" loading="lazy" srcset="large.png 2x"><img src="https://cdn.example/ink.png">
		<img srcset="small.png 1x, large.png 2x"><img src="data:image/png;base64,AA"></p>`;
	const shown = framed(page, { '/shop.css': '.name::after { content: "</style><b>" }' });
	expect(shown).toMatch(
		/<style media="screen">\.name::after \{ content: "<\\\/style><b>" \}<\/style>/,
	);
	expect(shown).toContain('class="name"');
	const asked = all('img', parseHtml(shown)).map(({ attribs }) => attribs.src);
	const byService = ['shop.example/pen', 'cdn.example/ink', 'shop.example/small'].map(
		(picture) => `/picture?url=${encodeURIComponent(`https://${picture}.png`)}`,
	);
	expect(asked).toEqual([...byService, 'data:image/png;base64,AA']);
	expect(shown).not.toContain('srcset');
	expect(shown).toContain('<base href="https://shop.example/list?a=1&amp;b=2">');
});

test('the address of a page stays an address', () => {
	const shown = framed('<p>Pen</p>', {}, 'https://shop.example/"><img src="evil">');
	expect(all('img', parseHtml(shown))).toEqual([]);
});

test('an attribute stays an attribute, whatever it says', () => {
	const shown = framed('<html class="<head>"><body title="<head><img src=x>"><p>Pen</p>');
	const again = parseHtml(shown);
	expect(first('html', again)?.attribs.class).toBe('<head>');
	expect(all('head > base', again)).toHaveLength(1);
	expect(all('img', again)).toHaveLength(0);
});

test.each([
	['p{background:url(evil)red}', 'p{background:none red}'],
	['p{background:URL( "evil)" )red}', 'p{background:none red}'],
	['p{background:u\\72l(evil)}', 'p{background:none }'],
	['p{background:\\000075rl(evil)}', 'p{background:none }'],
	['p{background:url(evil', 'p{background:none '],
	['p{background:url(e\'vil) b{color:url("evil")}', 'p{background:none  b{color:none }'],
	['@import "evil";b{}', '@without "evil";b{}'],
	['@\\69mport url(evil);b{}', '@without none ;b{}'],
	['p{background:image-set("evil" 1x)}', 'p{background:without("evil" 1x)}'],
	['p{background:-webkit-image-set(url(evil) 1x)}', 'p{background:without(none  1x)}'],
	['p{src:src("evil")}', 'p{src:without("evil")}'],
	['u/* */rl(kept)', 'u/**/rl(kept)'],
	['<!--url(evil)', '<!--none '],
	['#url(a"b)c"url(evil)', '#url(a"b)c"none '],
	['5url(kept)', '5url(kept)'],
	['p::after{content:"url(kept)"}', 'p::after{content:"url(kept)"}'],
	['p::after{content:"a\\"url(kept)"}', 'p::after{content:"a\\"url(kept)"}'],
	['p::after{content:"a\nurl(evil)', 'p::after{content:"a\nnone '],
	['/*url(kept)*/b{}', '/**/b{}'],
	['p{--a:url(evil)}', 'p{--a:none }'],
	['p{background:\u00d7url(evil)} b{}', 'p{background:'],
])('of the styles %s stays %s', (css, still) => {
	expect(stillStyles(css)).toBe(still);
});
