import { pointByRequests } from '../../support/service/pointByRequests';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { startSite, type Site } from '../../support/service/startSite';

/** What stands below the entries of a page, of so many pages. */
type Pager = (page: number, pages: number) => string;

const upTo = (pages: number) => Array.from({ length: pages }, (_, index) => index + 1);

const to = (page: number, text: string, attributes = '') =>
	`<a href="?p=${page}"${attributes}>${text}</a>`;

const arrow = '<svg width="16" height="16"><path d="M1 1L9 9" /></svg>';

/** Ways in which sites lead from page to page, and what a person points at on the first. */
const pagers: Record<string, { pages: number; next: string | RegExp; pager: Pager }> = {
	'numbers, the one that is shown as a text': {
		pages: 4,
		next: '2',
		pager: (page, pages) =>
			`<ul>${upTo(pages)
				.map((each) => `<li>${each === page ? `<span>${each}</span>` : to(each, `${each}`)}</li>`)
				.join('')}</ul>`,
	},
	'previous, numbers and next': {
		pages: 5,
		next: 'Next',
		pager: (page, pages) =>
			`<ul class="pagination">${[
				`<li${page === 1 ? ' class="disabled"' : ''}>${page > 1 ? to(page - 1, 'Previous') : '<span>Previous</span>'}</li>`,
				...upTo(pages)
					.slice(Math.max(0, page - 2), page + 1)
					.map(
						(each) => `<li${each === page ? ' class="active"' : ''}>${to(each, `${each}`)}</li>`,
					),
				...(page < pages ? [`<li>${to(page + 1, 'Next')}</li>`] : []),
			].join('')}</ul>`,
	},
	'the number behind the current one': {
		pages: 4,
		next: '2',
		pager: (page, pages) =>
			`<div>${upTo(pages)
				.map((each) => to(each, `${each}`, each === page ? ' aria-current="page"' : ''))
				.join(' ')}</div>`,
	},
	'icons without a text': {
		pages: 3,
		next: /^<svg/,
		pager: (page, pages) =>
			`<div>${page > 1 ? to(page - 1, arrow, ' class="css-1x2y3z" aria-label="Go to previous page"') : ''}
				${page < pages ? to(page + 1, arrow, ' class="css-1x2y3z" aria-label="Go to next page"') : ''}</div>`,
	},
	'arrows to the first, the previous, the next and the last': {
		pages: 4,
		next: '›',
		pager: (page, pages) =>
			`<p>${page > 1 ? `${to(1, '«')} ${to(page - 1, '‹')}` : ''} ${page < pages ? `${to(page + 1, '›')} ${to(pages, '»')}` : ''}</p>`,
	},
	'two pages, told apart by the text alone': {
		pages: 2,
		next: 'Next',
		pager: (page) => `<p>${page === 1 ? to(2, 'Next') : to(1, 'Previous')}</p>`,
	},
};

describe('"next" is pointed at on the first page, and all pages are read once', () => {
	let site: Site;
	let service: RunningService;

	beforeAll(async () => {
		site = await startSite(({ url }) => {
			const { pages, pager } = Object.values(pagers)[Number(url.pathname.slice(1))] ?? {};
			if (!pages || !pager) return { status: 404 };
			const page = Number(url.searchParams.get('p') ?? 1);
			return `<title>Books</title><ol><li class="book"><b>a${page}</b></li><li class="book"><b>b${page}</b></li></ol>${pager(page, pages)}`;
		});
		service = await startService({ tasks: {} });
	});
	afterAll(async () => {
		await service?.stop();
		await site?.stop();
	});

	/** Somebody who has pointed at the list above a pager, and is about to point at "next". */
	async function openPager(name: string) {
		const url = `${site.baseUrl}/${Object.keys(pagers).indexOf(name)}`;
		const opened = await pointByRequests(service, '/console/new', { url });
		await opened.pointAt('a1');
		expect(await opened.pointAt('b1')).toContain('2 entries');
		await opened.press('Point at “next”');
		return opened;
	}

	test.each([
		'<button>More</button>',
		'<a href="#">More</a>',
		'<a href="javascript:go()">More</a>',
	])('what leads on by a script is refused on a page as it comes: %s', async (button) => {
		pagers.scripted = { pages: 1, next: 'More', pager: () => button };
		const { pointAt } = await openPager('scripted');
		expect(await pointAt('More')).toContain('choose “in a browser”');
	});

	test.each(Object.keys(pagers))('%s', async (name) => {
		const { pages = 0, next = '' } = pagers[name] ?? {};
		const { pointAt, saveAndRun } = await openPager(name);
		expect(await pointAt(next)).toContain('goes on by');
		const rows = await saveAndRun();
		expect(rows.flat()).toEqual(upTo(pages).flatMap((each) => [`a${each}`, `b${each}`]));
	});
});
