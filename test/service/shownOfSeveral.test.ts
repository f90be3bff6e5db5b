import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// What stands in an entry, or on a page, several times, and of which one is shown: prices in each currency, panels of entries.

const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
const tabs = ['a', 'b', 'c'];
const atOnce = 4;
const inTab = (tab: number) => numbers.filter((number) => number % tabs.length === tab);

const entry = (number: number) =>
	`<li><b>${number}</b><span class="price eur">${number} €</span><span class="price usd" hidden>${number} $</span></li>`;
const entriesOf = (some: number[]) => some.map(entry).join('');
const inDollars = (some: number[]) => some.map((number) => `${number}: ${number} $`);

const switching = `let currency = localStorage.getItem('currency') ?? 'eur';
	const convert = () => {
		for (const price of document.querySelectorAll('.price')) price.hidden = !price.classList.contains(currency);
	};
	document.querySelector('.dollars').onclick = () => {
		currency = 'usd';
		localStorage.setItem('currency', currency);
		convert();
	};
	convert();`;
const dollars = '<button class="dollars">$</button>';

const tabbed = `${dollars}${tabs.map((tab) => `<button class="tab">${tab}</button>`).join('')}
	${tabs.map((_, tab) => `<ul${tab > 0 ? ' hidden' : ''}>${entriesOf(inTab(tab))}</ul>`).join('')}<script>${switching}
	const [buttons, lists] = [document.querySelectorAll('.tab'), document.querySelectorAll('ul')];
	buttons.forEach((button, tab) => (button.onclick = () => lists.forEach((list, place) => (list.hidden = place !== tab))));
</script>`;
const scripted = `${dollars}<ul></ul><button class="next">Next</button><script>${switching}
	const entries = ${JSON.stringify(numbers.map(entry))};
	let page = 0;
	const [list, next] = [document.querySelector('ul'), document.querySelector('.next')];
	const show = () => {
		list.innerHTML = entries.slice(page * ${atOnce}, (page + 1) * ${atOnce}).join('');
		next.disabled = page === 2;
		convert();
	};
	next.onclick = () => ((page += 1), show());
	show();
</script>`;
const served = (
	page: number,
) => `${dollars}<ul>${entriesOf(numbers.slice(page * atOnce, (page + 1) * atOnce))}</ul>
	${page < 2 ? `<a class="next" href="/served?${page + 1}">Next</a>` : ''}<script>${switching}</script>`;

const groups = ['a', 'b', 'c', 'd'];
const rowsOf = (group: string) => [1, 2].map((row) => `${group}${row}`);
const section = (group: string, isOpen: boolean) =>
	`<section${isOpen ? ' class="open"' : ''}><h3>${group}</h3><div${isOpen ? '' : ' hidden'}>${rowsOf(
		group,
	)
		.map((row) => `<p>${row}</p>`)
		.join('')}</div></section>`;
const openOne: Record<string, string> = {
	'of which one is open at a time': `for (const each of document.querySelectorAll('div')) each.hidden = each !== panel`,
	'that stay open': 'panel.hidden = false',
};
/** `first`: whether the first one is open from the beginning on. */
const accordion = (opens: string, first: boolean) =>
	`${groups.map((group, index) => section(group, first && index === 0)).join('')}<script>
	for (const header of document.querySelectorAll('h3')) header.onclick = () => {
		const panel = header.nextElementSibling;
		${opens};
	};
</script>`;
/** The same, by heights alone. */
const collapsed = `<style>div { max-height: 0; overflow: hidden } .open div { max-height: none }</style>
	${groups.map((group, index) => section(group, index === 0).replace(' hidden', '')).join('')}<script>
	const sections = document.querySelectorAll('section');
	for (const each of sections) each.firstElementChild.onclick = () => {
		for (const other of sections) other.className = other === each ? 'open' : '';
	};
</script>`;
/** Details that stand behind each row, and stay when they were opened. */
const details = `<table>${groups.map((group) => `<tr class="row"><td>${group}</td></tr><tr class="detail" hidden><td><b>of ${group}</b></td></tr>`).join('')}</table><script>
	for (const row of document.querySelectorAll('.row')) row.onclick = () => (row.nextElementSibling.hidden = false);
</script>`;
/** Tabs whose panels have as many slides, of which one is shown at a time. */
const slides = `<button>a</button><button>b</button>${['a', 'b']
	.map(
		(tab, place) =>
			`<section${place > 0 ? ' hidden' : ''}>${[1, 2]
				.map(
					(slide) =>
						`<div${slide > 1 ? ' hidden' : ''}>${rowsOf(tab + String(slide))
							.map((row) => `<p>${row}</p>`)
							.join('')}</div>`,
				)
				.join('')}</section>`,
	)
	.join('')}<script>
	const panels = document.querySelectorAll('section');
	document.querySelectorAll('button').forEach((button, tab) => (button.onclick = () => panels.forEach((panel, place) => (panel.hidden = place !== tab))));
</script>`;

