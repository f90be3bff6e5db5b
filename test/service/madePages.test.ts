import { length, sample } from '../support/length';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Loops by page over pages that have no address of their own, because a script or a sent form has made them,
// where each entry leads away: going back, its address brings the first page.

const lastPage = length({ full: 4, short: 3 });
const numbers = Array.from({ length: lastPage }, (_, index) => index + 1);
const entriesOf = (page: number) => [`${page} a`, `${page} b`];
const all = numbers.flatMap(entriesOf);
const list = (page: number) =>
	entriesOf(page)
		.map((entry) => {
			const away = `onclick="location.assign('/entry?${entry}')"`;
			const sent = `<form method="post" action="/entry?${entry}"><button>more</button></form>`;
			return `<div><h2>${entry}</h2><a href="/entry?${entry}">more</a> <i ${away}>more</i>${sent}</div>`;
		})
		.join('');
const next = (page: number, rest: string) =>
	page < lastPage ? `<button ${rest}>Next</button>` : '';

/** Pages that a script makes; `begun`: whether it does before anything is clicked. */
const scripted = (begun: boolean) => `<body><button id="search">Search</button><main></main><script>
	sessionStorage.who = 'me';
	const pages = ${JSON.stringify(numbers.map((page) => list(page) + next(page, 'id="next"')))};
	let page = -1;
	const turn = () => {
		page += 1;
		document.querySelector('main').innerHTML = pages[page];
		const button = document.getElementById('next');
		if (button) button.onclick = turn;
	};
	document.getElementById('search').onclick = turn;
	if (${begun}) turn();
</script></body>`;

const kinds: Record<string, (page: number) => string> = {
	'a script makes': () => scripted(true),
	'a form is sent for': (page) =>
		`${list(page)}<form method="post">${next(page, `id="next" name="page" value="${page + 1}"`)}</form>`,
	'a script sends a form for': (page) =>
		`${list(page)}<form name="on" method="post"><input type="hidden" name="page" value="${page + 1}"></form>
		${page < lastPage ? `<a id="next" href="javascript:document.forms.on.submit()">Next</a>` : ''}`,
};
const searched = 'a script makes once asked';

const eachEntry = (...steps: object[]) =>
	loop({ loopType: 'list', listType: 'elements', selector: 'div' }, steps);
const name = extract({ Name: 'h2' }, undefined, { emit: false });
const detail = extract({ Detail: 'p', From: 'i', Who: 'b' });
const ways: Record<string, object> = {
	'navigate at once': eachEntry(step('navigate', { useLoopItem: true }), detail),
	navigate: eachEntry(name, step('navigate', { useLoopItem: true }), detail),
	click: eachEntry(name, step('click', { selector: 'a' }), detail),
};
/** Where no link says so before, and by a form. */
const led = {
	script: eachEntry(name, step('click', { selector: 'i' }), detail),
	form: eachEntry(name, step('click', { selector: 'form button' }), detail),
};
const search = step('click', { selector: '#search' });

/** A search behind a log-in that sends on to it; what it has found can be searched as well. */
const found = (q: string, within: string) => `<form method="post" action="/search">
	<input name="q"><input name="within" type="hidden" value="${q}"><button>Search</button></form>
	${
		q && !within
			? entriesOf(1)
					.map((entry) => `<p>${q} ${entry}</p>`)
					.join('')
			: ''
	}`;

let site: Site;
let service: RunningService;
let client: CloudClient;

