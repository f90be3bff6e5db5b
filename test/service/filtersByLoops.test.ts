import { describeOnBothPages, describeWithBrowser } from '../support/service/browser';
import type { SiteAnswer, SiteRequest } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

// Loops whose rounds only choose something, where each choice is in the address of the page that it leads to: the steps
// behind the loop read what all choices make of it.

let ground: Ground;

const brands = ['Acme', 'Bolt', 'Core'];
const lamps = Array.from({ length: 9 }, (_, index) => ({
	name: `lamp ${index + 1}`,
	brand: brands[index % 3] ?? '',
}));
const shownOf = (chosen: string[]) =>
	lamps.filter(({ brand }) => chosen.length === 0 || chosen.includes(brand));
const listOf = (chosen: string[]) =>
	shownOf(chosen)
		.map(({ name }) => `<p>${name}</p>`)
		.join('');
/** How many more of a brand there are, which changes with what is chosen. */
const countOf = (brand: string, chosen: string[]) =>
	shownOf(chosen).filter((lamp) => lamp.brand === brand).length;

const linkTo = (chosen: string[], brand: string, text = brand) => {
	const isChosen = chosen.includes(brand);
	const all = isChosen ? chosen.filter((each) => each !== brand) : [...chosen, brand];
	const query = all.map((each) => `b=${each}`).join('&amp;');
	return `<a class="${isChosen ? 'on' : 'off'} ${brand}" href="?${query}">${text}</a> `;
};
const boxes = (chosen: string[], attributes: string) =>
	brands
		.map((brand) => {
			const isChosen = chosen.includes(brand) ? 'checked' : '';
			return `<label><input type="checkbox" class="${brand}" name="b" value="${brand}" ${isChosen} ${attributes}>${brand}</label>`;
		})
		.join('');
/** Boxes of which a script reads the list, and notes in the address what is chosen. */
const scripted =
	(note: string, by = 'each.onchange') =>
	(chosen: string[]) => `${boxes(chosen, '')}<main></main><script>
	const lamps = ${JSON.stringify(lamps)};
	const inputs = [...document.querySelectorAll('input')];
	const show = async () => {
		const chosen = inputs.filter((each) => each.checked).map((each) => each.value);
		const rows = await fetch('/rows' + location.pathname + '?' + chosen.map((each) => 'b=' + each).join('&'));
		if (rows.ok) document.querySelector('main').innerHTML = await rows.text();
		return chosen;
	};
	for (const each of inputs) ${by} = async () => {
		const to = '?' + (await show()).map((each) => 'b=' + each).join('&');
		${note}
	};
	show();
</script>`;

interface Case {
	/** `picked`: what is to be sent yet. */
	page: (chosen: string[], picked: string[]) => string;
	/** What is clicked, of each, one after the other; or the steps before the list is read. */
	clicked: string | object[];
	chosen: string[];
	isRefusedOnce?: boolean;
}

const links = (chosen: string[]) => brands.map((each) => linkTo(chosen, each)).join('');
const eachOf = (selector: string, ...steps: object[]) =>
	loop({ loopType: 'list', listType: 'elements', selector }, steps);
const clickItem = step('click', { useLoopItem: true });
const two = ['Acme', 'Bolt'];
const query = (chosen: string[]) => chosen.map((each) => `b=${each}`).join('&amp;');
/** Links that choose only once a button is clicked. */
const applied = (chosen: string[], picked: string[]) =>
	brands
		.map((each) => `<a class="${each}" href="?${query(chosen)}&amp;x=${each}">${each}</a> `)
		.join('') + `<a class="apply" href="?${query([...chosen, ...picked])}">Apply</a>`;
const adding = (chosen: string[]) =>
	`<form>${chosen.map((each) => `<input type="hidden" name="b" value="${each}">`).join('')}
	<input class="add" name="b"><button>Add</button></form>`;
const click = (selector: string) => step('click', { selector });
const eachText = (...steps: object[]) =>
	loop({ loopType: 'list', listType: 'textList', texts: two }, steps);
/** Without a word, and gone once they are chosen. */
const swatches = (attribute: (brand: string) => string) => (chosen: string[]) =>
	`<ul>${brands
		.filter((each) => !chosen.includes(each))
		.map(
			(each) =>
				`<li><a ${attribute(each)} style="display: inline-block; width: 9px; height: 9px" href="?${query([...chosen, each])}"></a></li>`,
		)
		.join('')}</ul>`;
const firstTwo = 'li:nth-child(-n+2) a';

