import { describeOnBothPages } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { startService } from '../support/inProcess/startService';
import { isFullLength } from '../support/length';
import { startService as startProcess } from '../support/service/startService';
import { extract, loop, step, task, uuidOf, onBothPages } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

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

const tasks = {
	circle: throughPages('circle', '/circle/1'),
	twice: throughPages('twice', '/twice/'),
	itself: throughPages('itself', '/token/1', { timesMode: 'custom', times: 6 }),
	fragment: throughPages('fragment', '/fragment/1'),
	sent: throughPages('sent', '/sent'),
	disabled: throughPages('disabled', '/disabled/1'),
	fieldset: throughPages('fieldset', '/fieldset/1'),
	said: throughPages('said', '/said/1'),
	inner: throughPages('inner', '/inner/1'),
	wide: throughPages('wide', '/wide/1'),
	floated: throughPages('floated', '/floated/1'),
	late: throughPages('late', '/late/1'),
	endless: throughPages('endless', '/endless/1'),
	sparse: throughPages('sparse', '/sparse/1'),
	long: throughPages('long', '/long/1'),
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
	wide: (page, isLast) =>
		isLast ? '' : `<ul><li class="next"><a href="?page=${page + 1}">Next</a></li></ul>`,
	floated: (page, isLast) => `<style>li { display: inline } a { float: right }</style>
		${isLast ? '' : `<ul><li class="next"><a href="?page=${page + 1}">Next <b>→</b></a></li></ul>`}`,
	late: (page, isLast) =>
		`${form(page, `<button class="next" disabled>Next</button>`)}
		<script>${isLast} || setTimeout(() => document.querySelector('.next').disabled = false, 500)</script>`,
};

function form(page: number, button: string): string {
	return `<form><input type="hidden" name="page" value="${page + 1}">${button}</form>`;
}

beforeAll(async () => {
	ground = await startOnBothPages(tasks, ({ url: { pathname, searchParams }, body }) => {
		const page = pages[pathname];
		if (page !== undefined) return page;
		if (pathname.startsWith('/token/')) {
			return `<input type="hidden" value="${Math.random()}"><p>${pathname.slice(7)}</p>
				<a class="next" href="/token/2">next</a>`;
		}
		const [, kind, number] = pathname.split('/');
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
			return `<p>${texts[kind]}</p>${next ? `<a class="next" href="/${kind}/${page + 1}">next</a>` : ''}`;
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

describeOnBothPages('a loop by page on a page of kind', (page) => {
	async function textsOf(name: keyof typeof tasks): Promise<(string | undefined)[]> {
		const { rows } = await ground.client.run(uuidOf(`${name} ${page}`));
		return rows.map(({ Text }) => Text);
	}

	test.concurrent('ends where it leads back to where it has been', async () => {
		expect(await textsOf('circle')).toEqual(['first', 'second']);
	});

	test.concurrent('ends where it leads back to the first page by another address', async () => {
		expect(await textsOf('twice')).toEqual(['first', 'second']);
	});

	test.concurrent(
		'ends at a page that leads to itself, and is a little different each time',
		async () => {
			expect(await textsOf('itself')).toEqual(['1', '2']);
		},
	);

	test.concurrent('ends at a page that leads to a place on itself', async () => {
		expect(await textsOf('fragment')).toEqual(['first', 'second']);
	});

	test.concurrent('goes on with a form that is sent to the same address each time', async () => {
		expect(await textsOf('sent')).toEqual(['1', '2', '3']);
	});

	test.concurrent.each(['disabled', 'fieldset', 'said', 'inner'] as const)(
		'ends where what leads on cannot be pressed: %s',
		async (name) => {
			const { batch, rows } = await ground.client.run(uuidOf(`${name} ${page}`));
			expect(rows.map(({ Text }) => Text)).toEqual(['1', '2', '3']);
			expect(batch.status).toBe(3);
			const { batchID } = batch;
			const reason = '.next is disabled';
			await ground.service.logged({ batchID, msg: 'loop by page ended', reason });
			await ground.service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
		},
	);

	test.concurrent.each(['wide', 'floated'] as const)(
		'goes on by the link that is all of the element which is named: %s',
		async (name) => {
			expect(await textsOf(name)).toEqual(['1', '2', '3']);
		},
	);

	const testLate = page === 'browser' ? test.concurrent : () => undefined;
	testLate('goes on where a script lets it be pressed after a while', async () => {
		expect(await textsOf('late')).toEqual(['1', '2', '3']);
	});

	// A browser takes half a second for each page.
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
