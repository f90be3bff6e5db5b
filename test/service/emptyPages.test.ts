import { describeOnBothPagesAtLength } from '../support/service/browser';
import { consoleClient } from '../support/service/console';
import type { SiteAnswer, SiteRequest } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

// A site may stop giving data with pages that are none of those that were asked for, and no error.

const logIn = '<h1>Please log in</h1><form><input type="password"></form>';
const entry = (n: number) =>
	`<div class="c"><b>Item ${n}</b><a href="/detail?n=${n}">more</a>${n === 2 ? '<s>old</s>' : ''}</div>`;

let ground: Ground;
let names: string[];

beforeAll(async () => {
	const addresses = (path: string, count: number) =>
		Array.from({ length: count }, (_, index) => `{base}${path}?n=${index + 1}`);
	const open = step('navigate', { useLoopItem: true });
	const overUrls = (path: string, steps: object[], count = 5) => [
		loop({ loopType: 'list', listType: 'urlList', urls: addresses(path, count) }, [open, ...steps]),
	];
	const items = extract({ Name: 'b' }, '.c');
	const detail = extract({ Title: 'h2', Price: 'i' });
	const tasks = {
		logIn: task('logIn', overUrls('/logIn', [items])),
		redirected: task('redirected', overUrls('/redirected', [items])),
		sentBack: task('sentBack', overUrls('/sentBack', [items])),
		atTheDoor: task('atTheDoor', overUrls('/login/list', [items])),
		captcha: task('captcha', [
			step('navigate', { url: '{base}/pager?n=1' }),
			loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, [items]),
		]),
		pages: task('pages', overUrls('/detail', [detail])),
		members: task('members', [
			step('navigate', { url: '{base}/list' }),
			loop({ loopType: 'list', listType: 'elements', selector: '.c' }, [
				extract({ Name: 'b' }, undefined, { emit: false }),
				step('click', { selector: 'a' }),
				extract({ Heading: 'h1', Price: 'i' }),
			]),
		]),
		entries: task('entries', [
			step('navigate', { url: '{base}/list' }),
			loop({ loopType: 'list', listType: 'elements', selector: '.c' }, [
				extract({ Name: 'b', Old: 's' }),
			]),
		]),
		variants: task('variants', [
			step('navigate', { url: '{base}/variants' }),
			loop({ loopType: 'list', listType: 'elements', selector: '.c' }, [
				extract({ Name: 'b' }, undefined, { emit: false }),
				extract({ Old: {} }, 's', { emit: false }),
				extract({ Size: {} }, 'i'),
			]),
		]),
		sizes: task('sizes', [
			step('navigate', { url: '{base}/variants' }),
			loop({ loopType: 'list', listType: 'elements', selector: '.c' }, [
				loop({ loopType: 'list', listType: 'elements', selector: 'i' }, [extract({ Size: {} })]),
			]),
		]),
		blanks: task('blanks', [
			step('navigate', { url: '{base}/variants' }),
			loop({ loopType: 'list', listType: 'elements', selector: '.c' }, [extract({ Size: 'i' })]),
		]),
		optional: task('optional', overUrls('/optional', [extract({ Name: 'b', Old: 's' })], 20)),
		lists: task('lists', overUrls('/noPrices', [extract({ Name: 'b', Price: 'i' }, '.c')])),
	};
	names = Object.keys(tasks);
	const answer = ({ url }: SiteRequest): SiteAnswer => {
		const n = Number(url.searchParams.get('n'));
		switch (url.pathname) {
			case '/logIn':
				return n > 3 ? logIn : entry(n);
			case '/redirected':
				return n > 2 ? { status: 302, headers: { Location: '/login' } } : entry(n);
			case '/sentBack':
				return n > 2 ? { status: 302, headers: { Location: `/login?back=${n}` } } : entry(n);
			case '/login':
				return logIn;
			case '/login/list':
				return entry(n);
			case '/pager':
				return n > 3 ? 'Are you human?' : `${entry(n)}<a class="next" href="?n=${n + 1}">Next</a>`;
			case '/detail':
				return n > 3 ? logIn : `<h1>H${n}</h1><h2>T${n}</h2><i>${n} €</i>`;
			case '/list':
				return Array.from({ length: 5 }, (_, index) => entry(index + 1)).join('');
			case '/variants':
				return [2, 0, 1, 0, 3]
					.map(
						(count, index) =>
							`<p class="c"><b>${index}</b>${'<s>x</s>'.repeat(index % 2)}${'<i>S</i>'.repeat(count)}`,
					)
					.join('');
			case '/optional':
				return entry(n);
			case '/noPrices':
				return [1, 2, 3]
					.map((m) => `<p class="c"><b>${n}.${m}</b>${n < 4 ? '<i>1 €</i>' : ''}`)
					.join('');
			default:
				return { status: 404 };
		}
	};
	ground = await startOnBothPages(tasks, answer, { env: { SERVICE_AGENTS: '8' } });
}, 300_000);