/** Tabs, the first of which has no rows; only one has a note. */
const uneven = `${groups.map((group) => `<button>${group}</button>`).join('')}${groups
	.map(
		(group, place) =>
			`<div class="panel" style="display: ${place > 0 ? 'none' : 'block'}"><h4>${group}</h4>${
				place > 0
					? rowsOf(group)
							.map((row) => `<p>${row}</p>`)
							.join('')
					: ''
			}${group === 'c' ? '<i>note</i>' : ''}</div>`,
	)
	.join('')}<script>
	const panels = document.querySelectorAll('.panel');
	document.querySelectorAll('button').forEach((button, tab) => (button.onclick = () => panels.forEach((panel, place) => (panel.style.display = place === tab ? 'block' : 'none'))));
</script>`;
/** A dialog of its own for each entry, of which one has a note. */
const dialogs = `${groups.map((group) => `<article><b>${group}</b><button>Open</button></article>`).join('')}${groups
	.map(
		(group) =>
			`<dialog><em>of ${group}</em>${group === 'c' ? '<i>note</i>' : ''}<button>Close</button></dialog>`,
	)
	.join('')}<script>
	const dialogs = document.querySelectorAll('dialog');
	document.querySelectorAll('article button').forEach((button, place) => (button.onclick = () => dialogs[place].showModal()));
	for (const dialog of dialogs) dialog.querySelector('button').onclick = () => dialog.close();
</script>`;
/** Sizes that are chosen, as many as the page has tabs of its own, to which others lead. */
const sizes = `${groups.map((size) => `<button class="size">${size}</button>`).join('')}${groups
	.map((tab) => `<a href="#${tab}">${tab}</a>`)
	.join('')}${groups
	.map(
		(tab, place) => `<section id="${tab}"${place > 0 ? ' hidden' : ''}><i>of ${tab}</i></section>`,
	)
	.join('')}<script>
	for (const button of document.querySelectorAll('.size')) button.onclick = () => (document.title = button.textContent);
</script>`;

const each = (selector: string, steps: object[]) =>
	loop({ loopType: 'list', listType: 'elements', selector }, steps);
const clicked = step('click', { useLoopItem: true });
const prices = (selector: string) => extract({ Name: 'b', Price: '.price' }, selector);
const chosen = (...steps: object[]) => [step('click', { selector: '.dollars' }), ...steps];
const next = (steps: object[]) =>
	loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, steps);
const opened = [each('h3', [clicked, extract({ Text: {} }, ':root p')])];

