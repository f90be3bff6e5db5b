import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Lists that scrolling goes through, and whose rows say the same again and again.

/** Of a few words, in no order that comes again. */
const words = Array.from(
	{ length: 90 },
	(_, index) => `word ${(index * index + (index >> 2)) % 7}`,
);

/** More of each in a row than are there at a time. */
const runs = Array.from({ length: 90 }, (_, index) => `word ${Math.floor(index / 40)}`);

/** A list that holds a part of its rows at a time, each where it belongs. */
const windowed = (
	columns: number,
	words: string[],
) => `<div id="box" style="height: 300px; width: 300px; overflow: auto; position: relative">
	<div id="all" style="height: ${(words.length / columns) * 40}px"></div></div><script>
	const words = ${JSON.stringify(words)};
	const draw = () => {
		const first = Math.max(0, Math.floor(box.scrollTop / 40) - 2) * ${columns};
		const rows = words.slice(first, first + 12 * ${columns});
		all.innerHTML = rows.map((word, index) => {
			const [line, column] = [Math.floor((first + index) / ${columns}), (first + index) % ${columns}];
			const place = 'position: absolute; height: 40px; top: ' + line * 40 + 'px; left: ' + column * 100 + 'px';
			return '<p style="margin: 0; ' + place + '">' + word + '</p>';
		}).join('');
	};
	box.onscroll = draw;
	draw();
</script>`;

/** A feed without an end that has ten entries. */
const feed = `<main></main><script>
	let count = 0;
	const add = () => {
		for (let index = 0; index < 10; index += 1, count += 1)
			document.querySelector('main').insertAdjacentHTML('beforeend', '<p style="height: 90px">entry ' + count % 10 + '</p>');
	};
	onscroll = () => innerHeight + scrollY > document.body.scrollHeight - 200 && add();
	add();
</script>`;

const pages: Record<string, string> = {
	list: windowed(1, words),
	grid: windowed(3, words),
	runs: windowed(1, runs),
	feed,
};

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => pages[pathname.slice(1)] ?? { status: 404 },
	() => {
		const tasks = Object.keys(pages).map((path) => {
			const selector = path === 'feed' ? {} : { selector: '#box' };
			const steps = [
				step('navigate', { url: `${site.baseUrl}/${path}` }),
				loop({ loopType: 'scroll', timesMode: 'all', ...selector }, [extract({ Text: {} }, 'p')]),
			];
			return task(path, steps, { page: 'browser', requestsPerHost: 4 });
		});
		return {
			tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
			env: { SERVICE_AGENTS: '4' },
		};
	},
);

async function run(path: string) {
	const { batch, rows } = await cloudClient(service).run(uuidOf(path));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
	return { batchID: batch.batchID, texts: rows.map(({ Text }) => Text) };
}

concurrentTestWithBrowser.each([
	['list', words],
	['grid', words],
	['runs', runs],
])('each of them is read once, in order: %s', async (path, all) => {
	expect((await run(path)).texts).toEqual(all);
});

concurrentTestWithBrowser(
	'a feed that only repeats itself comes to an end, which is told',
	async () => {
		const { batchID, texts } = await run('feed');
		expect(new Set(texts).size).toBe(10);
		const reason = 'no new row in 50 rounds';
		await service.logged({ batchID, msg: 'loop ended', reason });
	},
);
