import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite, type Site, type SiteAnswer } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Clicks and texts on which a page asks for data that does not come.

const every = ['red lamp', 'blue lamp', 'blue mug'];
const blue = ['blue lamp', 'blue mug'];
const items = (texts: string[]) => texts.map((text) => `<li>${text}</li>`).join('');

const click = step('click', { selector: '#blue' });
const actions: Record<string, object> = {
	'a click': click,
	'a text': step('inputText', { selector: '#word', text: 'blue' }),
	'an option': step('inputText', { selector: '#choice', text: 'blue' }),
	'a click on what goes by that': step('click', { selector: '#accept' }),
};

interface Case {
	action: keyof typeof actions;
	/** What the site answers when it is asked for the rows: the n-th of these, then the rows. */
	rows?: SiteAnswer[];
	/** What it always answers when it is told of the action. */
	told?: SiteAnswer;
	isElsewhere?: boolean;
}

const always = (answer: SiteAnswer): SiteAnswer[] => Array.from({ length: 9 }, () => answer);
const refused: SiteAnswer = { status: 500 };
const missing: SiteAnswer = { status: 404 };

const cases: Record<string, Case> = {
	'a click, refused once': { action: 'a click', rows: [refused] },
	'a text, not found once': { action: 'a text', rows: [missing] },
	'an option, refused once by another site': {
		action: 'an option',
		rows: [refused],
		isElsewhere: true,
	},
	'a click, not found': { action: 'a click', rows: always(missing) },
	'a click, refused by another site': {
		action: 'a click',
		rows: always(refused),
		isElsewhere: true,
	},
	'a text, refused': { action: 'a text', rows: always(refused) },
	'a click that the site will not be told of': { action: 'a click', told: refused },
	'a text that the site will not be told of': { action: 'a text', told: refused },
	'the click that accepts, which the site will not be told of': {
		action: 'a click on what goes by that',
		told: refused,
	},
	'the click that accepts': { action: 'a click on what goes by that' },
};
/** A calendar: each click on "next" shows the month behind the one that is shown. */
const calendars: Record<string, SiteAnswer[]> = {
	'a month, refused once': [refused],
	'a month, not found': always(missing),
};
const calendarPage = (path: string) => `<body><p>1</p><button id="next">Next</button><script>
	let month = 1;
	next.onclick = async () => {
		const answer = await fetch('${path}/' + (month + 1));
		if (answer.ok) document.querySelector('p').textContent = String((month += 1));
	};
</script></body>`;

/** Panels beside a list: the click on the third is not heard. */
const deafPanels = `<body><ul>${items(['1', '2', '3', '4'])}</ul><p></p><script>
	for (const item of document.querySelectorAll('li'))
		item.onclick = ({ target: { textContent } }) => {
			if (textContent !== '3') document.querySelector('p').textContent = 'about ' + textContent;
		};
</script></body>`;

/** A search that says so where it finds nothing, and leaves its list as it was. */
const searchPage = `<body><input><textarea></textarea><select><option>all<option>more</select><p></p><ul>${items(every)}</ul><script>
	const [field, choice] = document.querySelectorAll('input, select');
	field.oninput = () => {
		const found = ${JSON.stringify(every)}.filter((text) => text.includes(field.value));
		document.querySelector('p').textContent = found.length + ' found';
		if (found.length > 0) document.querySelector('ul').innerHTML = found.map((text) => '<li>' + text + '</li>').join('');
	};
</script></body>`;

const pathOf = (name: string) => `/${uuidOf(name)}`;

const pageOf = (path: string, { told }: Case, base: string) => `<body>
	<input id="word"><select id="choice"><option>all<option>blue</select><button id="blue">Blue</button>
	<ul>${items(every)}</ul><button id="accept">Accept</button><script>
	const tell = async () => ${told ? `fetch('${path}/told', { method: 'POST' })` : 'undefined'};
	async function show() {
		tell();
		const answer = await fetch('${base}${path}/rows');
		if (answer.ok) document.querySelector('ul').innerHTML = await answer.text();
	}
	blue.onclick = word.oninput = choice.onchange = show;
	accept.onclick = () => (tell(), accept.remove());
</script></body>`;

let site: Site;
let service: RunningService;
let client: CloudClient;