const onBoth: Record<string, Case> = {
	links: { page: links, clicked: 'a:not(.Core)', chosen: two },
	'a single link': { page: links, clicked: '.Bolt', chosen: ['Bolt'] },
	'links, one of which is refused once': {
		page: links,
		clicked: 'a:not(.Core)',
		chosen: two,
		isRefusedOnce: true,
	},
	'links that say how many there are': {
		page: (chosen) =>
			brands.map((each) => linkTo(chosen, each, `${each} (${countOf(each, chosen)})`)).join(''),
		clicked: 'a:not(.Core)',
		chosen: two,
	},
	'links, of which the chosen ones stand behind the others': {
		page: (chosen) =>
			[...brands.filter((each) => !chosen.includes(each)), ...chosen]
				.map((each) => linkTo(chosen, each))
				.join(''),
		clicked: 'a:not(.Core)',
		chosen: two,
	},
	'links that are gone once they are chosen': {
		page: (chosen) =>
			brands
				.filter((each) => !chosen.includes(each))
				.map((each) => linkTo(chosen, each))
				.join(''),
		clicked: 'a',
		chosen: brands,
	},
	'links, each of which is applied': {
		page: applied,
		clicked: [eachOf('a:not(.Core, .apply)', clickItem, click('.apply'))],
		chosen: two,
	},
	'texts that are added': {
		page: adding,
		clicked: [eachText(step('inputText', { selector: '.add', useLoopItem: true, submit: true }))],
		chosen: two,
	},
	'texts that a button adds': {
		page: adding,
		clicked: [
			eachText(step('inputText', { selector: '.add', useLoopItem: true }), click('button')),
		],
		chosen: two,
	},
	'boxes that are ticked, and sent behind the loop': {
		page: (chosen) => `<form>${boxes(chosen, '')}<button>Show</button></form>`,
		clicked: [
			eachOf('label:not(:has(.Core))', step('inputText', { selector: 'input', text: 'true' })),
			click('button'),
		],
		chosen: two,
	},
	'pictures that are known by their titles': {
		page: swatches((brand) => `title="${brand}"`),
		clicked: firstTwo,
		chosen: two,
	},
	'links in groups': {
		page: (chosen) =>
			[['Acme', 'Core'], ['Bolt']]
				.map((group) => `<div>${group.map((each) => linkTo(chosen, each)).join('')}</div>`)
				.join(''),
		clicked: [eachOf('div', eachOf('a:not(.Core)', clickItem))],
		chosen: two,
	},
};
const inBrowser: Record<string, Case> = {
	'boxes that send their form': {
		page: (chosen) => `<form>${boxes(chosen, 'onchange="this.form.submit()"')}</form>`,
		clicked: 'input:not(.Core)',
		chosen: two,
	},
	'boxes, each of which is applied': {
		page: () =>
			`<button>Apply</button>${scripted('', 'document.querySelector("button").onclick')([])}`,
		clicked: [eachOf('input:not(.Core)', clickItem, click(':root button'))],
		chosen: two,
	},
	...Object.fromEntries(
		Object.entries({
			'history.pushState': `history.pushState(null, '', to);`,
			'history.replaceState': `history.replaceState(null, '', to);`,
			'the fragment': `location.hash = to;`,
		}).map(([how, note]): [string, Case] => [
			`boxes of a script that says so by ${how}`,
			{ page: scripted(note), clicked: 'input:not(.Core)', chosen: two },
		]),
	),
};

/** Entries with a button each that says the same: `?done=2&done=1`; of those that are left, the first ones are shown. */
const queue = (done: string[], { shown, stays }: { shown: number; stays?: string }) =>
	Array.from({ length: 9 }, (_, index) => String(index))
		.filter((each) => stays !== undefined || !done.includes(each))
		.slice(0, shown)
		.map((each) => {
			const href = `?${[...done, each].map((one) => `done=${one}`).join('&amp;')}`;
			const says = stays !== undefined && done.includes(each) ? stays : 'Done';
			return `<div>of ${'abcdefghi'[Number(each)]} <a href="${href}">${says}</a></div>`;
		})
		.join('') + done.map((each) => `<p>${each}</p>`).join('');
const queues: Record<string, Parameters<typeof queue>[1]> = {
	'others move up': { shown: 3 },
	'they go': { shown: 9 },
	'they say something else': { shown: 3, stays: 'Undo' },
};

