import { describeOnBothPagesAtLength } from '../../support/service/browser';
import { pointByRequests } from '../../support/service/pointByRequests';
import { useSiteAndService } from '../../support/inProcess/siteAndService';

// Lists without a name of their own, told by their place among others: on the next page another one may stand there.

const articles = (...numbers: number[]) =>
	numbers.map((each) => `<article><h3>Item ${each}</h3></article>`).join('');
const section = (...numbers: number[]) => `<section>${articles(...numbers)}</section>`;
const own = (page: number) => [page * 2 - 1, page * 2];
const next = (page: number) => (page < 3 ? `<a class="next" href="?p=${page + 1}">Next</a>` : '');

const pages: Record<string, (page: number) => string> = {
	'/moved': (page) =>
		`<main>${page === 1 ? section(91, 92) : ''}${section(...own(page))}${section(81, 82)}${next(page)}</main>`,
	'/placed': (page) =>
		`<main>${section(91, 92 + page)}${section(...own(page))}${next(page)}</main>`,
	'/named': (page) => `<main>${page === 1 ? section(91, 92) : ''}
		<section class="js-list">${articles(...own(page))}</section>${section(81, 82)}${next(page)}</main>`,
	'/unread': () =>
		`<main>${['unread', 'unread', 'rules', 'contact'].map((name, index) => `<article class="${name}"><h3>Item ${index + 1}</h3></article>`).join('')}</main>`,
};

const { site, service } = useSiteAndService(({ url: { pathname, searchParams } }) => {
	const page = pages[pathname];
	return page ? page(Number(searchParams.get('p') ?? 1)) : { status: 404 };
});

const place = 'By its position: check the rows';
const warning = 'there, another list is in its place';
const items = [1, 2, 3, 4, 5, 6].map((each) => [`Item ${each}`]);

describeOnBothPagesAtLength('on a page of kind', (page) => {
	async function pointed(path: string) {
		const values = { url: `${site.baseUrl}${path}`, page };
		const pointing = await pointByRequests(service, '/console/new', values);
		await pointing.pointAt('Item 1');
		const list = await pointing.pointAt('Item 2');
		await pointing.press('Point at “next”');
		return { pointing, list, after: await pointing.pointAt('Next') };
	}

	test('a list that is told by its place says so, and where the next page has another one there', async () => {
		const { pointing, list, after } = await pointed('/moved');
		expect(list).toContain(place);
		expect(list).not.toContain(warning);
		expect(after).toContain('Next page: Next (2 entries)');
		expect(after).toContain(warning);
		expect(await pointing.press('Undo')).not.toContain(warning);
	});

	test('where the next page has the list in its place, nothing is wrong with that', async () => {
		const { pointing, list, after } = await pointed('/placed');
		expect(list).toContain(place);
		expect(after).toContain('Next page: Next (2 entries)');
		expect(after).not.toContain(warning);
		expect(await pointing.saveAndRun()).toEqual(items);
	});

	test('a list that nothing but a state tells from what is beside it says so', async () => {
		const url = `${site.baseUrl}/unread`;
		const pointing = await pointByRequests(service, '/console/new', { url, page });
		await pointing.pointAt('Item 1');
		expect(await pointing.pointAt('Item 2')).toContain('By the class “unread”');
	});

	test('a class for scripts is rather taken than a place', async () => {
		const { pointing, list, after } = await pointed('/named');
		expect(list).not.toContain(place);
		expect(after).not.toContain(warning);
		expect(await pointing.saveAndRun()).toEqual(items);
	});
});
