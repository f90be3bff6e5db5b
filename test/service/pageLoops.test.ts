import { describeOnBothPagesAtLength, sampleOn } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { startService } from '../support/inProcess/startService';
import { isFullLength } from '../support/length';
import { startService as startProcess } from '../support/service/startService';
import { extract, loop, step, task, uuidOf, onBothPages } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';
import { leadingBack, leadingOn } from './pagerLabels';

// Where loops by page end, on both kinds of pages. The tests run side by side, on tasks of their own.

let ground: Ground;

const pages: Record<string, string> = {
	'/circle/1': '<p>first</p><a class="next" href="2">next</a>',
	'/circle/2': '<p>second</p><a class="next" href="1">next</a>',
	'/twice/': '<p>first</p><a class="next" href="/twice/2">next</a>',
	'/twice/2': '<p>second</p><a class="next" href="/twice/1">previous</a>',
	'/twice/1': '<p>first</p><a class="next" href="/twice/2">next</a>',
	'/fragment/1': '<p>first</p><a class="next" href="2">next</a>',
	'/fragment/2': '<p>second</p><a class="next" href="#">next</a>',
};

const throughPages = (name: string, path: string, times = {}) =>
	task(name, [
		step('navigate', { url: `{base}${path}` }),
		loop({ loopType: 'page', selector: '.next', timesMode: 'all', ...times }, [
			extract({ Text: 'p' }),
		]),
	]);

const pagers: Record<string, string[]> = { ...leadingBack, ...leadingOn };
const atPlace = { selector: 'div > :nth-last-child(1)', timesMode: 'custom', times: 9 };

const tasks = {
	...Object.fromEntries(
		Object.keys(pagers).map((name) => [
			name,
			throughPages(name, `/pager/${encodeURIComponent(name)}`, atPlace),
		]),
	),
	alternates: task('alternates', [
		step('navigate', { url: '{base}/head/1' }),
		loop({ loopType: 'list', listType: 'elements', selector: 'link' }, [
			step('navigate', { useLoopItem: true }),
			extract({ Text: 'p' }),
		]),
	]),
	...Object.fromEntries(
		`hidden hiddenAround neverSeen unseen head dead circle fragment disabled looks
		fieldset said made inner passed wide floated late endless sparse`
			.split(/\s+/)
			.map((name) => [name, throughPages(name, `/${name}/1`)]),
	),
	long: throughPages('long', '/long/1'),
	twice: throughPages('twice', '/twice/'),
	itself: throughPages('itself', '/token/1', { timesMode: 'custom', times: 6 }),
	atMost: throughPages('atMost', '/circle/1', { timesMode: 'custom', times: 1 }),
	sent: throughPages('sent', '/sent'),
};

/** What leads from a page to the next; on the last one it leads there once more. */
const nextOf: Record<string, (page: number, isLast: boolean) => string> = {
	disabled: (page, isLast) =>
		form(page, `<input type="submit" class="next" ${isLast ? 'disabled' : ''}>`),
	fieldset: (page, isLast) =>
		form(
			page,
			`<fieldset ${isLast ? 'disabled' : ''}><button class="next">Next</button></fieldset>`,
		),
	inner: (page, isLast) =>
		form(page, `<button ${isLast ? 'disabled' : ''}><b class="next">Next</b></button>`),
	said: (page, isLast) =>
		`<nav aria-disabled="${isLast}"><a class="next" href="?page=${page + 1}">Next</a></nav>`,
	passed: (page, isLast) => `<style>.off a { pointer-events: none }</style>
		<ul><li class="${isLast ? 'off' : ''}"><a class="next" href="?page=${page + 1}">Next</a></li></ul>`,
	made: (page, isLast) => `<a-button class="next" ${isLast ? 'disabled' : ''}
		onclick="this.hasAttribute('disabled') || location.assign('?page=${page + 1}')">Next</a-button>`,
	wide: (page, isLast) =>
		isLast ? '' : `<ul><li class="next"><a href="?page=${page + 1}">Next</a></li></ul>`,
	floated: (page, isLast) => `<style>li { display: inline } a { float: right }</style>
		${isLast ? '' : `<ul><li class="next"><a href="?page=${page + 1}">Next <b>→</b></a></li></ul>`}`,
	hidden: (page, isLast) =>
		`<a class="next" href="?page=${page + 1}" ${isLast ? 'style="display: none"' : ''}>Next</a>`,
	hiddenAround: (page) =>
		`<nav ${page >= 3 ? 'hidden' : ''}><a class="next" href="?page=${page + 1}">Next</a></nav>`,
	neverSeen: (page, isLast) =>
		isLast ? '' : `<nav hidden><a class="next" href="?page=${page + 1}">Next</a></nav>`,
	unseen: (page) => `<a class="next" href="?page=${page + 1}" style="display: none">Next</a>`,
	head: (page, isLast) => (isLast ? '' : `<link rel="next" class="next" href="?page=${page + 1}">`),
	looks: (page, isLast) =>
		isLast
			? '<span class="next disabled">Next</span>'
			: `<a class="next" href="?page=${page + 1}">Next</a>`,
	dead: () => '<button class="next">Next</button>',
	late: (page, isLast) =>
		`${form(page, `<button class="next" disabled>Next</button>`)}
		<script>${isLast} || setTimeout(() => document.querySelector('.next').disabled = false, 500)</script>`,
};

