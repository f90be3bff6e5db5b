import { setTimeout as sleep } from 'node:timers/promises';
import { sample } from '../support/length';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Searches that are asked for again and again until they have all results, as those of flights.

const words = ['red', 'green', 'blue'];
const times = 4;
const scrolls = 12;
const longTimes = 22;
const rowsUpTo = (count: number) => (word: string) =>
	Array.from({ length: count }, (_, row) => ({ Name: `${word} ${row + 1}` }));
const rowsOf = rowsUpTo(times);

/** How the page asks for more: `asked` resolves to whether that was all. */
const pollings: Record<string, string> = {
	'a timer after each answer': 'while (!(await asked(word))) await after(pause)',
	'a timer before each': 'do await after(pause); while (!(await asked(word)))',
	'an interval': `let isAsking = false;
	const every = setInterval(async () => {
		if (isAsking) return;
		isAsking = true;
		if (await asked(word)) clearInterval(every);
		isAsking = false;
	}, pause)`,
};
/** What is shown of the answers so far. */
const showings: Record<string, string> = {
	'as far as it has come': 'list.innerHTML = answer',
	'at the end': "if (isOver) list.innerHTML = answer; else said.textContent = 'Searching…'",
};

const pageOf = (polling: string, showing: string, pause: number) => `<body>
	${words.map((word) => `<button>${word}</button>`).join('')}<p></p><ul></ul><script>
	const [list, said] = [document.querySelector('ul'), document.querySelector('p')];
	const pause = ${pause};
	const after = (time) => new Promise((resolve) => setTimeout(resolve, time));
	let turn = 0;
	const asked = async (word) => {
		turn += 1;
		const isOver = turn === ${times};
		const answer = await (await fetch('/rows?' + word + '=' + turn)).text();
		${showings[showing]};
		return isOver;
	};
	const search = async (word) => {
		turn = 0;
		${showing === 'at the end' ? '' : "list.innerHTML = '';"}
		await (await fetch('/start')).text();
		${pollings[polling]};
	};
	for (const button of document.querySelectorAll('button')) button.onclick = () => search(button.textContent);
	if (location.hash) search(location.hash.slice(1));
</script></body>`;

const cases = Object.keys(pollings).flatMap((polling) =>
	Object.keys(showings).flatMap((showing) =>
		[400, 900].map((pause): [string, string, number] => [showing, polling, pause]),
	),
);
const nameOf = (...given: unknown[]) => given.join();
const read = extract({ Name: 'b' }, ':root li');

/** A search that takes longer than it is waited for, with what says at its end that it is one. */
const longPage = `<body><button>Go</button><ul></ul><script>
	const list = document.querySelector('ul');
	const search = async () => {
		for (let turn = 1; turn <= ${longTimes}; turn += 1) {
			await new Promise((resolve) => setTimeout(resolve, 700));
			list.innerHTML = await (await fetch('/rows?red=' + turn)).text();
		}
		document.body.append(document.createElement('hr'));
	};
	document.querySelector('button').onclick = search;
	if (location.search) search();
</script></body>`;

const { site, service } = useSiteAndService(
	async ({ method, url: { pathname, search } }) => {
		const said = decodeURIComponent(search.slice(1));
		if (pathname === '/start') return sleep(100, '');
		if (pathname === '/news') return sleep(20, '');
		if (pathname === '/channel') return method === 'POST' ? '' : new Promise(() => undefined);
		if (pathname === '/live') return livePages[said];
		if (pathname === '/drawn') return drawnPage;
		if (pathname === '/scrolled') return scrolledPage;
		if (pathname === '/long') return longPage;
		if (pathname !== '/rows') {
			const [showing = '', polling = '', pause] = said.split(',');
			return pageOf(polling, showing, Number(pause));
		}
		const [word = '', turn] = said.split('=');
		const rows = rowsUpTo(Number(turn))(word);
		return sleep(100, rows.map(({ Name: name }) => `<li><b>${name}</b></li>`).join(''));
	},
	() => {
		const byWord = loop({ loopType: 'list', listType: 'elements', selector: 'button' }, [
			step('click', { useLoopItem: true }),
			read,
		]);
		const open = (url: string) => step('navigate', { url: site.baseUrl + url });
		const options = { page: 'browser', requestsPerHost: 4 };
		const tasks = [
			...cases.flatMap((each) => {
				const page = `/?${encodeURIComponent(nameOf(...each))}`;
				return [
					task(`clicked ${nameOf(...each)}`, [open(page), byWord], options),
					task(`opened ${nameOf(...each)}`, [open(`${page}#red`), read], options),
				];
			}),
			task('drawn', [open('/drawn'), byWord], options),
			...Object.entries(longSearches).map(([name, [url, ...steps]]) =>
				task(name, [open(url), ...steps, read], options),
			),
			task(
				'scrolled',
				[
					open('/scrolled'),
					loop({ loopType: 'scroll', timesMode: 'all' }, [extract({ Name: 'b' }, 'li')]),
				],
				options,
			),
			...Object.keys(livePages).map((name) =>
				task(
					name,
					[
						open(`/live?${encodeURIComponent(name)}`),
						loop({ loopType: 'count', times: 5 }, [
							step('click', { selector: 'button' }),
							extract({ Ago: 'p' }),
						]),
					],
					options,
				),
			),
		];
		return {
			tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
			env: { SERVICE_AGENTS: '4' },
		};
	},
);

