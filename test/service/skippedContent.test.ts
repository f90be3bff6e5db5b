import { testWithBrowser } from '../support/service/browser';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

// What a browser has not laid out yet, because it is far from the window, is there for who scrolls.

const count = 60;
const cards = Array.from(
	{ length: count },
	(_, index) => `<article>
		<h2>Title ${index}</h2><section><p>Price ${index}</p></section>
		<div hidden="until-found">found</div><b>shelf</b>
	</article>`,
).join('');
const styled = (rules: string) => `<style nonce="n">
	article { height: 300px; contain-intrinsic-size: auto 300px }
	b { content-visibility: hidden; display: block }
	${rules}
</style><main>${cards}</main>`;

const pages: Record<string, string> = {
	'/cards': styled('article { content-visibility: auto }'),
	'/inOneAnother': styled('main, article, section { content-visibility: auto }'),
	'/important': styled('article { content-visibility: auto !important }'),
};

let ground: Ground;

beforeAll(async () => {
	const reading = (path: string) =>
		task(path, [
			step('navigate', { url: `{base}${path}` }),
			extract({ Title: 'h2', Price: 'p', Hidden: 'b' }, 'article'),
			extract({ All: {} }, 'main'),
			extract({ Html: { html: true } }, 'main'),
		]);
	const tasks = Object.fromEntries(Object.keys(pages).map((path) => [path, reading(path)]));
	ground = await startOnBothPages(tasks, ({ url }) => ({
		headers: { 'Content-Security-Policy': "default-src 'none'; style-src 'nonce-n'" },
		body: pages[url.pathname] ?? '',
	}));
}, 300_000);

afterAll(() => ground?.stop());

testWithBrowser.each(Object.keys(pages))(
	'what is only not laid out yet is read as who scrolls there sees it: %s',
	async (path) => {
		const { rows } = await ground.client.run(uuidOf(`${path} browser`));
		const numbers = Array.from({ length: count }, (_, index) => index);
		expect(rows.slice(0, count)).toMatchObject(
			numbers.map((index) => ({
				Title: `Title ${index}`,
				Price: `Price ${index}`,
				Hidden: 'shelf',
			})),
		);
		const all = numbers.map((index) => `Title ${index} Price ${index}`).join(' ');
		expect(rows[count]).toMatchObject({ All: all });
		expect(rows[count + 1]).toMatchObject({ Html: cards });
	},
);
