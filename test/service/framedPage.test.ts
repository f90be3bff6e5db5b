import { framedHtml } from '../../service/src/pages/http/pointing/framedHtml.ts';
import { parseHtml } from '../../service/src/pages/http/parseHtml.ts';

// The page that people point at stands in a frame of the console. That runs and sends nothing there is also
// said by the frame's policy; what no policy holds back, and what a browser may read in another way than
// the service has read it, is not in the frame at all.

/** A page as it is shown in the frame. */
const framed = (page: string, base = 'https://shop.example/list?a=1&b=2') =>
	framedHtml(parseHtml(page), base);

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
])('%s are not in the frame', (_what, page) => {
	const shown = framed(page);
	expect(shown).toContain('Pen');
	expect(shown).not.toMatch(/evil/i);
});

test('pictures, styles and classes are, and addresses count from where the page is', () => {
	const shown = framed(
		'<link rel="Stylesheet" href="/shop.css"><p class="name"><img src="pen.png"><img src="https://shop.example/ink.png"></p>',
	);
	expect(shown).toContain('href="/shop.css"');
	expect(shown).toContain('class="name"');
	expect(shown).toContain('src="pen.png"');
	expect(shown).toContain('src="https://shop.example/ink.png"');
	expect(shown).toContain('<base href="https://shop.example/list?a=1&amp;b=2">');
});

test('the address of a page stays an address', () => {
	const shown = framed('<p>Pen</p>', 'https://shop.example/"><img src="evil">');
	expect(shown).not.toContain('<img');
});
