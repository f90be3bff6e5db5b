import { serialize } from 'parse5';
import { adapter, type Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter';
import { CurrentParser } from '../../service/src/pages/http/currentParser.ts';
import { parseHtml, treeAdapter } from '../../service/src/pages/http/parseHtml.ts';
import { fc, seed } from '../support/fastCheck';
import { useChromium } from '../support/inProcess/chromium';
import { describeWithBrowser } from '../support/service/browser';

// What decides where a text belongs, and what ends it: drawn in any order.
const parts =
	`< > & &amp; &amp &#0; \0 \r \r\n \n \t \f a é 😀 " ' = / <p> </p> <b> </b> <table> <tr> <td> </table>
<frameset> <frame> </frameset> <noframes> </noframes> <body> <html> </body> </html> <head> </head> <title> </title>
<textarea> </textarea> <pre> </pre> <script> </script> <!-- --> <style> </style> <svg> </svg> <math> <mi> <![CDATA[ ]]>
<select> <option> </select> <template> </template> <colgroup> <col> <caption> <plaintext> <!doctype> <foreignObject>
<iframe> </iframe> <noscript> </noscript>`.split(/ |\n(?=<)/);
const attributes = [
	' ',
	'b c',
	' d ',
	'<a href="x&amp;y',
	' z">',
	"<a b='c\r\nd'>",
	'<a b="\r\n\0&lt;&x;é😀">',
];
const namespaces = ['<body class="q">', '<html lang="a">', '<svg xlink:href="a" xml:lang="b">'];
const pages = fc
	.array(fc.constantFrom(...parts, ...attributes, ...namespaces), { maxLength: 14 })
	.map((drawn) => drawn.join(''));

describe('Parsing in whole runs', () => {
	it('builds what the library builds character by character', () => {
		fc.assert(
			fc.property(pages, (html) => {
				expect(ours(html)).toBe(theirs(html));
			}),
			{ numRuns: 3_000 },
		);
	});

	it('does so on a page that is longer than what the library looks at at once', () => {
		const long = 'a b\n'.repeat(40_000);
		for (const html of [`<p>${long}<b>${long}</b>&amp;${long}`, `<i title="${long}">${long}</i>`]) {
			expect(ours(html)).toBe(theirs(html));
		}
	});
});

// What may stand in a list of options, or ends it, and what ends the parts of tables.
const partsOfPages =
	'<select> <select> </select> <option> <option> </option> <optgroup> </optgroup> <hr> <input> <p> </p> <div> </div> <b> </b> <li> </ul> <button> </button> <h1> </h1> <textarea> </textarea> <table><tr><td> </table> </thead> </tbody> x y'.split(
		' ',
	);
const bodies = fc
	.array(fc.constantFrom(...partsOfPages, ' '), { maxLength: 16 })
	.map((drawn) => `<!doctype html><body>${drawn.join('')}`);

describeWithBrowser('Parsing lists of options and tables', () => {
	const browser = useChromium();

	test('builds what Chromium builds', async () => {
		const drawn = fc.sample(bodies, { numRuns: 3_000, seed });
		const page = await browser().newPage();
		const seen = await page.evaluate(
			(all) =>
				all.map(
					(each) => new DOMParser().parseFromString(each, 'text/html').documentElement.outerHTML,
				),
			drawn,
		);
		const built = drawn.map((each) => ours(each).replace('<!DOCTYPE html>', ''));
		const differing = drawn.flatMap((html, index) => {
			const [own, wanted] = [built[index], seen[index]];
			return own === wanted ? [] : [{ html, own, wanted }];
		});
		expect(differing).toEqual([]);
	});
});

function ours(html: string): string {
	return serialize<Htmlparser2TreeAdapterMap>(parseHtml(html), { treeAdapter });
}

function theirs(html: string): string {
	const templates = new Map<unknown, ReturnType<typeof adapter.createDocumentFragment>>();
	const plain: typeof adapter = {
		...adapter,
		setTemplateContent: (template, content) => templates.set(template, content),
		getTemplateContent: (template) => templates.get(template) ?? adapter.createDocumentFragment(),
	};
	const page = CurrentParser.parse<Htmlparser2TreeAdapterMap>(html, { treeAdapter: plain });
	return serialize<Htmlparser2TreeAdapterMap>(page, { treeAdapter: plain });
}
