import { errorIn } from '../../service/src/pages/browser/saidError.ts';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Answers that have come, and say that they failed; and pages that keep what earlier clicks have brought.

test.each([
	['{"errors":[{"message":"Busy","path":["list"]}],"data":null}', 'Busy'],
	['{"errors":["Busy"]}', 'Busy'],
	['{"errors":{"page":["is too large"]}}', '{"page":["is too large"]}'],
	['{"jsonrpc":"2.0","error":{"code":-32000,"message":"Busy"},"id":1}', 'Busy'],
	['{"error":"Busy"}', 'Busy'],
	['{"error":true}', 'true'],
	['{"type":"error","message":"Busy"}', 'Busy'],
	['{"id":"1","type":"error","payload":[{"message":"Busy"}]}', 'Busy'],
	['{"status":"error","code":17,"message":"Busy"}', 'Busy'],
	[
		'{"status":"fail","data":{"page":"is too large"}}',
		'{"status":"fail","data":{"page":"is too large"}}',
	],
	['{"success":false,"message":"Busy"}', 'Busy'],
	['{"ok":false,"error":{"message":"Busy"}}', 'Busy'],
	['{"ok":false}', '{"ok":false}'],
	['{"code":500,"msg":"Busy","data":null}', 'Busy'],
	['{"status":503,"message":"Busy"}', 'Busy'],
	['{"errno":-1,"errmsg":"Busy","result":null}', 'Busy'],
	['{"code":20000,"msg":"order placed","data":null}', undefined],
	['{"code":500,"msg":"Success","data":null}', undefined],
	['{"code":1,"msg":"done","data":null}', undefined],
	['{"code":500,"msg":"many","data":[1]}', undefined],
	['{"code":500,"name":"Lamp"}', undefined],
	['{"type":"data","message":"Busy"}', undefined],
	['{"status":"sold","success":true,"ok":true}', undefined],
	['[{"status":"error"}]', undefined],
	['{"errors":[],"data":[]}', undefined],
	['{"errors":null,"error":false,"data":[]}', undefined],
	['{"error":""}', undefined],
	['[{"data":{"a":1}},{"errors":[{"message":"Busy"}],"data":null}]', 'Busy'],
	['[{"data":{"a":1}},{"data":{"b":1},"errors":[]}]', undefined],
	['[{"error":"Busy"}]', undefined],
	['[{"errors":["Busy"],"name":"a row"}]', undefined],
	['{"error"', undefined],
])('%s', (text, said) => {
	expect(errorIn(text)).toBe(said);
});

const json = (value: unknown) => ({
	headers: { 'content-type': 'application/graphql-response+json; charset=utf-8' },
	body: JSON.stringify(value),
});
const failed = json({ errors: [{ message: 'Busy' }], data: null });

/** Adds ten rows at a time, until the answer is an error. */
const listPage = `<body><ul></ul><p></p><script>
	let [count, isBusy] = [0, false];
	const more = async () => {
		if (isBusy) return;
		isBusy = true;
		const { data, errors } = await (await fetch('/rows?from=' + count)).json();
		if (errors) return void (document.querySelector('p').innerHTML = '<button>Retry</button>');
		count += data.length;
		const items = data.map((row) => '<li style="height: 200px">' + row + '</li>');
		document.querySelector('ul').insertAdjacentHTML('beforeend', items.join(''));
		isBusy = data.length === 0;
	};
	more();
	onscroll = () => { if (innerHeight + scrollY > document.body.scrollHeight - 300) more(); };
</script></body>`;

/** Shows what the answer says of an entry, or of a word, and nothing of an error. */
const panelPage = `<body>${[1, 2, 3].map((n) => `<button>${n}</button>`).join('')}<input><div></div><script>
	const show = async (path) => {
		const { data } = await (await fetch(path)).json();
		if (data) document.querySelector('div').innerHTML = '<b>' + data + '</b>';
	};
	for (const button of document.querySelectorAll('button'))
		button.onclick = () => show('/entry?' + button.textContent);
	document.querySelector('input').oninput = ({ target }) => show('/search?' + target.value);
</script></body>`;

