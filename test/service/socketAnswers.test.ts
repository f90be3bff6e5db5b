import { concurrentTestWithBrowser, testWithBrowserAtLength } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Pages that ask for what they show by a socket: what they send is a request, and what comes next is its answer.

/** Milliseconds for an answer. */
const latencies = [400, 1_800];
const words = ['red', 'green', 'blue'];
const rowsOf = (word: string) => [`${word} 1`, `${word} 2`];

/** Says what was asked for: "all" at first, in the place of what is there until then; once its socket is open, as clients do. */
const listPage = (
	first: string,
) => `<body><input id="word"><select><option>all</option>${words.map((word) => `<option>${word}</option>`).join('')}</select>
	${words.map((word) => `<button>${word}</button>`).join('')}<main>${first}</main><script>
	const socket = new WebSocket('ws://' + location.host + '/list' + location.search);
	const queue = [];
	const ask = (asked) => (socket.readyState ? socket.send(asked || 'all') : queue.push(asked));
	socket.onopen = () => ['', ...queue].forEach(ask);
	socket.onmessage = ({ data }) => (document.querySelector('main').innerHTML =
		[1, 2].map((row) => '<p>' + data + ' ' + row + '</p>').join(''));
	let typing;
	word.oninput = () => { clearTimeout(typing); typing = setTimeout(() => ask(word.value), 300); };
	document.querySelector('select').onchange = ({ target }) => ask(target.value);
	for (const tab of document.querySelectorAll('button')) tab.onclick = () => ask(tab.textContent);
</script></body>`;

/** Pages that send something all the time, every so many milliseconds, or get it; and one that does not. */
const chatters: Record<string, number> = {
	'sends what is never answered': 300,
	'sends what is answered at once': 100,
	'gets what it has not asked for': 50,
};

const silent = 'says nothing';

/** Each click shows the milliseconds that the page has been there. */
const chatterPage = (name: string) => `<body><button>Show</button><p>0</p><script>
	if (${name !== silent}) {
		const socket = new WebSocket('ws://' + location.host + '/${uuidOf(name)}');
		const isSent = ${name.startsWith('sends')};
		let times = 0;
		socket.onopen = () => isSent && setInterval(() => socket.send('beat ' + (times += 1)), ${chatters[name]});
	}
	document.querySelector('button').onclick = () =>
		(document.querySelector('p').textContent = Math.round(performance.now()));
</script></body>`;

/** Says on each click what it has not said before, and counts the milliseconds between them. */
const tellingPage = `<body><button>Tell</button><p>0</p><script>
	const socket = new WebSocket('ws://' + location.host + '/telling');
	let last = performance.now();
	document.querySelector('button').onclick = () => {
		socket.send(crypto.randomUUID().replace(/\\d/g, ''));
		document.querySelector('p').textContent = Math.round(performance.now() - last);
		last = performance.now();
	};
</script></body>`;

/** Asks for two parts of an entry, one right after the other and without an id. */
const inTurnPage = `<body>${words.map((word) => `<button>${word}</button>`).join('')}<main></main><script>
	const socket = new WebSocket('ws://' + location.host + '/in-turn');
	for (const button of document.querySelectorAll('button')) button.onclick = () => {
		document.querySelector('main').innerHTML = '<p></p><i></i>';
		for (const place of ['p', 'i']) socket.send(button.textContent + ' ' + place);
	};
	socket.onmessage = ({ data }) => (document.querySelector(data.at(-1)).textContent = data);
</script></body>`;

/** Asks for two parts of an entry at once, each by an id, and shows each as its answer comes, but nothing of an error. */
const partsPage = `<body>${words.map((word) => `<button>${word}</button>`).join('')}<main></main><script>
	const socket = new WebSocket('ws://' + location.host + location.pathname);
	const shown = new Map();
	let id = 0;
	for (const button of document.querySelectorAll('button')) button.onclick = () => {
		document.querySelector('main').innerHTML = '<p></p><i></i>';
		for (const place of ['p', 'i']) {
			shown.set((id += 1), place);
			socket.send(JSON.stringify({ id, word: button.textContent + ' ' + place }));
		}
	};
	socket.onmessage = ({ data }) => {
		const { id, word } = JSON.parse(data);
		if (word) document.querySelector(shown.get(id)).textContent = word;
	};
</script></body>`;

const idIn = (asked: string): unknown => (JSON.parse(asked) as { id: unknown }).id;

let site: Site;
let service: RunningService;
let client: CloudClient;

/** What a task does with the list, by what it is called. */
const uses: Record<string, object[]> = {
	'first list': [extract({ Text: {} }, 'p')],
	tabs: [
		loop({ loopType: 'list', listType: 'elements', selector: 'button' }, [
			step('click', { useLoopItem: true }),
			extract({ Text: {} }, ':root p'),
		]),
	],
};
for (const [name, selector] of [
	['texts', '#word'],
	['options', 'select'],
] as const) {
	uses[name] = [
		loop({ loopType: 'list', listType: 'textList', texts: words }, [
			step('inputText', { selector, useLoopItem: true }),
			extract({ Text: {} }, 'p'),
		]),
	];
}

