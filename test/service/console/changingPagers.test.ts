import { pointByRequests } from '../../support/service/pointByRequests';
import { useSiteAndService } from '../../support/inProcess/siteAndService';

/** What stands below the entries of a page, of so many pages. */
type Pager = (page: number, pages: number) => string;

const upTo = (pages: number) => Array.from({ length: pages }, (_, index) => index + 1);

const to = (page: number, text: string, attributes = '') =>
	`<a href="?p=${page}"${attributes}>${text}</a>`;

describe('"next" is pointed at, and the site has more or fewer pages later', () => {
	let shown: { pages: number; pager: Pager };
	const { site, service } = useSiteAndService(({ url }) => {
		const page = Number(url.searchParams.get('p') ?? 1);
		return `<title>Books</title><ol><li class="book"><b>a${page}</b></li><li class="book"><b>b${page}</b></li></ol>${shown.pager(page, shown.pages)}`;
	});

	/** Somebody who has pointed at the list above a pager, and is about to point at "next". */
	async function openPager(pages: number, pager: Pager) {
		shown = { pages, pager };
		const opened = await pointByRequests(service, '/console/new', { url: `${site.baseUrl}/` });
		await opened.pointAt('a1');
		await opened.pointAt('b1');
		await opened.press('Point at “next”');
		return opened;
	}

	const bootstrap: Pager = (page, pages) => {
		const item = (each: number, text: string, state = '') =>
			`<li class="page-item ${state}">${to(each, text, ' class="page-link"')}</li>`;
		return `<ul class="pagination">${[
			item(Math.max(page - 1, 1), 'Previous', page > 1 ? '' : 'disabled'),
			...upTo(pages).map((each) => item(each, `${each}`, each === page ? 'active' : '')),
			item(Math.min(page + 1, pages), 'Next', page < pages ? '' : 'disabled'),
		].join('')}</ul>`;
	};
	/** Cells of which none has a name, with the first and the last page where these are far off. */
	const forum: Pager = (page, pages) => {
		const cells = [
			page > 2 ? to(1, '« First') : '',
			page > 1 ? to(page - 1, '&lt;', ' rel="prev"') : '',
			...upTo(pages)
				.filter((each) => Math.abs(each - page) < 3)
				.map((each) => (each === page ? `<span>${each}</span>` : to(each, `${each}`))),
			page < pages ? to(page + 1, '&gt;', ' rel="next"') : '',
			page < pages - 1 ? to(pages, 'Last »') : '',
		].filter(Boolean);
		return `<table><tr><td>Page ${page} of ${pages}</td>${cells.map((each) => `<td>${each}</td>`).join('')}</tr></table>`;
	};
	/** The number of the last page is no link. */
	const search: Pager = (page, pages) =>
		`<div>${upTo(pages)
			.map((each) =>
				each === page
					? `<span class="selected">${each}</span>`
					: each === pages
						? `<span>${each}</span>`
						: to(each, `${each}`),
			)
			.join('')}${page < pages ? to(page + 1, 'Next', ' class="next"') : ''}</div>`;
	/** On the first page "next" stands alone, and elsewhere on the page other links do. */
	const alone: Pager = (page, pages) =>
		`<div class="pages">${page > 1 ? to(page - 1, 'Previous') : ''} ${page < pages ? to(page + 1, 'Next') : ''}</div><div class="foot">${to(9, 'Imprint')}</div>`;
	/** "Next" is alone in the last cell, where on the last page are the numbers. */
	const cells: Pager = (page, pages) =>
		`<table><tr>${page > 1 ? `<td>${to(page - 1, 'Previous')}</td>` : ''}<td>${upTo(pages)
			.map((each) => (each === page ? `<b>${each}</b>` : to(each, `${each}`)))
			.join(' ')}</td>${page < pages ? `<td>${to(page + 1, 'Next')}</td>` : ''}</tr></table>`;
	test.each([
		['Next', 2, 4, 'Next', alone],
		['Next', 2, 4, 'Next', cells],
		['Next', 2, 4, 'Next', bootstrap],
		['Next', 4, 2, 'Next', bootstrap],
		['Next', 3, 7, 'Next', bootstrap],
		// What says “next” leads there, too, and does not move.
		['2', 2, 4, 'Next', bootstrap],
		['2', 4, 2, '>', forum],
		['2', 4, 7, '>', forum],
		['2', 4, 7, 'Next', search],
	])(
		'“%s”, pointed at where there are %i pages, leads on where there are %i: by “%s”, in %o',
		async (next, before, after, label, pager) => {
			const { pointAt, saveAndRun } = await openPager(before, pager);
			expect(await pointAt(next)).toContain(`Next page: ${label} (2 entries)`);
			shown = { pages: after, pager };
			expect((await saveAndRun()).flat()).toEqual(
				upTo(after).flatMap((each) => [`a${each}`, `b${each}`]),
			);
		},
	);

	test.each([
		['all of which are links', 4, (page: number) => to(page, `${page}`)],
		['of which the one that is shown is a text', 2, (page: number) => `${page}`],
	])(
		'a number of which nothing but its place is known is refused, in a row %s: there another one stands soon',
		async (_, pages, current) => {
			const pager = (page: number) =>
				`<p>${upTo(pages)
					.slice(Math.max(0, page - 2), page + 1)
					.map((each) => (each === page ? current(each) : to(each, `${each}`)))
					.join(' ')}</p>`;
			const { pointAt } = await openPager(pages, pager);
			expect(await pointAt('2')).toContain('nothing tells the link that leads on');
		},
	);
});
