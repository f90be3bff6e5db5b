import { pointByRequests } from '../../support/service/pointByRequests';
import { useSiteAndService } from '../../support/inProcess/siteAndService';

/** What stands below the entries of a page, of so many pages. */
type Pager = (page: number, pages: number) => string;

const upTo = (pages: number) => Array.from({ length: pages }, (_, index) => index + 1);

const to = (page: number, text: string, attributes = '') =>
	`<a href="?p=${page}"${attributes}>${text}</a>`;

const arrow = '<svg width="16" height="16"><path d="M1 1L9 9" /></svg>';

const months = ['Jan', 'Feb', 'Mar', 'Apr'];

/** What leads to the page before and to the one behind; empty where there is none. */
const beside = (page: number, pages: number, link: (page: number) => string) =>
	[page - 1, page + 1].map((each) => (each >= 1 && each <= pages ? link(each) : ''));

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
	'icons without any name, in a row with "previous"': {
		pages: 4,
		next: /^<svg/,
		pager: (page, pages) =>
			`<div>${beside(page, pages, (each) => to(each, arrow, ' class="arrow"')).join(' ')}</div>`,
	},
	'a class that "previous" has as well, and a relation': {
		pages: 3,
		next: 'Next',
		pager: (page, pages) =>
			`<div>${page > 1 ? to(page - 1, 'Previous', ' class="pager-link" rel="prev"') : ''}
				${page < pages ? to(page + 1, 'Next', ' class="pager-link" rel="nofollow next"') : ''}</div>`,
	},
	'arrows to the first, the previous, the next and the last': {
		pages: 4,
		next: '›',
		pager: (page, pages) =>
			`<p>${page > 1 ? `${to(1, '«')} ${to(page - 1, '‹')}` : ''} ${page < pages ? `${to(page + 1, '›')} ${to(pages, '»')}` : ''}</p>`,
	},
	'the month before, the one that is shown, and the month behind': {
		pages: 4,
		next: 'Month 2',
		pager: (page, pages) =>
			`<nav>${beside(page, pages, (each) => to(each, `Month ${each}`, ' class="month"')).join(` <b>Month ${page}</b> `)}</nav>`,
	},
	'days, of which the one behind is told by its place from the end': {
		pages: 4,
		next: '2026-01-02',
		pager: (page, pages) =>
			`<p>${to(9, 'Calendar')} ${beside(page, pages, (each) => to(each, `2026-01-0${each}`)).join(' ')}</p>`,
	},
	'titles in items of which one is called for leading on': {
		pages: 4,
		next: 'Feb',
		pager: (page, pages) => {
			const [before, after] = beside(page, pages, (each) => to(each, months[each - 1] ?? ''));
			return `<ul>${before && `<li class="before">${before}</li>`}<li class="after">${after}</li><li>${to(9, 'All')}</li></ul>`;
		},
	},
	'cells, of which the first is empty': {
		pages: 4,
		next: '4 to 6',
		pager: (page, pages) =>
			`<table><tr>${beside(page, pages, (each) => to(each, `${each * 3 - 2} to ${each * 3}`))
				.map((link) => `<td>${link}</td>`)
				.join('')}</tr></table>`,
	},
	'titles, of two pages': {
		pages: 2,
		next: 'Feb',
		pager: (page) => `<p>${to(3 - page, months[2 - page] ?? '')}</p>`,
	},
	'two pages, told apart by the text alone': {
		pages: 2,
		next: 'Next',
		pager: (page) => `<p>${page === 1 ? to(2, 'Next') : to(1, 'Previous')}</p>`,
	},
};