beforeAll(async () => {
	site = await startSite(({ url: { pathname, search }, body, headers: { referer = '' } }) => {
		const said = decodeURIComponent(search.slice(1));
		if (pathname === '/entry')
			return `<p>${said}</p><i>${referer}</i><b></b><script>document.querySelector('b').textContent = sessionStorage.who</script>`;
		if (pathname === '/login') return { status: 303, headers: { Location: '/search' } };
		if (pathname === '/search') {
			const sent = new URLSearchParams(body);
			return found(sent.get('q') ?? '', sent.get('within') ?? '');
		}
		if (said === searched) return scripted(false);
		if (said === 'log in')
			return '<form method="post" action="/login"><button>Log in</button></form>';
		return kinds[said]?.(Number(new URLSearchParams(body).get('page') ?? 1)) ?? { status: 404 };
	});
	const through = (kind: string, way: string, steps: object[], first: object[] = []) =>
		task(
			`${kind} by ${way}`,
			[
				step('navigate', { url: `${site.baseUrl}/?${encodeURIComponent(kind)}` }),
				...first,
				loop({ loopType: 'page', selector: '#next', timesMode: 'all' }, steps),
			],
			{ page: 'browser', requestsPerHost: 8 },
		);
	const tasks = [
		...Object.keys(kinds).flatMap((kind) =>
			Object.entries(ways).map(([way, steps]) => through(kind, way, [steps])),
		),
		...Object.entries({ ...ways, ...led }).map(([way, steps]) =>
			through(searched, way, [steps], [search]),
		),
	];
	const loggedIn = task(
		'log in',
		[
			step('navigate', { url: `${site.baseUrl}/?log in` }),
			step('click', { selector: 'button' }),
			loop({ loopType: 'list', listType: 'textList', texts: ['oak', 'lamp'] }, [
				step('inputText', { selector: '[name=q]', useLoopItem: true }),
				step('click', { selector: 'button' }, 'search'),
				extract({ Detail: {} }, 'p'),
			]),
		],
		{ page: 'browser' },
	);
	tasks.push(loggedIn);
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

for (const [index, kind] of Object.keys(kinds).entries()) {
	concurrentTestWithBrowser.each(sample(Object.keys(ways), index))(
		`each entry of pages that ${kind} is read once, by %s`,
		async (way) => {
			const { batch, rows } = await client.run(uuidOf(`${kind} by ${way}`));
			expect(rows.map(({ Detail: read }) => read)).toEqual(all);
			for (const { Name: read, Detail: same } of rows) expect(read ?? same).toBe(same);
			await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
		},
	);
}

concurrentTestWithBrowser.each([...Object.keys(ways), 'script'])(
	'pages that a click has made are gone back to from their entries: by %s',
	async (way) => {
		const { batch, rows } = await client.run(uuidOf(`${searched} by ${way}`));
		expect(rows.map(({ Detail: read }) => read)).toEqual(all);
		// As where a link is followed in the tab of its page.
		const page = `${site.baseUrl}/?${encodeURIComponent(searched)}`;
		const from = /click|script/.test(way) ? page : '';
		expect(rows.map(({ From, Who }) => [From, Who])).toEqual(all.map(() => [from, 'me']));
		await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
	},
);

concurrentTestWithBrowser(
	'a page that a sent form has led to is asked for again, where the answer to another form is in its place',
	async () => {
		const { rows } = await client.run(uuidOf('log in'));
		const [first, second] = entriesOf(1);
		expect(rows.map(({ Detail: read }) => read)).toEqual(
			['oak', 'lamp'].flatMap((text) => [`${text} ${first}`, `${text} ${second}`]),
		);
	},
);

concurrentTestWithBrowser(
	'a page that is not to be had again ends its loop as a failure',
	async () => {
		const { batch, rows } = await client.run(uuidOf(`${searched} by form`));
		expect(rows.map(({ Detail: read }) => read)).toEqual(entriesOf(1).slice(0, 1));
		const { batchID } = batch;
		const url = `${site.baseUrl}/?${encodeURIComponent(searched)}`;
		const reason = `Going back to ${url}, its address brought another page: what was done to get there is not done again, but for clicks on #next.`;
		// Given up where the next entry comes back, and where the loop would go on from there.
		const what = 'element 2 of div';
		await service.logged({ batchID, msg: 'page failed, skipped', what, reason });
		await service.logged({ batchID, msg: 'batch successful', failedPages: 3 });
	},
);
