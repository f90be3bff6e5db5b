import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Pages that are scrolled through for what comes far down, and that may show other entries then.

/** Of one entry, there is no price. */
const withoutPrice = 2;
const entries = [1, withoutPrice, 3];

/** Goes on to the next story as its end comes into sight. */
const storyPage = (goOn: string) => `<style>article { height: 1500px }</style>
	<main></main><footer>.</footer><script>
	let story = Number(location.search.slice(1));
	const text = (story) => '<article><h1>entry ' + story + '</h1>' +
		(story === ${withoutPrice} ? '' : '<p class="price">' + story + '.50</p>') + '</article>';
	const main = document.querySelector('main');
	main.innerHTML = text(story);
	new IntersectionObserver(async ([{ isIntersecting }]) => {
		if (!isIntersecting) return;
		await fetch('/data');
		story += 1;
		${goOn}
	}).observe(document.querySelector('footer'));
</script>`;
const append = `main.insertAdjacentHTML('beforeend', text(story));`;

/** Fills its last section once that comes into sight, far down. */
const longPage = (
	content: string,
) => `<style>div { height: 3000px } section { min-height: 20px }</style>
	<h1></h1><div></div><section></section><script>
	const entry = Number(location.search.slice(1));
	document.querySelector('h1').textContent = 'entry ' + entry;
	new IntersectionObserver(async ([{ isIntersecting, target }], seen) => {
		if (!isIntersecting) return;
		seen.disconnect();
		await fetch('/data');
		target.innerHTML = ${content};
	}).observe(document.querySelector('section'));
</script>`;

const stories: Record<string, string> = {
	appended: storyPage(append),
	'appended, with its address': storyPage(`${append} history.replaceState({}, '', '?' + story);`),
	'put in its place': storyPage('main.innerHTML = text(story);'),
};
const pages: Record<string, string> = {
	...stories,
	beside: longPage(
		`'<p class="price">' + [1, 2].map((other) => other + '.50</p><p class="price">').join('')`,
	),
	comments: longPage(`'<li>one</li><li>other</li>'`),
	more: longPage(
		`'<li>one</li><button onclick="this.outerHTML = \\'<li>other</li>\\'">More</button>'`,
	),
};

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => pages[decodeURIComponent(pathname.slice(1))] ?? '<body></body>',
	() => {
		const urlsOf = (name: string) =>
			entries.map((entry) => `${site.baseUrl}/${encodeURIComponent(name)}?${entry}`);
		const onEach = (name: string, taskName: string, steps: object[]) =>
			task(
				taskName,
				[
					loop({ loopType: 'list', listType: 'urlList', urls: urlsOf(name) }, [
						step('navigate', { useLoopItem: true }),
						...steps,
					]),
				],
				{ page: 'browser', requestsPerHost: 16 },
			);
		const fields = { Name: 'h1', Price: '.price', Page: { source: 'pageUrl' } };
		const items = loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
			extract({ Comment: {} }),
		]);
		const tasks = [
			...[...Object.keys(stories), 'beside'].map((name) => onEach(name, name, [extract(fields)])),
			onEach('comments', 'comments', [extract({ Comment: {} }, 'li')]),
			onEach('comments', 'comments, each', [items]),
			onEach('comments', 'comments, waited for', [
				step('wait', { selector: 'li' }),
				extract({ Comment: {} }, 'li'),
			]),
			onEach('more', 'more comments', [
				loop({ loopType: 'page', selector: 'button', timesMode: 'all' }, [
					step('wait', { milliseconds: 1 }),
				]),
				extract({ Comment: {} }, 'li'),
			]),
			onEach('more', 'more comments, clicked', [
				step('click', { selector: 'button' }),
				extract({ Comment: {} }, 'li'),
			]),
			...Object.keys(stories).map((name) =>
				onEach(name, `${name}, clicked`, [
					step('click', { selector: '.price' }),
					extract({ Price: '.price' }),
				]),
			),
		];
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

async function rowsOf(name: string) {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful' });
	return rows;
}

concurrentTestWithBrowser.each(Object.keys(stories))(
	'a page that goes on to the next story is read as it came: %s',
	async (name) => {
		expect(await rowsOf(name)).toEqual(
			entries.map((entry) => ({
				Name: `entry ${entry}`,
				Price: entry === withoutPrice ? '' : `${entry}.50`,
				Page: `${site.baseUrl}/${encodeURIComponent(name)}?${entry}`,
			})),
		);
	},
);

concurrentTestWithBrowser.each(Object.keys(stories))(
	'nothing of the next story is clicked in the place of what a page does not have: %s',
	async (name) => {
		const { batch, rows } = await cloudClient(service).run(uuidOf(`${name}, clicked`));
		expect(rows.map(({ Price }) => Price)).toEqual(['1.50', '3.50']);
		await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 1 });
	},
);

concurrentTestWithBrowser('what may be of the entries beside it is not read', async () => {
	const rows = await rowsOf('beside');
	expect(rows.map(({ Price }) => Price)).toEqual(['', '', '']);
});

concurrentTestWithBrowser.each([
	'comments',
	'comments, each',
	'comments, waited for',
	'more comments',
	'more comments, clicked',
])('a list that comes as a whole then is read: %s', async (name) => {
	const rows = await rowsOf(name);
	expect(rows.map(({ Comment }) => Comment)).toEqual(entries.flatMap(() => ['one', 'other']));
});
