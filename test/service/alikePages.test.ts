import { describeOnBothPagesAtLength } from '../support/service/browser';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

// Loops by page over pages with addresses of their own, some of which have the rows of others.

/** The rows of the pages, and of what is shown behind the last of them, if that leads on. */
const sites: Record<
	string,
	{ pages: string[]; behind?: string[]; isCounted?: boolean; isClamped?: boolean }
> = {
	/** The site counts how often its visitor has gone on, whatever the address says. */
	'some are alike, and the site counts them itself': {
		pages: ['ab', 'cd', 'cd', 'ef', 'gh'],
		isCounted: true,
	},
	'some are alike': { pages: ['ab', 'cd', 'cd', 'ef', 'cd', 'gh'] },
	'three in a row are alike': { pages: ['ab', 'cd', 'cd', 'cd', 'ef'] },
	'all are alike, and one behind them is not': { pages: ['ab', 'ab', 'ab', 'ab', 'cd'] },
	'the last is like one before': { pages: ['ab', 'cd', 'ab'] },
	'the last is shown again': { pages: ['ab', 'cd', 'ef'], behind: ['ef'] },
	'the last has a single row, and is shown again, with its own number': {
		pages: ['ab', 'cd', 'e'],
		behind: ['e'],
		isClamped: true,
	},
	'all have the same single row': { pages: ['a', 'a', 'a', 'a', 'a', 'a'] },
	'the first are shown again': { pages: ['ab', 'cd', 'ef'], behind: ['ab', 'cd', 'ef'] },
};

let ground: Ground;

beforeAll(async () => {
	const tasks = Object.keys(sites).map((name): [string, object] => [
		name,
		task(name, [
			step('navigate', { url: `{base}/${name}/?page=1` }),
			loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, [extract({ Text: {} }, 'p')]),
		]),
	]);
	const visitors = new Map<string, number>();
	ground = await startOnBothPages(Object.fromEntries(tasks), ({ url, headers }) => {
		const [, path = ''] = url.pathname.split('/');
		const site = sites[decodeURIComponent(path)];
		if (!site) return { status: 404 };
		const { pages, behind = [], isCounted, isClamped } = site;
		const visitor = headers['user-agent'] ?? '';
		const turns = (visitors.get(visitor) ?? 0) + 1;
		if (isCounted) visitors.set(visitor, turns);
		const page = isCounted ? turns : Number(url.searchParams.get('page'));
		const rows = pages[page - 1] ?? behind[(page - 1 - pages.length) % behind.length] ?? '';
		const isLast = page === pages.length && behind.length === 0;
		const link = isLast ? '' : `<a class="next" href="?page=${page + 1}">Next</a>`;
		const number = isClamped ? Math.min(page, pages.length) : page;
		return `<h1>Page ${number}</h1>${[...rows].map((row) => `<p>${row}</p>`).join('')}${link}`;
	});
}, 300_000);

afterAll(() => ground?.stop());

describeOnBothPagesAtLength('a loop by page on a page of kind', (page) => {
	test.concurrent.each(Object.entries(sites))(
		'reads each page once where %s',
		async (name, { pages }) => {
			const { rows } = await ground.client.run(uuidOf(`${name} ${page}`));
			expect(rows.map(({ Text }) => Text).join('')).toBe(pages.join(''));
		},
	);
});
