import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Pages whose rows come before their prices, which the site refuses for some of the rows.

const allPages = [1, 2, 3];
const pageSize = 3;

/** Shows the rows of a page, in the place of those before it or behind them, and their prices once these have come. */
const listPage = `<body><ul></ul><button>Next</button><script>
	const [list, button] = [document.querySelector('ul'), document.querySelector('button')];
	const { searchParams } = new URL(location.href);
	let page = 0;
	const show = async () => {
		page += 1;
		button.disabled = page === ${allPages.length};
		const { rows } = await (await fetch('/rows?page=' + page)).json();
		const html = rows.map((row) => '<li id="' + row + '"><b>row ' + row + '</b><i></i></li>').join('');
		if (searchParams.get('list') === 'pager') list.innerHTML = '';
		list.insertAdjacentHTML('beforeend', html);
		const asked = searchParams.get('prices') === 'each' ? rows : [rows.join()];
		await Promise.all(asked.map(async (ids) => {
			const answer = await fetch('/prices?' + searchParams + '&ids=' + ids);
			for (const [id, price] of Object.entries(answer.ok ? await answer.json() : {}))
				document.getElementById(id).querySelector('i').textContent = price;
		}));
	};
	button.onclick = show;
	show();
</script></body>`;

/** Of the prices, those of a row on the second page are refused, with those that are asked for together with them. */
const refused = 5;
const ways = ['more', 'pager'].flatMap((list) =>
	['together', 'each'].flatMap((prices) =>
		['refused', 'there'].map((answers) => [list, prices, answers] as const),
	),
);

const { site, service } = useSiteAndService(
	({ url: { pathname, searchParams } }) => {
		if (pathname === '/list') return listPage;
		if (pathname === '/rows') {
			const first = (Number(searchParams.get('page')) - 1) * pageSize + 1;
			const rows = Array.from({ length: pageSize }, (_, index) => first + index);
			return { body: JSON.stringify({ rows }) };
		}
		const ids = (searchParams.get('ids') ?? '').split(',').map(Number);
		if (searchParams.get('answers') === 'refused' && ids.includes(refused)) return { status: 503 };
		return { body: JSON.stringify(Object.fromEntries(ids.map((id) => [id, `${id}.50`]))) };
	},
	() => {
		const rows = extract({ Name: 'b', Price: 'i' }, 'li');
		const paging = { loopType: 'page', timesMode: 'all', selector: 'button' };
		const tasks = ways.map(([list, prices, answers]) => {
			const query = new URLSearchParams({ list, prices, answers }).toString();
			return task(
				query,
				[
					step('navigate', { url: `${site.baseUrl}/list?${query}` }),
					...(list === 'pager'
						? [loop(paging, [rows])]
						: [loop(paging, [step('wait', { milliseconds: 1 })]), rows]),
				],
				{ page: 'browser', requestsPerHost: 4 },
			);
		});
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

concurrentTestWithBrowser.each(ways)(
	'%s, with prices asked for %s, which are %s',
	async (list, prices, answers) => {
		const name = new URLSearchParams({ list, prices, answers }).toString();
		const { batch, rows } = await cloudClient(service).run(uuidOf(name));
		const { batchID } = batch;
		await service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
		const isBlank = (row: number) => {
			if (answers === 'there') return false;
			return prices === 'each' ? row === refused : row > pageSize && row <= 2 * pageSize;
		};
		const all = Array.from({ length: allPages.length * pageSize }, (_, index) => index + 1);
		expect(rows).toEqual(
			all.map((row) => ({ Name: `row ${row}`, Price: isBlank(row) ? '' : `${row}.50` })),
		);
		const told = service.log.filter(
			({ level, msg, ...line }) =>
				line.batchID === batchID && level === 40 && msg !== 'page failed, trying again',
		);
		const reason = expect.stringContaining('/prices') as unknown;
		const isTold = answers === 'refused' ? [expect.objectContaining({ reason })] : [];
		expect(told).toEqual(isTold);
	},
);
