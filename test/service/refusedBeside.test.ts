import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Data that is refused beside what a page shows all the same: of another site, for what leads on, or behind another text.

const entries = [1, 2, 3];
const rowOf = (entry: number) => ({ Name: `entry ${entry}`, Price: `${entry}.50` });
const all = entries.map(rowOf);

const script = `
	const own = '', other = '//localhost:' + location.port;
	const data = async (url) => {
		const answer = await fetch(url + location.search);
		if (!answer.ok) throw new Error(answer.status);
		return answer.json();
	};
	const main = document.querySelector('main');
	const entryOf = ({ name, price }) => '<p><b>' + name + '</b><i>' + price + '</i></p>';
`;
/** Entries whose panel says their name at once, and their price when that has come: until then, that of the entry before. */
const panel = (site: string) => `<main>${entries
	.map((entry) => `<button>entry ${entry}</button>`)
	.join('')}<h2></h2><i></i></main><script>${script}
	document.querySelectorAll('button').forEach((link, index) => (link.onclick = async () => {
		document.querySelector('h2').textContent = link.textContent;
		try { document.querySelector('i').textContent = (await data(${site} + '/data/' + (index + 1))).price; } catch {}
	}));
</script>`;
/** A list by pages: its rows, then what says whether there are more, then prices. */
const pager = (more: string, price: string) => `<main></main><nav></nav><script>${script}
	const show = async (page) => {
		const { name } = await data('/data/' + page);
		main.innerHTML = entryOf({ name, price: 'Ask us' });
		document.querySelector('nav').innerHTML = '';
		const prices = data(${price}).then(({ price }) => (document.querySelector('i').textContent = price));
		const { count } = await data(${more});
		await prices.catch(() => undefined);
		if (page < count) document.querySelector('nav').innerHTML = '<button>Next</button>';
		const button = document.querySelector('button');
		if (button) button.onclick = () => show(page + 1);
	};
	show(1);
</script>`;
const list = (site: string) => `<main></main><script>${script}
	Promise.all([1, 2, 3].map((entry) => data(${site} + '/data/' + entry)))
		.then((rows) => (main.innerHTML = rows.map(entryOf).join('')));
</script>`;
const tracked = `<main></main><script>${script}
	fetch(other + '/counts' + location.search).catch(() => undefined);
	Promise.all([1, 2, 3].map((entry) => data('/data/' + entry)))
		.then((rows) => (main.innerHTML = rows.map(entryOf).join('')));
</script>`;

/** By the name of a page: what is refused, or answered with a page or what is no data, and how often. */
const pages: Record<
	string,
	{ html: string; refused: RegExp; times: number; status?: number; body?: string }
> = {
	'list of another site': { html: list('other'), refused: /data.2/, times: 1 },
	'count of the second page': {
		html: pager(`'/count/' + page`, `'/data/' + page`),
		refused: /count.2/,
		times: 1,
	},
	'count of the second page, of another site': {
		html: pager(`other + '/count/' + page`, `'/data/' + page`),
		refused: /count.2/,
		times: 1,
	},
	'price of the second page': {
		html: pager(`'/count/0'`, `'/price/' + page`),
		refused: /price.2/,
		times: 1,
	},
	'price of the second page, which begins with an error': {
		html: pager(`'/count/0'`, `'/price/' + page`),
		refused: /price.2/,
		times: 1,
		status: 200,
		body: '<b>Warning</b>: no cache\n{"price":"2.50"}',
	},
	'count of the second page, always': {
		html: pager(`'/count/' + page`, `'/data/' + page`),
		refused: /count.2/,
		times: 99,
	},
	'price of the second page, always': {
		html: pager(`'/count/0'`, `'/price/' + page`),
		refused: /price.2/,
		times: 99,
	},
	'price of the second page, which says that it failed': {
		html: pager(`'/count/0'`, `'/price/' + page`),
		refused: /price.2/,
		times: 99,
		status: 200,
		body: '{"price":"Ask us","errors":[{"message":"timeout"}]}',
	},
	'panel of another site': { html: panel('other'), refused: /data.2/, times: 99 },
	'panel of a session that has ended': {
		html: panel('own'),
		refused: /data.2/,
		times: 99,
		status: 200,
	},
	'panel whose data is cut': {
		html: panel('own'),
		refused: /data.2/,
		times: 99,
		status: 200,
		body: '{"name":"entry 2","pri',
	},
	'who counts visitors': { html: tracked, refused: /counts/, times: 99 },
};
const times = new Map<string, number>();

