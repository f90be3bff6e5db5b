import { setTimeout as sleep } from 'node:timers/promises';
import { sample } from '../support/length';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Loops by page where the rows come some time after the page, or after the click. A page is taken as quiet
// after 3 seconds although it waits for an answer, and much earlier while only a timer runs.

interface Kind {
	/** What the click does at once, and what is done once the rows are there. */
	atOnce?: string;
	after?: string;
	/** Milliseconds that a script waits before it asks for rows, and that the site takes for them. */
	timer?: number;
	answer?: number;
}

const slow = { answer: 3_500 };
const quick = { answer: 300 };
const disabled = { atOnce: 'next.disabled = true', after: 'next.disabled = false' };

/** Pages of one document: a script puts the rows of the next page in the place of these. */
const replaced: Record<string, Kind> = {
	'a button is disabled': { ...disabled, ...slow },
	'a button is disabled and a timer runs': { ...disabled, ...quick, timer: 500 },
	'a button is disabled for longer than elements are waited for': { ...disabled, answer: 9_000 },
	'a spinner comes': { ...slow, atOnce: `list.insertAdjacentHTML('beforeend', '<i>…</i>')` },
	'a button says so': {
		...slow,
		atOnce: `next.textContent = 'Loading…'`,
		after: `next.textContent = 'Next'`,
	},
	'a button is hidden': { ...slow, atOnce: 'next.hidden = true', after: 'next.hidden = false' },
	'the number of the page comes': { ...slow, atOnce: 'number.textContent = page' },
	'the page gets a class': {
		...slow,
		atOnce: `document.body.className = 'loading'`,
		after: `document.body.className = ''`,
	},
	'the list is emptied': { ...slow, atOnce: `list.innerHTML = ''` },
	'rows without text stand there': {
		...slow,
		atOnce: `list.innerHTML = '<p><b></b></p>'.repeat(2)`,
	},
	'rows without text stand there and a timer runs': {
		answer: 500,
		timer: 300,
		atOnce: `list.innerHTML = '<p><b></b></p>'.repeat(2)`,
	},
};

/** Pages of their own, the HTML of which is the same before a script has made their rows. */
const shells: Record<string, Kind> = {
	'the site is slow': slow,
	'a timer runs first': { ...quick, timer: 800 },
};

const texts: Record<string, string> = {
	1: '<p><b>1 a</b></p><p><b>1 b</b></p>',
	2: '<p><b>2 a</b></p><p><b>2 b</b></p>',
	3: '<p><b>3 a</b></p><p><b>3 b</b></p>',
};
const all = ['1 a', '1 b', '2 a', '2 b', '3 a', '3 b'];

const rowsOf = ({ timer = 0 }: Kind, path: string) => `
	if (${timer}) await new Promise((resolve) => setTimeout(resolve, ${timer}));
	list.innerHTML = await (await fetch('${path}/rows/' + page)).text();`;

const replacing = (kind: Kind, path: string) => `<body>
	<div id="list">${texts[1]}</div><i id="number"></i><button id="next">Next</button>
	<script>
		let page = 1;
		next.onclick = async () => {
			page += 1;
			${kind.atOnce}
			${rowsOf(kind, path)}
			if (page === 3) next.remove();
			${kind.after ?? ''}
		};
	</script></body>`;

const shell = (kind: Kind, path: string) => `<body><div id="list"></div><script>(async () => {
		const page = Number(new URLSearchParams(location.search).get('page') ?? 1);
		${rowsOf(kind, path)}
		if (page < 3) list.insertAdjacentHTML('afterend', '<a id="next" href="?page=' + (page + 1) + '">Next</a>');
	})()</script></body>`;

/** A button that calls this with the number of the next page. */
const counting = (turn: string, rows: string) => `<body><div id="list">${rows}</div><i></i>
	<button id="next">Next</button>
	<script>
		let page = 1;
		next.onclick = () => {
			page += 1;
			${turn}
			if (page === 3) next.remove();
		};
	</script></body>`;

const others: Record<string, string> = {
	nowhere: `<body><p><b>only</b></p><i></i><button id="next">Next</button><script>
		setInterval(() => document.querySelector('i').textContent = performance.now(), 50);
	</script></body>`,
	sameTexts: counting(
		`list.innerHTML = '<p><img alt="' + page + '"><b>in stock</b></p>'`,
		'<p><img alt="1"><b>in stock</b></p>',
	),
	gap: counting(`list.innerHTML = page === 2 ? '' : '<p><b>third</b></p>'`, '<p><b>first</b></p>'),
};

const paths = Object.fromEntries(
	[...Object.keys(replaced), ...Object.keys(shells), ...Object.keys(others)].map((name) => [
		`/${uuidOf(name)}`,
		name,
	]),
);

let site: Site;
let service: RunningService;
let client: CloudClient;

beforeAll(async () => {
	site = await startSite(async ({ url: { pathname } }) => {
		const path = pathname.slice(0, 37);
		const name = paths[path] ?? '';
		const kind = replaced[name] ?? shells[name];
		const [, page] = pathname.split('/rows/');
		if (page === undefined || !kind) {
			if (replaced[name]) return replacing(replaced[name], path);
			return shells[name] ? shell(shells[name], path) : (others[name] ?? { status: 404 });
		}
		await sleep(kind.answer);
		return texts[page] ?? { status: 404 };
	});
	const through = (name: string, path: string, steps: object[]) =>
		task(
			name,
			[
				step('navigate', { url: `${site.baseUrl}${path}` }),
				loop({ loopType: 'page', selector: '#next', timesMode: 'all' }, steps),
			],
			{ page: 'browser' },
		);
	const read = [extract({ Text: 'b' }, 'p')];
	const item = [
		loop({ loopType: 'list', listType: 'elements', selector: 'p' }, [extract({ Text: 'b' })]),
	];
	const tasks = Object.entries(paths).flatMap(([path, name]) => [
		through(name, path, read),
		through(`${name}, item by item`, path, item),
	]);
	service = await startService({
		tasks: Object.fromEntries(tasks.map((each) => [each.taskID, JSON.stringify(each)])),
		env: { SERVICE_AGENTS: '8' },
	});
	client = cloudClient(service);
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

async function textsOf(name: string): Promise<(string | undefined)[]> {
	const { batch, rows } = await client.run(uuidOf(name));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
	return rows.map(({ Text }) => Text);
}

concurrentTestWithBrowser.each(sample(Object.keys(replaced)))(
	'each page is read once where, until its rows come, %s',
	async (name) => {
		expect(await textsOf(name)).toEqual(all);
	},
);

concurrentTestWithBrowser('so it is where the rows are the items of a loop', async () => {
	expect(await textsOf('the number of the page comes, item by item')).toEqual(all);
});

concurrentTestWithBrowser.each(sample(Object.keys(shells)))(
	'pages of the same HTML are different ones until a script has made their rows: %s',
	async (name) => {
		expect(await textsOf(name)).toEqual(all);
	},
);

concurrentTestWithBrowser(
	'ends where a click changes no row, whatever moves beside them',
	async () => {
		expect(await textsOf('nowhere')).toEqual(['only']);
	},
);

concurrentTestWithBrowser('goes on where rows say the same but are others', async () => {
	expect(await textsOf('sameTexts')).toEqual(['in stock', 'in stock', 'in stock']);
});

concurrentTestWithBrowser('goes on after a page without rows', async () => {
	expect(await textsOf('gap')).toEqual(['first', 'third']);
});