beforeAll(async () => {
	const left = new Map(Object.entries(cases).map(([name, { rows = [] }]) => [name, [...rows]]));
	const months = new Map(
		Object.entries(calendars).map(([name, left]) => [pathOf(name), [...left]]),
	);
	const names = new Map(Object.keys(cases).map((name) => [pathOf(name), name]));
	site = await startSite(({ url: { pathname, port } }) => {
		const [, path = '', asked] = /^(\/[^/]*)(?:\/(.*))?$/.exec(pathname) ?? [];
		const refusals = months.get(path);
		if (refusals) {
			if (asked === undefined) return calendarPage(path);
			return (asked === '4' && refusals.shift()) || 'a month';
		}
		if (path === pathOf('panels')) return deafPanels;
		if (path === pathOf('search')) return searchPage;
		const name = names.get(path) ?? '';
		const found = cases[name];
		if (!found) return missing;
		const base = found.isElsewhere ? `http://localhost:${port}` : '';
		if (asked === undefined) return pageOf(path, found, base);
		if (asked === 'told') return found.told ?? missing;
		const headers = { 'access-control-allow-origin': '*' };
		const answer = left.get(name)?.shift() ?? { body: items(blue) };
		return typeof answer === 'string' ? { headers, body: answer } : { ...answer, headers };
	});
	const tasks = Object.entries(cases).map(([name, { action }]) =>
		task(
			name,
			[
				step('navigate', { url: `${site.baseUrl}${pathOf(name)}` }),
				actions[action] ?? click,
				extract({ Text: {} }, 'li'),
			],
			{ page: 'browser', tries: 3, requestsPerHost: 8 },
		),
	);
	const calendarTasks = Object.keys(calendars).map((name) =>
		task(
			name,
			[
				step('navigate', { url: `${site.baseUrl}${pathOf(name)}` }),
				loop({ loopType: 'count', times: 6 }, [
					extract({ Text: 'p' }),
					step('click', { selector: '#next' }),
				]),
			],
			{ page: 'browser', tries: 3 },
		),
	);
	const panels = task(
		'panels',
		[
			step('navigate', { url: `${site.baseUrl}${pathOf('panels')}` }),
			loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
				extract({ Name: {} }, undefined, { emit: false }),
				step('click', { useLoopItem: true }),
				extract({ Text: ':root p' }),
			]),
		],
		{ page: 'browser' },
	);
	const searches = [
		['search', step('inputText', { selector: 'input', useLoopItem: true })],
		['unsent', step('inputText', { selector: 'textarea', useLoopItem: true })],
		['default', step('inputText', { selector: 'select', text: 'all' })],
	] as const;
	const searchTasks = searches.map(([name, input]) =>
		task(
			name,
			[
				loop({ loopType: 'list', listType: 'textList', texts: ['blue', 'green', 'mug'] }, [
					step('navigate', { url: `${site.baseUrl}${pathOf('search')}` }),
					input,
					extract({ Text: {} }, 'li'),
				]),
			],
			{ page: 'browser' },
		),
	);
	const text = task(
		'unsentText',
		[
			step('navigate', { url: `${site.baseUrl}${pathOf('search')}` }),
			step('inputText', { selector: 'textarea', text: 'blue' }),
			extract({ Text: {} }, 'li'),
		],
		{ page: 'browser' },
	);
	service = await startService({
		tasks: Object.fromEntries(
			[...tasks, ...calendarTasks, ...searchTasks, text, panels].map((each) => [each.taskID, each]),
		),
		env: { SERVICE_AGENTS: '8' },
	});
	client = cloudClient(service);
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

async function run(name: string, failedPages: number) {
	const { batch, rows } = await client.run(uuidOf(name));
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful', failedPages });
	const warnings = service.log.filter(
		(line) => line.batchID === batchID && line.msg === 'step not answered',
	);
	const reasons = warnings.map(({ reason }) => String(reason));
	return { texts: rows.map(({ Text }) => Text), reasons };
}

concurrentTestWithBrowser.each([
	'a click, refused once',
	'a text, not found once',
	'an option, refused once by another site',
])('%s: it is done once more', async (name) => {
	expect(await run(name, 0)).toEqual({ texts: blue, reasons: [] });
});

concurrentTestWithBrowser.each([
	['a click, not found', 404],
	['a click, refused by another site', 500],
])('%s: what is there is read, and the log warns', async (name, status) => {
	const { texts, reasons } = await run(name, 0);
	expect(texts).toEqual(every);
	expect(reasons).toEqual([expect.stringContaining(`/rows could not be opened: HTTP ${status}`)]);
});

concurrentTestWithBrowser('a text, refused: what was there before is not read', async () => {
	expect(await run('a text, refused', 1)).toEqual({ texts: [], reasons: [] });
});

concurrentTestWithBrowser.each([
	['a click that the site will not be told of', blue],
	['a text that the site will not be told of', blue],
	['the click that accepts, which the site will not be told of', every],
])('%s has done what is read, and the log warns', async (name, read) => {
	const { texts, reasons } = await run(name, 0);
	expect(texts).toEqual(read);
	expect(reasons).toEqual([expect.stringContaining('/told could not be opened: HTTP 500')]);
});

concurrentTestWithBrowser.each(Object.keys(calendars))(
	'%s: a loop by count ends where the page does not come again that its clicks have made',
	async (name) => {
		const { batch, rows } = await client.run(uuidOf(name));
		const { batchID } = batch;
		await service.logged({ batchID, msg: 'batch successful', failedPages: 1 });
		expect(rows.map(({ Text }) => Text)).toEqual(['1', '2', '3']);
	},
);

concurrentTestWithBrowser('a click that changes nothing of what is read is no oddity', async () => {
	expect(await run('the click that accepts', 0)).toEqual({ texts: every, reasons: [] });
});

concurrentTestWithBrowser(
	'a click that is not heard is said to have left what the one before it has brought',
	async () => {
		const { texts, reasons } = await run('panels', 0);
		expect(texts).toEqual(['about 1', 'about 2', 'about 2', 'about 4']);
		expect(reasons).toEqual([
			'a click on the loop item has changed nothing on the page: what is read behind it was there before',
		]);
	},
);

concurrentTestWithBrowser(
	'a search that finds nothing, and leaves the list as it was, is told',
	async () => {
		const { texts, reasons } = await run('search', 0);
		expect(texts).toEqual([...blue, ...every, 'blue mug']);
		expect(reasons).toEqual([
			'a text in input has changed the page, but nothing that is read: that was there before, and where nothing was found, it is none of what was asked for',
		]);
	},
);

concurrentTestWithBrowser(
	'texts that change nothing, as where none is sent, are told',
	async () => {
		const { texts, reasons } = await run('unsent', 0);
		expect(texts).toEqual([...every, ...every, ...every]);
		const said =
			'a text in textarea has changed nothing on the page: what is read behind it was there before; where it counts only once it is sent, say so with submit, or by a click';
		expect(reasons).toEqual([said, said, said]);
		expect(await run('unsentText', 0)).toEqual({ texts: every, reasons: [said] });
	},
);

concurrentTestWithBrowser('a choice that is made already is not', async () => {
	expect(await run('default', 0)).toEqual({ texts: [...every, ...every, ...every], reasons: [] });
});