const { site, service } = useSiteAndService(
	({ url: { pathname, search } }) => {
		const name = decodeURIComponent(pathname.slice(1));
		const from = decodeURIComponent(search.slice(1));
		if (pages[name]) return pages[name].html;
		const allowed = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' };
		const page = pages[from];
		const key = `${from} ${pathname}`;
		const count = (times.get(key) ?? 0) + 1;
		times.set(key, count);
		if (page && page.refused.test(pathname) && count <= page.times) {
			return {
				status: page.status ?? 503,
				headers: { ...allowed, 'content-type': page.body ? 'application/json' : 'text/html' },
				body: page.body ?? 'Log in',
			};
		}
		const entry = Number(/\d+/.exec(pathname));
		const said = { name: `entry ${entry}`, price: `${entry}.50`, count: entries.length };
		return {
			headers: { ...allowed, 'content-type': 'application/json' },
			body: JSON.stringify(said),
		};
	},
	() => {
		const tasks = Object.keys(pages).map((name) => {
			const open = step('navigate', {
				url: `${site.baseUrl}/${encodeURIComponent(name)}?${encodeURIComponent(name)}`,
			});
			const fields = { Name: 'b', Price: 'i' };
			const steps = name.startsWith('panel')
				? [
						loop({ loopType: 'list', listType: 'elements', selector: 'button' }, [
							step('click', { useLoopItem: true }),
							extract({ Name: ':root h2', Price: ':root i' }),
						]),
					]
				: / page/.test(name)
					? [
							loop({ loopType: 'page', timesMode: 'all', selector: 'button' }, [
								extract(fields, 'p'),
							]),
						]
					: [extract(fields, 'p')];
			return task(name, [open, ...steps], { page: 'browser', requestsPerHost: 8 });
		});
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

async function run(name: string) {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
	const warnings = service.log.filter((line) => line.batchID === batchID && line.level === 40);
	const told = warnings.map(({ msg }) => msg).filter((msg) => msg !== 'page failed, trying again');
	return { rows, told };
}

concurrentTestWithBrowser.each([
	'list of another site',
	'count of the second page',
	'count of the second page, of another site',
	'price of the second page',
	'price of the second page, which begins with an error',
])('what is refused once is asked for again: the %s', async (name) => {
	expect(await run(name)).toEqual({ rows: all, told: [] });
});

concurrentTestWithBrowser(
	'a list that may go on is told to have ended for want of data',
	async () => {
		const { rows, told } = await run('count of the second page, always');
		expect(rows).toEqual(all.slice(0, 2));
		expect(told).toContain('loop by page ended');
	},
);

concurrentTestWithBrowser.each(['always', 'which says that it failed'])(
	'a page with another text in the place of data is told: %s',
	async (how) => {
		const { rows, told } = await run(`price of the second page, ${how}`);
		expect(rows).toEqual(
			all.map((row, index) => (index === 1 ? { ...row, Price: 'Ask us' } : row)),
		);
		expect(told).toEqual(['page may be missing']);
	},
);

concurrentTestWithBrowser.each([
	'panel of another site',
	'panel of a session that has ended',
	'panel whose data is cut',
])('the data of the entry before in the place of that of one is told: %s', async (name) => {
	const { rows, told } = await run(name);
	expect(rows).toEqual(all.map((row, index) => (index === 1 ? { ...row, Price: '1.50' } : row)));
	expect(told).toEqual(['step not answered']);
});

concurrentTestWithBrowser(
	'what another site refuses of a whole page is told at most once',
	async () => {
		const { rows, told } = await run('who counts visitors');
		expect(rows).toEqual(all);
		expect(told.length).toBeLessThanOrEqual(1);
	},
);
