import { setTimeout as sleep } from 'node:timers/promises';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// What a text brings that is typed without being sent: what is read then is what the page made of it.

const words = ['apple', 'apricot', 'banana', 'cherry'];
const found = (text: string) => words.filter((word) => word.includes(text));
const items = (text: string) =>
	found(text)
		.map((word) => `<li>${word}</li>`)
		.join('');

/** A field whose list a script shows, with all words at first. */
const searched = (event: string, turn: string) => `<body>
	<input id="field"><ul>${items('')}</ul>
	<script>
		const field = document.getElementById('field');
		const list = document.querySelector('ul');
		const ask = async (how = 'items') => {
			const answer = await fetch('/' + how + '?' + field.value);
			if (answer.ok) list.innerHTML = await answer.text();
		};
		let timer;
		field.${event} = () => { ${turn} };
	</script></body>`;

const options = '<option></option><option>ap</option><option>an</option>';

const chosen = searched('onchange', 'ask()').replace(
	'<input id="field">',
	`<select id="field">${options}</select>`,
);

/** A form that sends itself, and holds nothing of that on the page that comes. */
const sent = (field: string) =>
	`<form action="/sent">${field}<button>Go</button></form><ul>${items('')}</ul>`;

const pages: Record<string, string> = {
	'asks at once': searched('oninput', 'ask()'),
	'asks when a word has ended': searched(
		'oninput',
		'clearTimeout(timer); timer = setTimeout(ask, 500)',
	),
	'asks when something is chosen': chosen,
	'asks for what takes its time': searched('oninput', 'ask("slow")'),
	'asks for what is refused once': searched('oninput', 'ask("refused")'),
	'sends nothing, and asks when something is chosen': chosen,
	'sends nothing, and asks for what is refused once': searched('oninput', 'ask("denied")'),
	'opens what is chosen': `<select id="field" onchange="location = '/items?' + this.value">${options}</select><ul></ul>`,
	'sends what is chosen by itself': sent(
		`<select id="field" name="q" onchange="this.form.submit()">${options}</select>`,
	),
	'sends what is typed by itself': sent(
		'<input id="field" name="q" oninput="setTimeout(() => this.form.submit(), 300)">',
	),
};

let site: Site;
let service: RunningService;
let client: CloudClient;

beforeAll(async () => {
	let [refused, denied] = [0, 0];
	site = await startSite(async ({ url: { pathname, search } }) => {
		if (pathname === '/slow') return sleep(5_000, items(search.slice(1)));
		if (pathname === '/refused' && (refused += 1) === 2) return { status: 503 };
		if (pathname === '/sent') {
			const q = new URLSearchParams(search).get('q') ?? '';
			return sent('<input id="field" name="q">').replace(items(''), items(q));
		}
		if (pathname === '/denied' && (denied += 1) === 2) return { status: 503 };
		if (!['/items', '/refused', '/denied'].includes(pathname))
			return pages[decodeURIComponent(search.slice(1))] ?? { status: 404 };
		await sleep(500);
		return items(search.slice(1));
	});
	const tasks = Object.keys(pages).map((name) =>
		task(
			name,
			[
				step('navigate', { url: `${site.baseUrl}/?${encodeURIComponent(name)}` }),
				loop({ loopType: 'list', listType: 'textList', texts: ['ap', 'an'] }, [
					step('inputText', {
						selector: '#field',
						useLoopItem: true,
						submit: name.startsWith('sends'),
					}),
					extract({ Word: {} }, 'li'),
				]),
			],
			{ page: 'browser' },
		),
	);
	service = await startService({
		tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
	});
	client = cloudClient(service);
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

concurrentTestWithBrowser.each(Object.keys(pages))(
	'what is read is what a text brought where a page %s',
	async (name) => {
		const { batch, rows } = await client.run(uuidOf(name));
		expect(rows.map(({ Word }) => Word)).toEqual([...found('ap'), ...found('an')]);
		await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
	},
);
