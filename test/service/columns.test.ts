import { describeOnBothPages } from '../support/service/browser';
import type { SiteAnswer } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

jest.setTimeout(60_000);

// Columns that come from elsewhere than the row's own element: what was read before, and what is known
// without reading.

let ground: Ground;

const pages: Record<string, string> = {
	'/shop': `<h1>Shop</h1><ul>
		<li><a href="/lamp">Lamp</a> <b>12</b></li>
		<li><a href="/teapot">Teapot</a> <b>30</b></li>
		<li><a href="/gone">Gone</a></li></ul>`,
	'/lamp': '<h2>A lamp</h2><p>red</p><p>blue</p>',
	'/teapot': '<h2>A teapot</h2><p>white</p>',
	'/gone': '<h2>Gone</h2>',
};

const listAndDetail = loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
	extract({ Name: 'a', Price: { selector: 'b', default: 'ask' } }, undefined, { emit: false }),
	step('navigate', { useLoopItem: true }),
	extract({ Title: 'h2' }, undefined, { emit: false }),
	loop({ loopType: 'list', listType: 'elements', selector: 'p' }, [extract({ Colour: {} })]),
]);

const tasks = {
	nested: task('nested', [
		step('navigate', { url: '{base}/shop' }),
		extract({ Shop: 'h1' }, undefined, { emit: false }),
		listAndDetail,
	]),
	firstOfMany: task('firstOfMany', [
		step('navigate', { url: '{base}/shop' }),
		extract({ First: 'a' }, 'li', { emit: false }),
		extract({ Missing: { selector: 'i', default: 'none' } }, '.nothing', { emit: false }),
		extract({ Name: 'a' }, 'li'),
	]),
	roundsApart: task('roundsApart', [
		loop({ loopType: 'list', listType: 'urlList', urls: ['{base}/lamp', '{base}/shop'] }, [
			step('navigate', { useLoopItem: true }),
			extract({ Title: 'h2' }, undefined, { emit: false }),
			extract({ Shop: 'h1' }),
		]),
	]),
	sources: task('sources', [
		loop({ loopType: 'list', listType: 'textList', texts: ['lamp', 'teapot'] }, [
			step('navigate', { url: '{base}/echo' }),
			step('inputText', { selector: '[name=q]', useLoopItem: true, submit: true }),
			extract({
				Word: { source: 'loopItem' },
				Page: { source: 'pageUrl' },
				Query: { source: 'pageUrl', match: 'q=([a-z]+)' },
				When: { source: 'time' },
				Country: { source: 'constant', value: 'gb' },
			}),
		]),
	]),
	elementItems: task('elementItems', [
		step('navigate', { url: '{base}/shop' }),
		loop({ loopType: 'list', listType: 'elements', selector: 'li a' }, [
			step('navigate', { useLoopItem: true }),
			extract({ Linked: { source: 'loopItem' }, Title: 'h2' }),
		]),
	]),
};

beforeAll(async () => {
	ground = await startOnBothPages(tasks, ({ url }): SiteAnswer =>
		url.pathname === '/echo'
			? '<form action="/echo"><input name="q"></form>'
			: (pages[url.pathname] ?? { status: 404 }),
	);
}, 300_000);

afterAll(() => ground?.stop());

describeOnBothPages('on a page of kind', (page) => {
	const runOf = (name: keyof typeof tasks) => ground.client.run(uuidOf(`${name} ${page}`));

	test.concurrent(
		'list and detail stand in one row, through nested loops, in the order of the task',
		async () => {
			const { rows, batch } = await runOf('nested');
			expect(batch.fields.map(({ name }) => name)).toEqual([
				'Shop',
				'Name',
				'Price',
				'Title',
				'Colour',
			]);
			const lamp = { Shop: 'Shop', Name: 'Lamp', Price: '12', Title: 'A lamp' };
			expect(rows).toEqual([
				{ ...lamp, Colour: 'red' },
				{ ...lamp, Colour: 'blue' },
				{ Shop: 'Shop', Name: 'Teapot', Price: '30', Title: 'A teapot', Colour: 'white' },
			]);
		},
	);

	test.concurrent('the first match counts, and defaults where there is none', async () => {
		const { rows } = await runOf('firstOfMany');
		expect(rows).toEqual(
			['Lamp', 'Teapot', 'Gone'].map((Name) => ({ First: 'Lamp', Missing: 'none', Name })),
		);
	});

	test.concurrent('nothing of a round is left in the next', async () => {
		const { rows } = await runOf('roundsApart');
		expect(rows).toEqual([
			{ Title: 'A lamp', Shop: '' },
			{ Title: '', Shop: 'Shop' },
		]);
	});

	test.concurrent(
		'a run is split though a step before its loop reads what all rows share',
		async () => {
			const { rows, batch } = await ground.client.run(uuidOf(`roundsApart ${page}`), {
				jobCount: 2,
			});
			expect(batch.jobCount).toBe(2);
			expect(rows).toHaveLength(2);
		},
	);

	test.concurrent('values come from the round, the address, the time and the task', async () => {
		const before = Date.now();
		const { rows } = await runOf('sources');
		expect(rows).toEqual(
			['lamp', 'teapot'].map((word) => ({
				Word: word,
				Page: `${ground.site.baseUrl}/echo?q=${word}`,
				Query: word,
				When: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
				Country: 'gb',
			})),
		);
		expect(Date.parse(rows[0]?.When ?? '')).toBeGreaterThanOrEqual(before);
	});

	test.concurrent('the text of a loop element is kept when another page is open', async () => {
		const { rows } = await runOf('elementItems');
		expect(rows).toEqual([
			{ Linked: 'Lamp', Title: 'A lamp' },
			{ Linked: 'Teapot', Title: 'A teapot' },
			{ Linked: 'Gone', Title: 'Gone' },
		]);
	});
});