const cases: Record<string, { page: string; steps: object[]; rows: string[] }> = {
	'no step': {
		page: served(0).replaceAll("'eur'", "'usd'"),
		steps: [prices('li')],
		rows: inDollars(numbers.slice(0, atOnce)),
	},
	tabs: {
		page: tabbed,
		steps: chosen(each('.tab', [clicked, prices(':root li')])),
		rows: inDollars(tabs.flatMap((_, tab) => inTab(tab))),
	},
	'a “next” of scripts': {
		page: scripted,
		steps: chosen(next([prices('li')])),
		rows: inDollars(numbers),
	},
	'a “next” of scripts, entry by entry': {
		page: scripted,
		steps: chosen(next([each('li', [extract({ Name: 'b', Price: '.price' })])])),
		rows: inDollars(numbers),
	},
	'pages of their own': {
		page: served(0),
		steps: chosen(next([prices('li')])),
		rows: inDollars(numbers),
	},
	...Object.fromEntries(
		[true, false].map((first) => [
			`headers of panels of which one is open at a time, ${first ? 'the first' : 'none'} from the beginning on`,
			{
				page: accordion(openOne['of which one is open at a time'] ?? '', first),
				steps: opened,
				rows: groups.flatMap(rowsOf),
			},
		]),
	),
	'headers of panels that have no height': {
		page: collapsed,
		steps: opened,
		rows: groups.flatMap(rowsOf),
	},
	'an old price, hidden, of another kind': {
		page: numbers
			.map(
				(number) =>
					`<li><b>${number}</b><del class="price" hidden>0 $</del><ins class="price">${number} $</ins></li>`,
			)
			.join(''),
		steps: [prices('li')],
		rows: inDollars(numbers),
	},
	'tabs, the first of which has no rows': {
		page: uneven,
		steps: [each('button', [clicked, extract({ Text: {} }, ':root p')])],
		rows: groups.slice(1).flatMap(rowsOf),
	},
	'what one tab alone has': {
		page: uneven,
		steps: [each('button', [clicked, extract({ Tab: ':root h4', Note: ':root i' })])],
		rows: groups.map((group) => `${group}: ${group === 'c' ? 'note' : ''}`),
	},
	'what one dialog alone has': {
		page: dialogs,
		steps: [
			each('article', [
				extract({ Name: 'b' }, undefined, { emit: false }),
				step('click', { selector: 'button' }),
				extract({ Text: ':root em', Note: ':root i' }),
			]),
		],
		rows: groups.map((group) => `${group}: of ${group}: ${group === 'c' ? 'note' : ''}`),
	},
	'a tab of the page, where something else is clicked': {
		page: sizes,
		steps: [each('.size', [clicked, extract({ Size: {}, Text: ':root #c i' })])],
		rows: groups.map((size) => `${size}: of c`),
	},
	'tabs with slides': {
		page: slides,
		steps: [each('button', [clicked, extract({ Text: {} }, ':root p')])],
		rows: ['a', 'b'].flatMap((tab) => [1, 2].flatMap((slide) => rowsOf(tab + String(slide)))),
	},
};
/** What is told of the first entry, or of the rows of the round before. */
const told: Record<string, { page: string; steps: object[]; rows: string[]; reasons: string[] }> = {
	'the first of what stays open': {
		page: details,
		steps: [each('.row', [clicked, extract({ Name: {}, Text: ':root .detail b' })])],
		rows: groups.map((group) => `${group}: of a`),
		reasons: groups
			.slice(1)
			.map(
				() =>
					'a click on the loop item has brought more of what :root .detail b finds: what is read is the first of it, as before',
			),
	},
	'rows that stay open': {
		page: accordion(openOne['that stay open'] ?? '', true),
		steps: opened,
		rows: groups.flatMap((_, index) => groups.slice(0, index + 1).flatMap(rowsOf)),
		reasons: [
			'a click on the loop item leaves what :root p found in the round before: that is read once more, beside what has come',
		],
	},
};

const { site, service } = useSiteAndService(
	({ url: { pathname, search } }) => {
		if (pathname === '/served') return served(Number(search.slice(1)));
		const name = decodeURIComponent(pathname.slice(1));
		return (cases[name] ?? told[name])?.page ?? { status: 404 };
	},
	() => ({
		tasks: Object.fromEntries(
			Object.entries({ ...cases, ...told }).map(([name, { steps }]) => {
				const url = `${site.baseUrl}/${encodeURIComponent(name)}`;
				return [
					uuidOf(name),
					task(name, [step('navigate', { url }), ...steps], {
						page: 'browser',
						requestsPerHost: 8,
					}),
				];
			}),
		),
		env: { SERVICE_AGENTS: '4' },
	}),
);

async function read(name: string) {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
	const warnings = service.log.filter((line) => line.batchID === batchID && line.level === 40);
	return {
		rows: rows.map((row) => Object.values(row).join(': ')),
		reasons: warnings.map(({ reason }) => reason),
	};
}

concurrentTestWithBrowser.each(Object.keys(cases))(
	'what is shown is read, and nothing that stands hidden in its place: %s',
	async (name) => {
		expect(await read(name)).toEqual({ rows: cases[name]?.rows, reasons: [] });
	},
);

concurrentTestWithBrowser.each(Object.keys(told))(
	'what stays of the round before is told: %s',
	async (name) => {
		expect(await read(name)).toEqual({ rows: told[name]?.rows, reasons: told[name]?.reasons });
	},
);