const [go, end] = [step('click', { selector: 'button' }), step('wait', { selector: 'hr' })];
/** Where a search begins that takes longer than it is waited for, and what is done until its rows are read. */
const longSearches: Record<string, [string, ...object[]]> = {
	'clicked and read': ['/long', go],
	'opened and read': ['/long?now'],
	'clicked and waited for': ['/long', go, end],
	'opened and waited for': ['/long?now', end],
	'clicked and given time': ['/long', go, step('wait', { milliseconds: 15_000 })],
};

/** Draws a list row by row once its data has come. */
const drawnPage = `<body>${words.map((word) => `<button>${word}</button>`).join('')}<ul></ul><script>
	const list = document.querySelector('ul');
	for (const button of document.querySelectorAll('button')) button.onclick = async () => {
		list.innerHTML = '';
		const word = button.textContent;
		await (await fetch('/start')).text();
		let row = 0;
		const every = setInterval(() => {
			row += 1;
			list.insertAdjacentHTML('beforeend', '<li><b>' + word + ' ' + row + '</b></li>');
			if (row === ${times}) clearInterval(every);
		}, 800);
	};
</script></body>`;

/** Has more rows at each scroll, for half a minute, and their names a moment after that. */
const scrolledPage = `<body><ul></ul><script>
	const list = document.querySelector('ul');
	let count = 0;
	const more = async () => {
		if (count === ${scrolls}) return;
		count += 1;
		const word = 'scroll ' + count;
		await (await fetch('/start?' + count)).text();
		list.insertAdjacentHTML('beforeend', '<li style="height: 900px"><b></b></li>');
		const name = list.lastChild.firstChild;
		setTimeout(async () => (name.textContent = word + (await (await fetch('/start?name')).text())), 900);
	};
	more();
	let isAsking = false;
	onscroll = async () => {
		if (isAsking || scrollY + innerHeight < document.body.scrollHeight - 50) return;
		isAsking = true;
		await more();
		isAsking = false;
	};
</script></body>`;

/** Says on each click how long ago the one before was, and asks for news from then on, for ever. */
const livePage = (ask: string) => `<body><button>Go</button><p></p><script>
	let last, every;
	document.querySelector('button').onclick = () => {
		const now = performance.now();
		document.querySelector('p').textContent = Math.round(now - (last ?? now));
		last = now;
		${ask}
	};
</script></body>`;
const livePages: Record<string, string> = {
	'again and again': livePage(`clearInterval(every);
		const ask = () => fetch('/news?' + Math.random());
		ask().then(() => (every = setInterval(ask, 500)));`),
	'at a place that is also told something': livePage(`fetch('/channel', { method: 'POST' })
		.then(() => fetch('/channel?' + Math.random()));`),
};

concurrentTestWithBrowser.each(sample(cases))(
	'a search that shows its results %s is read whole, with %s of %i ms',
	async (...each) => {
		const { rows } = await cloudClient(service).run(uuidOf(`clicked ${nameOf(...each)}`));
		expect(rows).toEqual(words.flatMap(rowsOf));
	},
);

// Where nothing is asked for when the page comes, nothing says that it goes on.
concurrentTestWithBrowser.each(sample(cases))(
	'a search that begins with its page, and shows its results %s, is read whole, with %s of %i ms',
	async (...each) => {
		const { rows } = await cloudClient(service).run(uuidOf(`opened ${nameOf(...each)}`));
		expect(rows).toEqual(rowsOf('red'));
	},
);

concurrentTestWithBrowser.each(Object.keys(longSearches))(
	'a search that is longer than it is waited for is whole, or told: %s',
	async (name) => {
		const { batch, rows } = await cloudClient(service).run(uuidOf(name));
		const { batchID } = batch;
		await service.logged({ batchID, msg: 'batch successful' });
		const told = service.log.filter((line) => line.batchID === batchID && line.level === 40);
		if (!name.endsWith('and read')) {
			expect(rows).toEqual(rowsUpTo(longTimes)('red'));
			expect(told).toEqual([]);
			return;
		}
		expect(rows).toEqual(rowsUpTo(rows.length)('red'));
		expect(rows.length).toBeLessThan(longTimes);
		const reason = expect.stringContaining('it was still asking for more') as unknown;
		expect(told).toEqual([expect.objectContaining({ msg: 'page not whole', reason })]);
	},
);

concurrentTestWithBrowser('a list that is drawn row by row is read whole', async () => {
	const { rows } = await cloudClient(service).run(uuidOf('drawn'));
	expect(rows).toEqual(words.flatMap(rowsOf));
});

concurrentTestWithBrowser('each scroll has its time for what follows', async () => {
	const { rows } = await cloudClient(service).run(uuidOf('scrolled'));
	const names = Array.from({ length: scrolls }, (_, index) => ({ Name: `scroll ${index + 1}` }));
	expect(rows).toEqual(names);
});

concurrentTestWithBrowser.each(Object.keys(livePages))(
	'what goes on for ever is not waited for more than twice: %s',
	async (name) => {
		const { batch, rows } = await cloudClient(service).run(uuidOf(name));
		await service.logged({ batchID: batch.batchID, msg: 'batch successful' });
		expect(rows).toHaveLength(5);
		const pauses = rows.slice(1).map(({ Ago: ago }) => Number(ago));
		expect(Math.min(...pauses.slice(0, 2))).toBeGreaterThan(9_000);
		expect(Math.min(...pauses.slice(2))).toBeLessThan(9_000);
	},
);