afterAll(() => ground?.stop());

describeOnBothPagesAtLength('a batch of kind', (kind) => {
	const run = async (name: string) => {
		const { batch } = await ground.client.run(uuidOf(`${name} ${kind}`));
		const { batchID } = batch;
		await ground.service.logged({ batchID, msg: 'batch successful' });
		const lines = ground.service.log.filter((line) => line.batchID === batchID);
		const visit = await consoleClient(ground.service);
		const page = await (await visit(`/console/batches/${batchID}`)).text();
		return {
			end: lines.find(({ msg }) => msg === 'batch successful'),
			lines,
			page: page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '),
		};
	};
	const ends: Record<string, ReturnType<typeof run>> = {};
	/** What its log says at the end, and the page of it in the console: a browser waits for what is missing. */
	const endOf = (name: string) => (ends[name] ??= run(name));
	beforeAll(() => Promise.all(names.map(endOf)));

	const address = (path: string) => `${ground.site.baseUrl}${path}`;

	test.each([
		['a log-in page instead of a list', 'logIn', '/logIn?n=4', 2, 5],
		['a log-in page that others lead to', 'redirected', '/redirected?n=3', 3, 5],
		['a captcha instead of the next page', 'captcha', '/pager?n=4', 1, 4],
	])('names the pages without rows: %s', async (_, name, path, emptyPages, pages) => {
		const { end, page } = await endOf(name);
		const firstEmpty = address(path);
		const gap = { selector: '.c', emptyPages, pages, firstEmpty };
		expect(end).toMatchObject({ emptySelectors: [], emptyOnPages: [gap] });
		expect(page).toContain(
			`No rows or elements ( .c ) on ${emptyPages} of ${pages} pages or entries, first at ${firstEmpty}`,
		);
	});

	test('names the pages that are a row each, and give no value', async () => {
		const { end, page } = await endOf('pages');
		const firstEmpty = address('/detail?n=4');
		expect(end).toMatchObject({
			emptyOnPages: [{ selector: '', emptyPages: 2, pages: 5, firstEmpty }],
		});
		expect(page).toContain(
			`No column had a value on 2 of 5 pages or entries, first at ${firstEmpty}`,
		);
	});

	test.each([
		['variants', 'i', 'No rows or elements ( i )'],
		['sizes', 'i', 'No rows or elements ( i )'],
		['blanks', '', 'No column had a value'],
	])(
		'names an entry of a page that gives no row, where others do: %s',
		async (name, selector, said) => {
			const { end, page } = await endOf(name);
			const firstEmpty = address('/variants');
			const gap = { selector, emptyPages: 2, pages: 5, firstEmpty };
			expect(end).toMatchObject({ emptySelectors: [], emptyOnPages: [gap] });
			expect(page).toContain(`${said} on 2 of 5 pages or entries, first at ${firstEmpty}`);
		},
	);

	test('names a column that was there on each page before it was not', async () => {
		const { end, page } = await endOf('members');
		const gap = { field: { name: 'Price' }, emptyPages: 2, pages: 5 };
		expect(end).toMatchObject({ emptyOnPages: [{ ...gap, firstEmpty: address('/detail?n=4') }] });
		expect(page).toContain('Column Price was empty on 2 of 5 pages with rows, first at');
		expect(page).not.toContain('that gave nothing');
		const lists = await endOf('lists');
		expect(lists.end).toMatchObject({ emptyOnPages: [gap] });
	});

	test.each(['entries', 'optional'])(
		'does not name a column that few entries have: %s',
		async (name) => {
			const { end, page } = await endOf(name);
			expect(end).toMatchObject({ emptySelectors: [], emptyOnPages: [] });
			expect(page).not.toMatch(/that gave nothing|Columns that were empty/);
		},
	);

	test.each(['redirected', 'sentBack'])(
		'names an address that several others lead to, once: %s',
		async (name) => {
			const { lines } = await endOf(name);
			const named = lines.filter(({ msg }) => msg === 'pages redirected to one address');
			expect(named).toMatchObject([{ url: address('/login'), first: address(`/${name}?n=3`) }]);
		},
	);

	test('does not name addresses that lead nowhere else, whatever they are called', async () => {
		const { lines } = await endOf('atTheDoor');
		expect(lines.map(({ msg }) => msg)).not.toContain('pages redirected to one address');
	});
});
