import { testWithBrowser } from '../../support/service/browser';
import { pointByRequests } from '../../support/service/pointByRequests';
import { useSiteAndService } from '../../support/inProcess/siteAndService';

// What adds to a list, and what stands at a place where "next" does elsewhere.

const entry = (number: number) => `<li><b>Axe ${number}</b> <i>${number}0</i></li>`;
const listTo = (last: number) =>
	Array.from({ length: last }, (_, index) => entry(index + 1)).join('');

const more = `<ul>${listTo(3)}</ul><button id="more">Load more</button><script>
	let last = 3;
	more.onclick = () => {
		for (let until = last + 3; last < until; last += 1) {
			document.querySelector('ul').insertAdjacentHTML('beforeend',
				'<li><b>Axe ' + (last + 1) + '</b> <i>' + (last + 1) + '0</i></li>');
		}
		more.hidden = last === 9;
	};
</script>`;

const pagerOf = (page: number) => {
	const link = (to: number, text: string | number) => `<a href="?page=${to}">${text}</a>`;
	const numbers = [1, 2, 3].map((each) => (each === page ? `<b>${each}</b>` : link(each, each)));
	const [back, on] = [page > 1 && link(page - 1, 'Previous'), page < 3 && link(page + 1, 'Next')];
	return `<nav>${[back, ...numbers, on].filter(Boolean).join(' ')}</nav>`;
};

const { site, service } = useSiteAndService(({ url }) => {
	const page = Number(url.searchParams.get('page') ?? 1);
	if (url.pathname === '/more') return more;
	return `<ul>${entry(page * 2 - 1)}${entry(page * 2)}</ul>${pagerOf(page)}`;
});

const beginAt = (path: string, page = 'http') =>
	pointByRequests(service, '/console/new', { url: `${site.baseUrl}${path}`, page });

testWithBrowser(
	'of a list that a button adds to, each entry is read once, in the end',
	async () => {
		const { pointAt, press, saveAndRun } = await beginAt('/more', 'browser');
		await pointAt('Axe 1');
		await pointAt('Axe 2');
		await press('Point at “next”');
		const said = await pointAt('Load more');
		expect(said).toContain('More of the list: Load more (6 entries)');
		expect(said).toContain('it is clicked until it is gone, and then each entry is read once');
		const rows = await saveAndRun();
		expect(rows.map(([name]) => name)).toEqual(
			Array.from({ length: 9 }, (_, index) => `Axe ${index + 1}`),
		);
	},
);

test('on the last page, what stands at the place of "next" is not followed', async () => {
	const { pointAt, press, saveAndRun, change } = await beginAt('/?page=1');
	await pointAt('Axe 1');
	await pointAt('Axe 2');
	await press('Point at “next”');
	expect(await pointAt('Next')).toContain('Next page: Next (2 entries)');
	await change('open', { url: `${site.baseUrl}/?page=3` });
	expect((await saveAndRun()).map(([name]) => name)).toEqual(['Axe 5', 'Axe 6']);
});
