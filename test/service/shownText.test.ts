import { describeOnBothPagesAtLength } from '../support/service/browser';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

// Text is what people see of a page, the same on both kinds of pages.

const cases: [what: string, html: string, text: string][] = [
	['the lines of an address', 'Main St 1<br>12345 Town', 'Main St 1 12345 Town'],
	['items of a list', '<ul><li>red<li>green</ul>', 'red green'],
	['cells and rows', '<table><tr><td>a<td>b<tr><td>c</table>', 'a b c'],
	['blocks in a line', 'a<div>b</div>c<p>d</p>e', 'a b c d e'],
	['terms', '<dl><dt>a<dd>b</dl>', 'a b'],
	['words that are marked in part', 'a<b>b</b><i>c</i> <span>d</span>', 'abc d'],
	['unknown elements', 'a<x-y>b</x-y>c', 'abc'],
	['places where a word may break', 'a<wbr>b&shy;c\u200b\nd', 'ab\u00adc\u200bd'],
	['preformatted lines', '<pre>\n a\n  b</pre>', 'a b'],
	['what is for programs', 'a<script>x</script><style>y</style><template>z</template>b', 'ab'],
	['what is for lesser browsers', 'a<noscript>x</noscript><iframe>y</iframe>b', 'ab'],
	['what stands in for media', 'a<video>x</video><canvas>y</canvas><meter>z</meter>b', 'ab'],
	['comments', 'a<!-- x -->b<![CDATA[ x ]]>c', 'abc'],
	['hidden elements', 'a<p hidden>x</p><i style="display: none">y</i>b', 'ab'],
	['closed dialogs and popovers', 'a<dialog>x</dialog><p popover>y</p>b', 'ab'],
	['an open dialog', 'a<dialog open>b</dialog>c', 'a b c'],
	['closed details', '<details><summary>a</summary>x<p>y</details>b', 'a b'],
	['open details', '<details open><summary>a</summary>b</details>c', 'a b c'],
	['fields', 'a<input value=x><textarea>y</textarea>b', 'ab'],
	['choices', 'a<select><option>b<option>c</select>d', 'a b c d'],
	[
		'choices of several parts',
		'a<select>b<button>c</button><option>d <b hidden>e</b><i>f</i></select>g',
		'a d ef g',
	],
	['buttons', 'a<button> x&nbsp;</button>y<button> z </button>c', 'ax yzc'],
	['suggestions', 'a<datalist><option>x</datalist>b', 'ab'],
	[
		'a button with blocks',
		'a<button><div>b</div> <div>c</div></button>d<button>e<p>f</p></button>g',
		'a b c de f g',
	],
	['a button in a line', 'a<button> b  c </button>d <button>e</button>', 'ab cd e'],
	['ruby', '<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>', '漢kan'],
	['a legend', '<fieldset><legend>a</legend>b</fieldset>', 'a b'],
	['drawings', 'a<svg><title>x</title><g><text>b<tspan>c</tspan></text></g>y</svg>d', 'a bc d'],
	['an icon', 'a<svg><path d="M0 0"/></svg>b', 'ab'],
	[
		'what was floated or made a block',
		'a<b style="float:left">b</b>c<i style="display:block">d</i>',
		'a b c d',
	],
	['what was made a part of the line', 'a<div style="display:inline">b</div>c', 'abc'],
	['an object and what stands in for it', 'a<object>b</object>c', 'abc'],
	['spaces that do not break', 'a&nbsp;&nbsp; b', 'a b'],
];

const page = `<title>A  title</title><body>${cases
	.map(([, html]) => `<div class="case">${html}</div>`)
	.join('\n')}
	<section><p hidden>all <b>of</b><br>it</p><video><p>no<br>video</p></video></section>`;

let ground: Ground;

beforeAll(async () => {
	const open = step('navigate', { url: '{base}/' });
	const tasks = {
		cases: task('cases', [open, extract({ Text: {} }, '.case')]),
		single: task('single', [
			open,
			extract({
				Title: 'title',
				Hidden: 'section p',
				Unused: 'video p',
				Exact: { selector: '.case', trim: false },
			}),
		]),
	};
	ground = await startOnBothPages(tasks, () => page);
}, 300_000);

afterAll(() => ground?.stop());

describeOnBothPagesAtLength('on a page of kind', (kind) => {
	const texts = new Map<string, string | undefined>();

	beforeAll(async () => {
		const { rows } = await ground.client.run(uuidOf(`cases ${kind}`));
		cases.forEach(([what], index) => texts.set(what, rows[index]?.Text));
	});

	test.each(cases)('text is what is seen of %s', (what, _, text) => {
		expect(texts.get(what)).toBe(text);
	});

	test('what is not shown has all of its text, and so has a title', async () => {
		const { rows } = await ground.client.run(uuidOf(`single ${kind}`));
		expect(rows).toEqual([
			{
				Title: 'A title',
				Hidden: 'all ofit',
				Unused: 'novideo',
				Exact: 'Main St 112345 Town',
			},
		]);
	});
});