/** Texts that lead to a page without them: the round behind that begins on the page before the loop. */
const shop = brands.map((each) => `<a class="add" href="/cart?add=${each}">${each}</a>`).join('');

const pathOf = (name: string) => `/${encodeURIComponent(name)}`;
const cases = { ...onBoth, ...inBrowser };
const carts = new Map<string, string[]>();

beforeAll(async () => {
	const visits = new Map<string, number>();
	const answer = ({ url, headers }: SiteRequest): SiteAnswer => {
		const who = headers['user-agent'] ?? '';
		const chosen = url.searchParams.getAll('b');
		if (url.pathname.startsWith('/rows')) return listOf(chosen);
		if (url.pathname === '/shop') return `${shop}<p>shop</p>`;
		if (url.pathname === '/cart') {
			carts.set(who, [...(carts.get(who) ?? []), url.searchParams.get('add') ?? '']);
			return '<h1>cart</h1>';
		}
		const inQueue = queues[decodeURIComponent(url.pathname.slice('/queue/'.length))];
		if (inQueue) return queue(url.searchParams.getAll('done'), inQueue);
		const known = cases[decodeURIComponent(url.pathname.slice(1))];
		if (!known) return { status: 404 };
		const key = [who, url].join();
		visits.set(key, (visits.get(key) ?? 0) + 1);
		const isRefused = known.isRefusedOnce && chosen.length === 2 && visits.get(key) === 1;
		if (isRefused) return { status: 503, headers: { 'retry-after': '0' } };
		const page = known.page(chosen, url.searchParams.getAll('x'));
		return page.includes('<main>') ? page : page + listOf(chosen);
	};
	const tasks = Object.entries(cases).map(([name, { clicked }]): [string, object] => [
		name,
		task(
			name,
			[
				step('navigate', { url: `{base}${pathOf(name)}` }),
				...(typeof clicked === 'string' ? [eachOf(clicked, clickItem)] : clicked),
				extract({ Text: {} }, 'p'),
			],
			{ tries: 2, requestsPerHost: 8 },
		),
	]);
	const shopping = task('shopping', [
		step('navigate', { url: '{base}/shop' }),
		eachOf('.add', clickItem),
		extract({ Text: {} }, 'p'),
	]);
	for (const name of Object.keys(queues)) {
		const steps = [
			step('navigate', { url: `{base}/queue/${encodeURIComponent(name)}` }),
			eachOf('div:nth-of-type(-n+3) a', clickItem),
			extract({ Text: {} }, 'p'),
		];
		tasks.push([name, task(name, steps, { requestsPerHost: 8 })]);
	}
	ground = await startOnBothPages(
		{ ...Object.fromEntries(tasks), shopping: { ...shopping, userAgent: 'shopping' } },
		answer,
		{ env: { SERVICE_AGENTS: '4' } },
	);
}, 300_000);

afterAll(() => ground?.stop());

async function run(name: string) {
	const { batch, rows } = await ground.client.run(uuidOf(name));
	const { batchID } = batch;
	await ground.service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
	const warnings = ground.service.log.filter(
		(line) => line.batchID === batchID && Number(line.level) > 30,
	);
	return { texts: rows.map(({ Text }) => Text), warnings: warnings.map(({ msg }) => msg) };
}

const namesOf = (chosen: string[]) => shownOf(chosen).map(({ name }) => name);

describeOnBothPages('on pages of kind', (kind) => {
	test.concurrent.each(Object.entries(onBoth))(
		'what is chosen stays: %s',
		async (name, { chosen, isRefusedOnce }) => {
			expect(await run(`${name} ${kind}`)).toEqual({
				texts: namesOf(chosen),
				warnings: isRefusedOnce ? ['page failed, trying again'] : [],
			});
		},
	);

	test.concurrent.each(Object.keys(queues))(
		'each entry is done once by its button, though all say the same and %s',
		async (name) => {
			expect((await run(`${name} ${kind}`)).texts).toEqual(['0', '1', '2']);
		},
	);

	test('where a click leads to a page without the list, the next one is done on the page before', async () => {
		carts.clear();
		expect((await run(`shopping ${kind}`)).texts).toEqual(['shop']);
		expect(carts).toEqual(new Map([['shopping', brands]]));
	});
});

describeWithBrowser('in a browser', () => {
	test.concurrent.each(Object.entries(inBrowser))(
		'what is chosen stays: %s',
		async (name, { chosen }) => {
			expect(await run(`${name} browser`)).toEqual({ texts: namesOf(chosen), warnings: [] });
		},
	);
});