/** Shows at once what it knows of an entry, and what is to come once the answer has: until then it says `rest`. */
const detailPage = (rest: string) => `<body>${[1, 2, 3]
	.map((n) => `<button>${n}</button>`)
	.join('')}<div><b></b><i></i></div><script>
	const [title, price] = [document.querySelector('b'), document.querySelector('i')];
	for (const button of document.querySelectorAll('button')) button.onclick = async () => {
		title.textContent = 'entry ' + button.textContent;
		${rest === 'as before' ? '' : `price.textContent = '${rest}'`};
		const { data } = await (await fetch('/entry?' + button.textContent)).json();
		if (data) price.textContent = data;
	};
</script></body>`;

/** Says what each click has brought behind what earlier ones have, or in its place: then of more and more prices. */
const messagesPage = (isOneByOne: boolean) => `<body>${[1, 2, 3]
	.map((n) => `<button>${n}</button>`)
	.join('')}<div></div><script>
	const said = document.querySelector('div');
	for (const button of document.querySelectorAll('button')) button.onclick = () => {
		const price = '<i>' + button.textContent + '.50</i>';
		const message = '<p><b>entry ' + button.textContent + '</b>' + price.repeat(button.textContent) + '</p>';
		${isOneByOne ? 'said.innerHTML = message' : "said.insertAdjacentHTML('beforeend', message)"};
	};
</script></body>`;

/** Counts on and shows places for its rows before it asks for them; "More" adds rows, and goes where none have come. */
const pagerPage = `<body><ul></ul><button id="next">Next</button><button id="more">More</button><script>
	const list = document.querySelector('ul');
	let page = 0;
	const ask = async () => {
		page += 1;
		next.disabled = page === 4;
		const { data } = await (await fetch('/page' + location.search + page)).json().catch(() => ({}));
		return data?.map((row) => '<li>' + row + '</li>').join('');
	};
	const show = async () => {
		list.innerHTML = '<li>Loading…</li>'.repeat(2);
		list.innerHTML = (await ask()) ?? list.innerHTML;
	};
	next.onclick = show;
	more.onclick = async () => {
		const rows = await ask();
		if (rows) list.insertAdjacentHTML('beforeend', rows);
		else more.remove();
	};
	show();
</script></body>`;
/** How often page 3 was asked for, by the query. */
const asked = new Map<string, number>();
const rowsOfPage = (query: string) => {
	const page = Number(query.at(-1));
	const data = [1, 2].map((n) => `row ${page}.${n}`);
	if (page !== 3) return json({ data });
	const times = (asked.get(query) ?? 0) + 1;
	asked.set(query, times);
	if (query.startsWith('?always') || times === 1)
		return query.includes('503') ? { status: 503 } : failed;
	return json({ data });
};

/** Its name comes with it, and its price later. */
const itemPage = `<b>item</b><i></i><script>
	fetch('/entry' + location.search)
		.then((answer) => answer.json())
		.then(({ data }) => (document.querySelector('i').textContent = data ?? ''));
</script>`;

/** What stands there until the answer comes, and then of the entry whose answer says that it failed. */
const rests = [
	['as before', 'entry ?1'],
	['Loading…', 'Loading…'],
	['–', '–'],
	['', ''],
] as const;