function form(page: number, button: string): string {
	return `<form><input type="hidden" name="page" value="${page + 1}">${button}</form>`;
}

beforeAll(async () => {
	let visit = 0;
	ground = await startOnBothPages(tasks, ({ url: { pathname, searchParams }, body }) => {
		const page = pages[pathname];
		if (page !== undefined) return page;
		if (pathname.startsWith('/token/')) {
			return `<input type="hidden" value="${Math.random()}"><p>${pathname.slice(7)}</p>
				<a class="next" href="/token/2">next</a>`;
		}
		const [, kind, number] = pathname.split('/');
		const links = pagers[decodeURIComponent(number ?? '')];
		if (kind === 'pager' && links) {
			const page = Number(searchParams.get('page') ?? 1);
			const isBack = page === links.length && Object.values(leadingBack).includes(links);
			const link = links[page - 1];
			// Neither the address nor the HTML tells a page that comes again.
			const to = `?page=${isBack ? page - 1 : page + 1}&visit=${(visit += 1)}`;
			return `<p>${page}</p><div><b></b>${link === undefined ? '' : `<a href="${to}" ${link}</a>`}</div>`;
		}
		const next = nextOf[kind ?? ''];
		if (next) {
			const page = Number(searchParams.get('page') ?? 1);
			return `<p>${Math.min(page, 3)}</p>${next(page, page >= 3)}`;
		}
		if (kind === 'endless' || kind === 'sparse' || kind === 'long') {
			const page = Number(number);
			const texts = {
				endless: Math.min(page, 3),
				sparse: Math.ceil(page / 50),
				long: page,
			};
			const next = kind === 'endless' || page < 160;
			return `<h1>Page ${page}</h1><p>${texts[kind]}</p>${next ? `<a class="next" href="/${kind}/${page + 1}">next</a>` : ''}`;
		}
		if (pathname === '/sent') {
			const page = Number(new URLSearchParams(body).get('page') ?? 1);
			const next = `<form method="post"><button class="next" name="page" value="${page + 1}">Next</button></form>`;
			return `<p>${page}</p>${page < 3 ? next : ''}`;
		}
		return { status: 404 };
	});
}, 300_000);

afterAll(() => ground?.stop());

