import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';
import { Readable } from 'node:stream';

// Pages that tell their site something, and do not read what it answers: Chromium never says that such an answer ends.
// And pages whose site answers only when there is news.

const told: Record<string, () => string | Readable> = {
	'of a few bytes': () => '{"ok":true}',
	'whose length is not said': () => Readable.from(['{"ok":true}']),
};
const asked = new Map<string, number>();

/** Says on each click how long ago the one before was. */
const clicksPage = (onOpen: string, onClick: string) => `<body><button>Go</button><p></p><script>
	let last;
	${onOpen};
	document.querySelector('button').onclick = () => {
		const now = performance.now();
		document.querySelector('p').textContent = Math.round(now - (last ?? now));
		last = now;
		${onClick};
	};
</script></body>`;

const clicked: Record<string, string> = {
	tells: clicksPage('', `fetch('/${uuidOf('whose length is not said')}/told?at=' + Date.now())`),
	waits: clicksPage(`fetch('/news')`, ''),
	// As the browser does with an answer that nobody can read any more.
	'gives up': `<body><button>Go</button><p>Same</p><script>
		let clicks = 0;
		document.querySelector('button').onclick = async () => {
			clicks += 1;
			const reader = new AbortController();
			const { signal } = reader;
			await fetch('/${uuidOf('of a few bytes')}/told?at=' + Date.now(), { signal });
			if (clicks > 1) setTimeout(() => reader.abort(), 100);
		};
	</script></body>`,
};

const { site, service } = useSiteAndService(
	({ url }) => {
		const [, id = '', page = ''] = url.pathname.split('/');
		const path = `/${id}/told`;
		if (id === 'news') return new Promise<never>(() => undefined);
		const clicks = clicked[decodeURIComponent(id)];
		if (clicks !== undefined) return clicks;
		if (page !== 'told') {
			asked.set(url.pathname, (asked.get(url.pathname) ?? 0) + 1);
			return `<p>${page}</p><script>fetch('${path}?at=' + Date.now())</script>`;
		}
		const name = Object.keys(told).find((each) => uuidOf(each) === id) ?? '';
		const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
		const body = told[name]?.() ?? '';
		const length = typeof body === 'string' && { 'content-length': String(body.length) };
		return { headers: { ...headers, ...length }, body };
	},
	() => {
		const tasks = Object.keys(told).map((name) => {
			const urls = [0, 1, 2].map((page) => `${site.baseUrl}/${uuidOf(name)}/${page}`);
			const steps = [step('navigate', { useLoopItem: true }), extract({ Page: 'p' })];
			return task(name, [loop({ loopType: 'list', listType: 'urlList', urls }, steps)], {
				page: 'browser',
			});
		});
		for (const name of Object.keys(clicked)) {
			const clicks = loop({ loopType: 'count', times: 5 }, [
				step('click', { selector: 'button' }),
				extract({ Ago: 'p' }),
			]);
			const open = step('navigate', { url: `${site.baseUrl}/${name}` });
			tasks.push(task(name, [open, clicks], { page: 'browser' }));
		}
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

concurrentTestWithBrowser.each(Object.keys(told))(
	'a page is whole that does not read an answer %s',
	async (name) => {
		const { batch, rows } = await cloudClient(service).run(uuidOf(name));
		expect(rows.map(({ Page }) => Page)).toEqual(['0', '1', '2']);
		const { batchID } = batch;
		await service.logged({ batchID, msg: 'batch successful' });
		expect(service.log.filter((line) => line.batchID === batchID && line.level === 40)).toEqual([]);
		const visits = [0, 1, 2].map((page) => asked.get(`/${uuidOf(name)}/${page}`));
		expect(visits).toEqual([1, 1, 1]);
	},
);

concurrentTestWithBrowser(
	'an answer is not waited for as long where none of its kind was read',
	async () => {
		const { rows } = await cloudClient(service).run(uuidOf('tells'));
		const [, ...pauses] = rows.map(({ Ago: ago }) => Number(ago));
		expect(pauses).toHaveLength(4);
		// Of each of the first two, it would be for eight seconds.
		expect(pauses[1]).toBeLessThan(6_000);
	},
);

concurrentTestWithBrowser(
	'what is answered only when there is news holds up no click',
	async () => {
		const { rows } = await cloudClient(service).run(uuidOf('waits'));
		const [, ...pauses] = rows.map(({ Ago: ago }) => Number(ago));
		expect(pauses).toHaveLength(4);
		// Else it would be for three seconds at each.
		expect(Math.min(...pauses)).toBeLessThan(2_900);
	},
);

concurrentTestWithBrowser(
	'an answer that no script reads has come, though its request is given up',
	async () => {
		const { batch, rows } = await cloudClient(service).run(uuidOf('gives up'));
		expect(rows.map(({ Ago: said }) => said)).toEqual(Array(5).fill('Same'));
		await service.logged({ batchID: batch.batchID, msg: 'batch successful' });
		const said = service.log.filter(({ batchID }) => batchID === batch.batchID);
		expect(said.at(-1)).toMatchObject({ failedPages: 0 });
	},
);