beforeAll(async () => {
	site = await startSite(
		({ url: { pathname, search } }) => {
			const name = [silent, ...Object.keys(chatters)].find(
				(each) => pathname === `/${uuidOf(each)}`,
			);
			if (name !== undefined) return chatterPage(name);
			if (pathname === '/telling') return tellingPage;
			if (pathname === '/in-turn') return inTurnPage;
			if (pathname === '/parts' || pathname === '/refused') return partsPage;
			return listPage(search.includes('opening') ? '<p>…</p>' : '');
		},
		0,
		({ pathname, searchParams }, send) => {
			const latency = Number(searchParams.get('latency'));
			if (pathname === '/list') return (asked) => void setTimeout(() => send(asked), latency);
			if (pathname === '/in-turn')
				return (asked) => void setTimeout(() => send(asked), asked.endsWith('p') ? 400 : 700);
			// The second part comes before the first.
			if (pathname === '/parts')
				return (asked) => void setTimeout(() => send(asked), asked.includes(' i"') ? 100 : 900);
			if (pathname === '/refused') {
				const refused = (asked: string) => JSON.stringify({ id: idIn(asked), error: 'Busy' });
				return (asked) => send(asked.includes('green i') ? refused(asked) : asked);
			}
			const isAt = (name: string) => pathname === `/${uuidOf(name)}`;
			if (isAt('gets what it has not asked for')) setInterval(() => send('news'), 50).unref();
			return () => isAt('sends what is answered at once') && send('heard');
		},
	);
	const onPage = (name: string, path: string, steps: object[]) =>
		task(name, [step('navigate', { url: site.baseUrl + path }), ...steps], {
			page: 'browser',
			requestsPerHost: 8,
		});
	const showing = loop({ loopType: 'count', times: 5 }, [
		step('click', { selector: 'button' }),
		extract({ Text: 'p' }),
	]);
	const tasks = [
		...latencies.flatMap((latency) =>
			Object.entries(uses).map(([name, steps]) =>
				onPage(
					`${name} ${latency}`,
					`/list?latency=${latency}${name === 'first list' ? '&opening=500' : ''}`,
					steps,
				),
			),
		),
		...[silent, ...Object.keys(chatters)].map((name) =>
			onPage(name, `/${uuidOf(name)}`, [showing]),
		),
		onPage('telling', '/telling', [showing]),
		...['parts', 'in-turn', 'refused'].map((name) =>
			onPage(name, `/${name}`, [
				loop({ loopType: 'list', listType: 'elements', selector: 'button' }, [
					step('click', { useLoopItem: true }),
					extract({ Text: ':root p', Part: ':root i' }),
				]),
			]),
		),
	];
	service = await startService({
		tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
		env: { SERVICE_AGENTS: '8' },
	});
	client = cloudClient(service);
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

async function run(name: string) {
	const { batch, rows } = await client.run(uuidOf(name));
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
	const warnings = service.log.filter((line) => line.batchID === batchID && line.level === 40);
	return { texts: rows.map(({ Text }) => Text), warnings };
}

concurrentTestWithBrowser.each(
	latencies.flatMap((latency) => Object.keys(uses).map((use) => [use, latency] as const)),
)(
	'of %s, the rows of the answer are read that comes after %d milliseconds',
	async (use, latency) => {
		const { texts, warnings } = await run(`${use} ${latency}`);
		expect(texts).toEqual(use === 'first list' ? rowsOf('all') : words.flatMap(rowsOf));
		expect(warnings).toEqual([]);
	},
);

concurrentTestWithBrowser.each([
	['each answer is waited for that names one', 'parts'],
	['the answers are waited for that come one after the other', 'in-turn'],
])('of several messages at once, %s', async (_how, name) => {
	const { rows } = await client.run(uuidOf(name));
	expect(rows).toEqual(words.map((word) => ({ Text: `${word} p`, Part: `${word} i` })));
});

concurrentTestWithBrowser('an answer that says that it failed is told', async () => {
	const { texts, warnings } = await run('refused');
	expect(texts).toEqual(words.map((word) => `${word} p`));
	const reason = expect.stringContaining('/refused answered that it failed (Busy).') as unknown;
	expect(warnings).toEqual([expect.objectContaining({ msg: 'step not answered', reason })]);
});

concurrentTestWithBrowser.each(Object.keys(chatters))(
	'a page that %s is not waited for',
	async (name) => {
		const [quiet, chatting] = await Promise.all([run(silent), run(name)]);
		// Each of its five steps would take three seconds more, whatever else the machine does.
		expect(Number(chatting.texts.at(-1))).toBeLessThan(Number(quiet.texts.at(-1)) + 7_500);
		expect(chatting.texts).toHaveLength(5);
		expect(chatting.warnings).toEqual([]);
	},
);

testWithBrowserAtLength('what is only told is waited for twice', async () => {
	const { texts, warnings } = await run('telling');
	const waited = texts.map((text) => Number(text) > 9_000);
	expect(waited).toEqual([false, true, true, false, false]);
	expect(warnings).toEqual([]);
});