const { site, service } = useSiteAndService(
	({ url: { pathname, search } }) => {
		if (pathname === '/list' || pathname === '/whole') return listPage;
		if (pathname === '/panel') return panelPage;
		if (pathname === '/detail') return detailPage(decodeURIComponent(search.slice(1)));
		if (pathname === '/pager') return pagerPage;
		if (pathname === '/page') return rowsOfPage(search);
		if (pathname === '/item') return itemPage;
		if (pathname === '/messages') return messagesPage(search === '?one');
		if (pathname === '/entry') return search === '?2' ? failed : json({ data: `entry ${search}` });
		if (pathname === '/search') return failed;
		const from = Number(/\d+/.exec(search)?.[0]);
		if (from === 30) return failed;
		return json({ data: Array.from({ length: 10 }, (_, index) => `row ${from + index}`) });
	},
	() => {
		const on = (name: string, url: string, steps: object[], settings: object = {}) =>
			task(name, [step('navigate', { url: site.baseUrl + url }), ...steps], {
				page: 'browser',
				requestsPerHost: 4,
				...settings,
			});
		const byButton = (steps: object[]) =>
			loop({ loopType: 'list', listType: 'elements', selector: 'button' }, [
				step('click', { useLoopItem: true }),
				...steps,
			]);
		const fields = { Name: ':root b', Price: ':root i' };
		const tasks = [
			on('list', '/list', [
				loop({ loopType: 'scroll', timesMode: 'all' }, [extract({ Name: {} }, 'li')]),
			]),
			on('panel', '/panel', [byButton([extract({ Name: ':root b' })])]),
			...rests.map(([rest]) =>
				on(`rest ${rest}`, `/detail?${encodeURIComponent(rest)}`, [byButton([extract(fields)])]),
			),
			...['?once', '?once503', '?always'].map((query) => {
				const selector = query === '?always' ? '#more' : '#next';
				const rows = extract({ Name: {} }, 'li');
				const pages = loop({ loopType: 'page', timesMode: 'all', selector }, [rows]);
				return on(`pager ${query}`, `/pager${query}`, [pages], { tries: 2 });
			}),
			on('item', '/item?2', [extract({ Name: 'b', Price: 'i' })]),
			on('search', '/panel', [
				step('inputText', { selector: 'input', text: 'lamp' }),
				extract({ Name: {} }, 'b'),
			]),
			on('messages', '/messages', [byButton([extract(fields)])]),
			on('one message', '/messages?one', [byButton([extract(fields)])]),
		];
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

async function run(name: string, msg: string, failedPages = 0) {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful', failedPages });
	const told = service.log.filter((line) => line.batchID === batchID && line.msg === msg);
	return {
		rows,
		names: rows.map(({ Name }) => Name),
		reasons: told.map(({ reason }) => String(reason)),
	};
}

concurrentTestWithBrowser('a list that ends by such an answer says so', async () => {
	const { names, reasons } = await run('list', 'loop ended');
	expect(names).toEqual(Array.from({ length: 30 }, (_, index) => `row ${index}`));
	expect(reasons).toEqual([expect.stringContaining('/rows answered that it failed (Busy).')]);
});

concurrentTestWithBrowser('what an entry before has said is read for no other', async () => {
	const { names } = await run('panel', 'step not answered', 1);
	expect(names).toEqual(['entry ?1', 'entry ?3']);
});

concurrentTestWithBrowser.each(rests)(
	'where a part of an entry has come, and the rest reads "%s", that is told',
	async (before, rest) => {
		const { rows, names, reasons } = await run(`rest ${before}`, 'step not answered');
		expect(names).toEqual(['entry 1', 'entry 2', 'entry 3']);
		expect(rows.map(({ Price }) => Price)).toEqual(['entry ?1', rest, 'entry ?3']);
		expect(reasons).toEqual([expect.stringContaining('/entry answered that it failed (Busy).')]);
	},
);

concurrentTestWithBrowser.each(['?once', '?once503'])(
	'places for rows are none, and their page is asked for again: %s',
	async (query) => {
		const { names } = await run(`pager ${query}`, 'page may be missing');
		expect(names).toEqual([1, 2, 3, 4].flatMap((page) => [`row ${page}.1`, `row ${page}.2`]));
	},
);

concurrentTestWithBrowser(
	'a list of which the "more" goes with such an answer says so',
	async () => {
		const { names, reasons } = await run('pager ?always', 'page failed, skipped', 1);
		expect(new Set(names)).toEqual(new Set(['row 1.1', 'row 1.2', 'row 2.1', 'row 2.2']));
		expect(reasons).toEqual([expect.stringContaining('/page answered that it failed (Busy).')]);
	},
);

concurrentTestWithBrowser('a page that gets such an answer as it comes says so', async () => {
	const { rows, reasons } = await run('item', 'page not whole');
	expect(rows).toEqual([{ Name: 'item', Price: '' }]);
	expect(reasons).toEqual([expect.stringContaining('/entry answered that it failed (Busy).')]);
});

concurrentTestWithBrowser('a search that finds nothing by that says so', async () => {
	const { names, reasons } = await run('search', 'step not answered');
	expect(names).toEqual([]);
	expect(reasons).toEqual([expect.stringContaining('/search answered that it failed (Busy).')]);
});

concurrentTestWithBrowser(
	'what is read of a click before, beside what has come, is told',
	async () => {
		const { names, reasons } = await run('messages', 'step not answered');
		expect(names).toEqual(['entry 1', 'entry 1', 'entry 1']);
		const told =
			'a click on the loop item has brought more of what :root b finds: what is read is the first of it, as before';
		expect(reasons).toEqual([told, told]);
	},
);

concurrentTestWithBrowser('what comes in its place, with more of that, is not', async () => {
	const { names, reasons } = await run('one message', 'step not answered');
	expect(names).toEqual(['entry 1', 'entry 2', 'entry 3']);
	expect(reasons).toEqual([]);
});