describeOnBothPagesAtLength('a loop by page on a page of kind', (page) => {
	// A browser takes half a second for each page.

	async function textsOf(name: string): Promise<(string | undefined)[]> {
		const { rows } = await ground.client.run(uuidOf(`${name} ${page}`));
		return rows.map(({ Text }) => Text);
	}

	test.concurrent('ends where it leads back to where it has been, and warns of it', async () => {
		const { batch, rows } = await ground.client.run(uuidOf(`circle ${page}`));
		expect(rows.map(({ Text }) => Text)).toEqual(['first', 'second']);
		const { batchID } = batch;
		const reason = 'page was seen before: .next leads back to it';
		await ground.service.logged({ batchID, level: 40, msg: 'loop by page ended', reason });
	});

	test.concurrent('ends where it leads back to the first page by another address', async () => {
		expect(await textsOf('twice')).toEqual(['first', 'second']);
	});

	test.concurrent(
		'ends at a page that leads to itself, and is a little different each time',
		async () => {
			const { batch, rows } = await ground.client.run(uuidOf(`itself ${page}`));
			expect(rows.map(({ Text }) => Text)).toEqual(['1', '2']);
			const ended = { level: 30, msg: 'loop by page ended', reason: 'page was seen before' };
			await ground.service.logged({ batchID: batch.batchID, ...ended });
		},
	);

	test.concurrent('ends where it has read as many as it is told to, and says so', async () => {
		const { batch, rows } = await ground.client.run(uuidOf(`atMost ${page}`));
		expect(rows).toHaveLength(1);
		const ended = { level: 30, msg: 'loop by page ended', reason: 'the limit of 1 is reached' };
		await ground.service.logged({ batchID: batch.batchID, ...ended });
	});

	test.concurrent('ends at a page that leads to a place on itself', async () => {
		expect(await textsOf('fragment')).toEqual(['first', 'second']);
	});

	test.concurrent('goes on with a form that is sent to the same address each time', async () => {
		expect(await textsOf('sent')).toEqual(['1', '2', '3']);
	});

	test.concurrent.each(sampleOn(page, Object.entries(leadingBack)))(
		'ends where what stands in the place of its link is another one, as it says: %s',
		async (name, labels) => {
			const { batch, rows } = await ground.client.run(uuidOf(`${name} ${page}`));
			expect(rows.map(({ Text }) => Text)).toEqual(['1', '2', '3'].slice(0, labels.length));
			const { batchID } = batch;
			await ground.service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
			const ended = ground.service.log.find(
				(line) => line.batchID === batchID && line.msg === 'loop by page ended',
			);
			expect(ended?.reason).toMatch(/^div > :nth-last-child\(1\) says ".*", and not "/);
		},
	);

	test.concurrent.each(sampleOn(page, Object.keys(leadingOn)))(
		'goes on where its link says what it leads to, or says it in other words: %s',
		async (name) => {
			expect(await textsOf(name)).toEqual(['1', '2', '3', '4']);
		},
	);

	test.concurrent.each(
		sampleOn(page, [
			'disabled',
			'looks',
			'fieldset',
			'said',
			'inner',
			...(page === 'browser' ? ['made', 'passed'] : []),
		]),
	)('ends where what leads on cannot be pressed: %s', async (name) => {
		const { batch, rows } = await ground.client.run(uuidOf(`${name} ${page}`));
		expect(rows.map(({ Text }) => Text)).toEqual(['1', '2', '3']);
		expect(batch.status).toBe(3);
		const { batchID } = batch;
		const reason = '.next is disabled';
		await ground.service.logged({ batchID, msg: 'loop by page ended', reason });
		await ground.service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
	});

	test.concurrent.each(sampleOn(page, ['wide', 'floated']))(
		'goes on by the link that is all of the element which is named: %s',
		async (name) => {
			expect(await textsOf(name)).toEqual(['1', '2', '3']);
		},
	);

	test.concurrent('goes on by a link of the head, which nobody sees', async () => {
		const { batch, rows } = await ground.client.run(uuidOf(`head ${page}`));
		expect(rows.map(({ Text }) => Text)).toEqual(['1', '2', '3']);
		const { batchID } = batch;
		await ground.service.logged({ batchID, msg: 'loop by page ended', reason: 'no .next' });
		await ground.service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
		expect(await textsOf('alternates')).toEqual(['2']);
	});

	const testDead = page === 'browser' ? test.concurrent : () => undefined;
	testDead('says so where a click brings nothing', async () => {
		const { batch, rows } = await ground.client.run(uuidOf(`dead ${page}`));
		expect(rows.map(({ Text }) => Text)).toEqual(['1']);
		const reason = 'two clicks on .next changed nothing that is read';
		const { batchID } = batch;
		await ground.service.logged({ batchID, level: 40, msg: 'loop by page ended', reason });
	});

	test.concurrent.each(['hidden', 'hiddenAround'] as const)(
		'ends where what was seen before is hidden: %s',
		async (name) => {
			const { batch, rows } = await ground.client.run(uuidOf(`${name} ${page}`));
			expect(rows.map(({ Text }) => Text)).toEqual(['1', '2', '3']);
			const { batchID } = batch;
			const reason = '.next is hidden';
			await ground.service.logged({ batchID, msg: 'loop by page ended', reason });
			await ground.service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
		},
	);

	// Only a browser has to see what it clicks.
	const testUnseen = page === 'http' ? test.concurrent : () => undefined;
	testUnseen(
		'goes on by what is hidden on each page, as where a script is to show it',
		async () => {
			expect(await textsOf('neverSeen')).toEqual(['1', '2', '3']);
		},
	);

	const testHidden = page === 'browser' ? test.concurrent : () => undefined;
	testHidden('ends where what is to lead on was hidden from the start', async () => {
		const { batch, rows } = await ground.client.run(uuidOf(`unseen ${page}`));
		expect([batch.status, ...rows.map(({ Text }) => Text)]).toEqual([3, '1']);
		const ended = { batchID: batch.batchID, msg: 'loop by page ended' };
		await ground.service.logged({ ...ended, reason: '.next is hidden' });
	});

	const testLate = page === 'browser' ? test.concurrent : () => undefined;
	testLate('goes on where a script lets it be pressed after a while', async () => {
		expect(await textsOf('late')).toEqual(['1', '2', '3']);
	});

	const testEndless = page === 'http' || isFullLength ? test.concurrent : () => undefined;
	testEndless('ends after 50 rounds without a new row', async () => {
		const { batch, rows } = await ground.client.run(uuidOf(`endless ${page}`));
		expect(batch.status).toBe(3);
		expect(rows).toHaveLength(53);
		expect(ground.service.log).toContainEqual(
			expect.objectContaining({
				batchID: batch.batchID,
				msg: 'loop ended',
				rounds: 53,
				reason: 'no new row in 50 rounds',
			}),
		);
	});
});

describe('a loop by page without a number of times', () => {
	test.concurrent('goes on as long as there is a new row now and then', async () => {
		const { rows } = await ground.client.run(uuidOf('sparse http'));
		expect(rows).toHaveLength(160);
	});

	test.concurrent('goes on after a crash through rows that were stored before it', async () => {
		const own = await startProcess({
			tasks: onBothPages({ long: tasks.long }, ground.site.baseUrl),
		});
		const batch = await cloudClient(own).start(uuidOf('long http'));
		await cloudClient(own).waitFor(batch, ({ lineCount }) => lineCount >= 100);
		await own.kill();
		const again = await startService({ folder: own.folder });
		const ended = await cloudClient(again).waitFor(batch, ({ status }) => status >= 3);
		expect(ended.lineCount).toBe(160);
		await again.stop();
	});
});