describe('"next" is pointed at on the first page, and all pages are read once', () => {
	const { site, service } = useSiteAndService(({ url }) => {
		if (url.pathname === '/none') return '<p>Nothing here</p>';
		const { pages, pager } = Object.values(pagers)[Number(url.pathname.slice(1))] ?? {};
		if (!pages || !pager) return { status: 404 };
		const page = Number(url.searchParams.get('p') ?? 1);
		return `<title>Books</title><ol><li class="book"><b>a${page}</b></li><li class="book"><b>b${page}</b></li></ol>${pager(page, pages)}`;
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

	test.each([
		['a page without the list', '<a href="/none">More</a>', 'The next page has 0 of these entries'],
		['a page that is not there', '<a href="/gone">More</a>', 'HTTP 404, the page does not exist'],
		[
			'a site that nobody has',
			'<a href="http://nobody.invalid/">More</a>',
			'The site “nobody.invalid” was not found. The link leads there: point at another one.',
		],
	])('what leads to %s is no “next”', async (_, pager, why) => {
		pagers.elsewhere = { pages: 1, next: 'More', pager: () => pager };
		const { pointAt, panel } = await openPager('elsewhere');
		expect(await pointAt('More')).toContain(why);
		// Another link can be pointed at right away.
		expect(panel()).toMatch(/aria-label="Point at “next”"\s+aria-pressed="true"/);
	});

	test('a text of its own, with more behind it that no selector finds, is refused', async () => {
		pagers.untold = {
			pages: 4,
			next: 'Feb',
			pager: (page, pages) =>
				`<p>${beside(page, pages, (each) => to(each, months[each - 1] ?? '')).join(' ')} ${page > 1 ? to(1, 'First') : ''}</p>`,
		};
		const { pointAt } = await openPager('untold');
		expect(await pointAt('Feb')).toContain('nothing tells the link that leads on');
	});

	const others: Pager = (page, pages) =>
		[
			page > 1 ? to(page - 1, 'Previous') : '<span>Previous</span>',
			page < pages ? to(page + 1, 'Next') : '<span>Next</span>',
		].join(' ');
	test.each<[string, Pager]>([
		['a row', (...of) => `<div class="pager">${others(...of)}</div>`],
		['a row without a name', (...of) => `<p>${others(...of)}</p>`],
		[
			'items',
			(...of) =>
				`<ul class="pager"><li>${others(...of).replace(/(\/\w+>) /, '$1</li><li>')}</li></ul>`,
		],
	])(
		'what is no link where it leads nowhere tells no other link, in %s: a third page is read',
		async (_, pager) => {
			const grown = { pages: 2, next: 'Next', pager };
			pagers.grown = grown;
			const { pointAt, saveAndRun } = await openPager('grown');
			expect(await pointAt('Next')).toContain('Next page: Next (2 entries)');
			grown.pages = 4;
			expect((await saveAndRun()).flat()).toEqual(
				upTo(4).flatMap((each) => [`a${each}`, `b${each}`]),
			);
		},
	);

	test('the button of a form is looked at by pressing it', async () => {
		const form = (page: number) =>
			`<form><button name="p" value="${page + 1}" class="next">More</button></form>`;
		pagers.form = { pages: 3, next: 'More', pager: (page) => (page < 3 ? form(page) : '') };
		const { pointAt, saveAndRun } = await openPager('form');
		expect(await pointAt('More')).toContain('(2 entries)');
		expect(await saveAndRun()).toHaveLength(6);
	});

	const hidden = (links: string) => `<nav style="display: none">${links}</nav>`;
	test.each([
		['by its relation', hidden('<a href="?p=2" rel="nofollow next">Onward</a>'), 'Onward'],
		['by the head of its page', '<link rel="next" href="?p=2">' + hidden(to(2, '…')), '…'],
		['by a word', hidden(`${to(1, 'Next of kin')}${to(2, 'Next page »')}`), 'Next page »'],
		['by an arrow', hidden(`${to(5, '»')}${to(2, '›')}`), '›'],
		['by its number', hidden(`<b>1</b>${to(2, '2')}${to(3, '3')}`), '2'],
	])('a hidden link to the next page is offered %s, and looked at', async (_, links, label) => {
		pagers.hidden = { pages: 3, next: '', pager: (page) => (page === 1 ? links : '') };
		const { press, panel, saveAndRun } = await openPager('hidden');
		expect(panel()).toContain(`<b>${label}</b> seems to lead to the next page`);
		expect(await press(`Take “${label}”`)).toContain('(2 entries)');
		expect((await saveAndRun()).flat()).toEqual(['a1', 'b1', 'a2', 'b2']);
	});

	test.each([hidden(to(2, '2')), to(2, '»'), '<a>Next</a>', '<link rel="next" href="?p=2">'])(
		'nothing is offered where nothing says so: %s',
		async (links) => {
			pagers.hidden = { pages: 1, next: '', pager: () => links };
			expect((await openPager('hidden')).panel()).not.toContain('seems to lead to the next page');
		},
	);

	test('no more pages are read than that', async () => {
		const { pointAt, change, saveAndRun } = await openPager('icons without a text');
		await pointAt(/^<svg/);
		for (const text of ['none', '0', '1.5', '100001', '-1']) {
			expect(await change('pages', { pages: text })).toContain(
				`a whole number from 1 to 100,000, or nothing for all pages, not “${text}”`,
			);
		}
		expect(await change('pages', { pages: ' 2 ' })).not.toContain('not “');
		expect((await saveAndRun()).flat()).toEqual(['a1', 'b1', 'a2', 'b2']);
	});

	test('a task that reads so many pages can be opened to be changed', async () => {
		const { pointAt, change, save } = await openPager('icons without a text');
		await pointAt(/^<svg/);
		await change('pages', { pages: '2' });
		const path = new URL(await save(), service.baseUrl).pathname;
		const again = await pointByRequests(service, `${path}/point`);
		expect(again.panel()).toMatch(/name="pages"\s+value="2"/);
		await again.change('pages', { pages: '' });
		expect(await again.saveAndRun()).toHaveLength(6);
	});

	test.each(Object.keys(pagers))('%s', async (name) => {
		const { pages = 0, next = '' } = pagers[name] ?? {};
		const { pointAt, saveAndRun } = await openPager(name);
		expect(await pointAt(next)).toContain('Next page:');
		const rows = await saveAndRun();
		expect(rows.flat()).toEqual(upTo(pages).flatMap((each) => [`a${each}`, `b${each}`]));
	});
});
