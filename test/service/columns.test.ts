import { setTimeout as sleep } from 'node:timers/promises';
import { describeOnBothPages } from '../support/service/browser';
import type { SiteAnswer } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

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
	'/releases': `<h1>Releases</h1><ul>
		<li><b>1</b> <a href="/lamp">more</a></li>
		<li><b>2</b></li>
		<li><b>3</b> <a href="/never">more</a></li>
		<li><b>4</b> <a href="/late">more</a></li></ul>`,
	'/late': '<h2>Late</h2>',
	'/parts': `<ul>
		<li><b>1</b> <a href="/some">more</a></li>
		<li><b>2</b> <a href="/none">more</a></li></ul>`,
	'/some': '<p><a href="/lamp">part</a></p><p>no part</p>',
	'/none': '<p>no part</p><p><a href="/never">part</a></p>',
	'/slow list': '<ul><li><b>1</b> <a href="/slow">more</a></li></ul>',
};

/** What an entry says, then what the page says that it leads to. */
const entryAndPage = (...onItsPage: object[]) =>
	loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
		extract({ Number: 'b' }, undefined, { emit: false }),
		step('click', { selector: 'a' }),
		...onItsPage,
	]);

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
	releases: task('releases', [
		step('navigate', { url: '{base}/releases' }),
		extract({ Heading: 'h1' }, undefined, { emit: false }),
		entryAndPage(extract({ Title: { selector: 'h2', default: 'untitled' } })),
	]),
	parts: task('parts', [
		step('navigate', { url: '{base}/parts' }),
		entryAndPage(
			loop({ loopType: 'list', listType: 'elements', selector: 'p' }, [
				step('click', { selector: 'a' }, 'part'),
				extract({ Title: 'h2' }),
			]),
		),
	]),
	rowsBefore: task('rowsBefore', [
		step('navigate', { url: '{base}/releases' }),
		extract({ Heading: 'h1' }, undefined, { emit: false }),
		extract({ Number: 'b' }, 'li'),
		step('click', { selector: '.nothing' }),
		extract({ Title: 'h2' }),
	]),
	goneUrls: task('goneUrls', [
		step('navigate', { url: '{base}/shop' }),
		extract({ Shop: 'h1' }, undefined, { emit: false }),
		loop({ loopType: 'list', listType: 'urlList', urls: ['{base}/never', '{base}/never?2'] }, [
			step('navigate', { useLoopItem: true }, 'each gone one'),
			extract({ Title: 'h2' }),
		]),
	]),
	slow: task('slow', [
		step('navigate', { url: '{base}/slow%20list' }),
		entryAndPage(extract({ Title: 'h2' })),
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
	/** The visitors that have asked in vain for a page that is there a little later. */
	const late = new Set<string>();
	ground = await startOnBothPages(tasks, async ({ url, headers, closed }): Promise<SiteAnswer> => {
		if (url.pathname === '/echo') return '<form action="/echo"><input name="q"></form>';
		if (url.pathname === '/slow') await closed;
		const visitor = headers['user-agent'] ?? '';
		if (url.pathname === '/late' && !late.has(visitor)) {
			late.add(visitor);
			return { status: 503 };
		}
		return pages[decodeURIComponent(url.pathname)] ?? { status: 404 };
	});
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

	test.concurrent(
		'an entry without a link, or whose page is not to be had, keeps what its list says',
		async () => {
			const { rows, batch } = await runOf('releases');
			const Heading = 'Releases';
			expect(rows).toEqual([
				{ Heading, Number: '1', Title: 'A lamp' },
				{ Heading, Number: '2', Title: '' },
				{ Heading, Number: '3', Title: '' },
				// Its page was there at the second try.
				{ Heading, Number: '4', Title: 'Late' },
			]);
			const [, second] = await ground.client.rawRowsOf(batch);
			expect(Object.values(second ?? {})).toEqual([Heading, '2']);
			await ground.service.logged({ batchID: batch.batchID, failedPages: 2 });
		},
	);

	test.concurrent('what was read is a row of its own only if no row came of it', async () => {
		const { rows } = await runOf('parts');
		expect(rows).toEqual([
			{ Number: '1', Title: 'A lamp' },
			{ Number: '2', Title: '' },
		]);
		const before = await runOf('rowsBefore');
		expect(before.rows.map(({ Number }) => Number)).toEqual(['1', '2', '3', '4']);
	});

	test.concurrent('what the jobs of a run share is no row of theirs', async () => {
		const { rows } = await ground.client.run(uuidOf(`goneUrls ${page}`), { jobCount: 2 });
		expect(rows).toEqual([]);
	});

	test.concurrent('a batch that is stopped in a round has no row of it', async () => {
		const { client, site } = ground;
		const agent = page === 'http' ? /^cloud-scraping/ : /Mozilla/;
		const batch = await client.start(uuidOf(`slow ${page}`));
		while (
			!site.requests.some(
				({ url, headers }) => url.pathname === '/slow' && agent.test(headers['user-agent'] ?? ''),
			)
		) {
			await sleep(20);
		}
		await client.stop(batch.taskID);
		const ended = await client.waitFor(batch, ({ status }) => status >= 3);
		expect(await client.rowsOf(ended)).toEqual([]);
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
