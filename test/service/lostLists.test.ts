import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Lists that clicks have made, at an address that brings another one: whoever leaves them does not find them again.

/** Names of a list by what was searched for, three a page; an entry leads to a page of its own, or shows its detail. */
const page = `<body><input id="word"><button id="search">Search</button><button id="euro">Euro</button>
	<p id="curtain" style="position: fixed; inset: 0" hidden></p><main></main><button id="next">Next</button><script>
	let list = 'all', number = 1, sign = '$';
	function show() {
		document.querySelector('main').innerHTML = [1, 2, 3].map((entry) => {
			const name = list + '-' + number + '-' + entry;
			const form = '<form method="post" action="/detail/' + name + '"><input type="submit"></form>';
			return '<div><a href="/detail/' + name + '">' + name + '</a> <button>price</button> <i></i> <b>open</b>' + form + '</div>';
		}).join('');
		next.hidden = number === 3;
	}
	search.onclick = () => { list = word.value; number = 1; show(); };
	next.onclick = () => { number += 1; show(); };
	euro.onclick = () => (sign = '€');
	onpageshow = ({ persisted }) => { if (persisted) curtain.hidden = true; };
	document.querySelector('main').onclick = async ({ target }) => {
		if (target.tagName === 'B') {
			curtain.hidden = false;
			location.assign(target.parentElement.querySelector('a').href);
		}
		if (target.tagName !== 'BUTTON') return;
		const answer = await fetch('/price/' + target.parentElement.querySelector('a').textContent);
		if (answer.ok) target.nextElementSibling.textContent = sign + (await answer.text());
	};
	show();
</script></body>`;

let site: Site;
let service: RunningService;
let client: CloudClient;

beforeAll(async () => {
	site = await startSite(({ url: { pathname } }) => {
		const [, kind, name] = pathname.split('/');
		if (kind === 'detail') return `<h1>${name}</h1>`;
		if (kind === 'price') return name?.endsWith('-2') ? { status: 500 } : '9';
		return page;
	});
	const open = step('navigate', { url: `${site.baseUrl}/` });
	const click = (selector: string) => step('click', { selector });
	const eachEntry = (...steps: object[]) =>
		loop({ loopType: 'list', listType: 'elements', selector: 'div' }, steps);
	const tasks = [
		...Object.entries({
			searched: [step('navigate', { useLoopItem: true })],
			'searched, and left behind a curtain': [
				extract({ Name: 'a' }, undefined, { emit: false }),
				click('b'),
			],
			'searched, and left by forms': [
				extract({ Name: 'a' }, undefined, { emit: false }),
				click('input'),
			],
		}).map(([name, leaves]) =>
			task(
				name,
				[
					open,
					step('inputText', { selector: '#word', text: 'lamp' }),
					click('#search'),
					loop({ loopType: 'page', selector: '#next', timesMode: 'all' }, [
						eachEntry(...leaves, extract({ Text: 'h1' })),
					]),
				],
				{ page: 'browser' },
			),
		),
		task('in euros', [open, click('#euro'), eachEntry(click('button'), extract({ Text: 'i' }))], {
			page: 'browser',
		}),
	];
	service = await startService({
		tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
	});
	client = cloudClient(service);
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

async function run(name: string) {
	const { batch, rows } = await client.run(uuidOf(name));
	const failures = service.log.filter(
		(line) => line.batchID === batch.batchID && line.msg === 'page failed, skipped',
	);
	const reasons = failures.map(({ reason }) => String(reason));
	return { texts: rows.map(({ Text }) => Text), reasons };
}

concurrentTestWithBrowser.each(['searched', 'searched, and left behind a curtain'])(
	'what was found stays while its entries are opened: %s',
	async (name) => {
		const { texts, reasons } = await run(name);
		const found = [1, 2, 3].flatMap((page) => [1, 2, 3].map((entry) => `lamp-${page}-${entry}`));
		expect(texts).toEqual(found);
		expect(reasons).toEqual([]);
	},
);

concurrentTestWithBrowser('what a search has found is not mixed with another list', async () => {
	const { texts, reasons } = await run('searched, and left by forms');
	expect(texts).toEqual(['lamp-1-1']);
	expect(reasons[0]).toContain(
		`Going back to ${site.baseUrl}/, its address brought another page: what was done to get there is not done again`,
	);
});

concurrentTestWithBrowser(
	'an entry that is refused costs itself, and changes no other',
	async () => {
		const { texts, reasons } = await run('in euros');
		expect(texts).toEqual(['€9', '€9']);
		expect(reasons).toEqual([
			expect.stringContaining('/price/all-1-2 could not be opened: HTTP 500'),
		]);
	},
);
