import { wholeBatch } from '../support/inProcess/pageCases';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { extract, loop, step, task } from '../support/service/taskFiles';

// Lists that stand in the page whole, of which its scripts show a part at a time: those that no visitor has seen among them.

const kinds = ['red', 'green', 'blue'];
const names = Array.from({ length: 12 }, (_, index) => `${kinds[index % 3]} ${index + 1}`);
const atOnce = 4;
const ofKind = (kind: string) => names.filter((name) => name.startsWith(kind));

const hiding: Record<string, string> = {
	'a style': "row.style.display = isShown ? '' : 'none'",
	'the attribute hidden': 'row.hidden = !isShown',
	'no visibility': "row.style.visibility = isShown ? '' : 'hidden'",
};

/** Shows the first of what is asked for, by a button for each kind, a field, or a pager. */
const listPage = (
	hides: string,
) => `${kinds.map((kind) => `<button class="kind">${kind}</button>`).join('')}
	<input><button class="next">Next</button>${[1, 2, 3].map((page) => `<a href="#" class="page">${page}</a>`).join('')}
	<ul>${names.map((name) => `<li>${name}</li>`).join('')}</ul><script>
	const [next, field] = [document.querySelector('.next'), document.querySelector('input')];
	let [kind, page] = ['', 0];
	const show = () => {
		const rows = [...document.querySelectorAll('li')];
		const meant = rows.filter((row) => row.textContent.startsWith(kind));
		const shown = meant.slice(page * ${atOnce}, (page + 1) * ${atOnce});
		for (const row of rows) {
			const isShown = shown.includes(row);
			${hides};
		}
		next.disabled = (page + 1) * ${atOnce} >= meant.length;
	};
	show();
	const showKind = (text) => ([kind, page] = [text, 0]) && show();
	const showPage = (number) => ((page = number), show());
	for (const button of document.querySelectorAll('.kind')) button.onclick = () => showKind(button.textContent);
	field.oninput = () => showKind(field.value);
	next.onclick = () => showPage(page + 1);
	for (const link of document.querySelectorAll('.page')) link.onclick = () => showPage(link.textContent - 1);
</script>`;

/** A panel is shown at a time; of the last one, the rows behind the first wait for another click. */
const panels = `${kinds.map((kind) => `<button>${kind}</button>`).join('')}${kinds
	.map((kind) => {
		const rows = ofKind(kind).map(
			(name, row) => `<li${kind === 'blue' && row > 0 ? ' hidden' : ''}>${name}</li>`,
		);
		return `<ul hidden>${rows.join('')}</ul>`;
	})
	.join('')}<script>
	const [tabs, lists] = [document.querySelectorAll('button'), document.querySelectorAll('ul')];
	tabs.forEach((tab, index) => (tab.onclick = () => lists.forEach((list, place) => (list.hidden = place !== index))));
</script>`;

/** Pages that are fetched, each with rows that wait for another click; one click shows none of them. */
const fetched = `<button class="next">Next</button><ul></ul><script>
	let page = 0;
	const next = document.querySelector('.next');
	const show = async () => {
		document.querySelector('ul').innerHTML = await (await fetch('/rows?' + page)).text();
		next.disabled = page === 2;
	};
	show();
	next.onclick = () => ((page += 1), show());
</script>`;
/** Rows that stand behind others, of which one is shown so far; and what is searched for, the first of which is. */
const detailed = fetched.replace('/rows?', '/details?');
const searched = `<input><button>Search</button><ul></ul><script>
	document.querySelector('button').onclick = async () => {
		const answer = await fetch('/found?' + document.querySelector('input').value);
		document.querySelector('ul').innerHTML = await answer.text();
	};
</script>`;
/** Details of which a click shows one. */
const opened = `${names.map((name) => `<button>+</button><li hidden>${name}</li>`).join('')}<script>
	for (const button of document.querySelectorAll('button')) button.onclick = () => (button.nextElementSibling.hidden = false);
</script>`;
/** Entries that hide something of their own, of which a click shows those of a kind; those of the first are shown already. */
const closed = `${kinds.map((kind) => `<button>${kind}</button>`).join('')}${names
	.map(
		(name) =>
			`<div${name.startsWith('red') ? '' : ' hidden'}><b>${name}</b><li hidden>${name}</li></div>`,
	)
	.join('')}<script>
	for (const button of document.querySelectorAll('button')) button.onclick = () => {
		for (const entry of document.querySelectorAll('div')) entry.hidden = !entry.textContent.startsWith(button.textContent);
	};
</script>`;
const rowsOf = (page: number) => names.slice(page * atOnce, (page + 1) * atOnce);

const rows = extract({ Text: {} }, 'li');
const rowsOfPage = extract({ Text: {} }, ':root li');
const each = (selector: string, steps: object[]) =>
	loop({ loopType: 'list', listType: 'elements', selector }, steps);
const clicked = step('click', { useLoopItem: true });
const paged = (steps: object[]) =>
	loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, steps);
const typed = loop({ loopType: 'list', listType: 'textList', texts: kinds }, [
	step('inputText', { selector: 'input', useLoopItem: true }),
	rows,
]);

const searching = loop({ loopType: 'list', listType: 'textList', texts: kinds }, [
	step('inputText', { selector: 'input', useLoopItem: true }),
	step('click', { selector: 'button' }),
	rows,
]);

const byKind = kinds.flatMap(ofKind);
const cases: Record<string, { steps: object[]; texts: string[] }> = {
	'no step': { steps: [rows], texts: names },
	'a click': {
		steps: [step('click', { selector: '.kind:nth-of-type(2)' }), rows],
		texts: ofKind('green'),
	},
	'clicks of a loop': { steps: [each('.kind', [clicked, rowsOfPage])], texts: byKind },
	'clicks of a loop, and a loop over what they show': {
		steps: [each('.kind', [clicked, each(':root li', [extract({ Text: {} })])])],
		texts: byKind,
	},
	'texts of a loop': { steps: [typed], texts: byKind },
	'“next”': { steps: [paged([rows])], texts: names },
	'“next”, and a loop over what it shows': {
		steps: [paged([each('li', [extract({ Text: {} })])])],
		texts: names,
	},
	'the numbers of pages': { steps: [each('.page', [clicked, rowsOfPage])], texts: names },
};

const variants = Object.keys(cases).flatMap((name) =>
	Object.keys(hiding).map((how): [string, string] => [name, how]),
);

const { site, service } = useSiteAndService(
	({ url: { pathname, search } }) => {
		if (pathname === '/panels') return panels;
		if (pathname === '/fetched') return fetched;
		if (pathname === '/detailed') return detailed;
		if (pathname === '/opened') return opened;
		if (pathname === '/closed') return closed;
		if (pathname === '/searched') return searched;
		if (pathname === '/details')
			return rowsOf(Number(search.slice(1)))
				.map((name, row) => `<b>${row}</b><li${row > 0 ? ' hidden' : ''}>${name}</li>`)
				.join('');
		if (pathname === '/found')
			return ofKind(search.slice(1))
				.map((name, row) => `<li${row > 1 ? ' hidden' : ''}>${name}</li>`)
				.join('');
		if (pathname === '/rows')
			return rowsOf(Number(search.slice(1)))
				.map((name, row) => `<li${row > 1 ? ' hidden' : ''}>${name}</li>`)
				.join('');
		return listPage(hiding[decodeURIComponent(pathname.slice(1))] ?? '');
	},
	() => {
		const open = (path: string) => step('navigate', { url: `${site.baseUrl}/${path}` });
		const options = { page: 'browser', requestsPerHost: 8 } as const;
		const tasks = [
			...variants.map(([name, how]) =>
				task(
					`${name}, ${how}`,
					[open(encodeURIComponent(how)), ...(cases[name]?.steps ?? [])],
					options,
				),
			),
			task('closed', [open('closed'), each('button', [clicked, rowsOfPage])], options),
			task('opened', [open('opened'), step('click', { selector: 'button' }), rows], options),
			task('detailed', [open('detailed'), paged([rows])], options),
			task('searched', [open('searched'), searching], options),
			task('fetched', [open('fetched'), paged([rows])], options),
			task('panels', [open('panels'), each('button', [clicked, rowsOfPage])], options),
		];
		return {
			tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
			env: { SERVICE_AGENTS: '4' },
		};
	},
);

async function read(name: string) {
	const { rows, warnings } = await wholeBatch(service, name);
	return { texts: rows.map(({ Text }) => Text), warnings };
}

concurrentTestWithBrowser.each(variants)(
	'what is shown is read behind %s, where %s hides the others',
	async (name, how) => {
		const { texts, warnings } = await read(`${name}, ${how}`);
		expect(texts).toEqual(cases[name]?.texts);
		expect(warnings).toEqual([]);
	},
);

concurrentTestWithBrowser(
	'of a panel that a click shows, what waits for another click is read, and nothing of the others',
	async () => {
		const { texts } = await read('panels');
		expect(texts).toEqual(byKind);
	},
);

concurrentTestWithBrowser(
	'rows that a page hides beside others, and that are no part of the next, are told, and read from there on',
	async () => {
		const { texts, warnings } = await read('fetched');
		expect(texts).toEqual([...rowsOf(0).slice(0, 2), ...rowsOf(1), ...rowsOf(2)]);
		const reason = expect.stringContaining('has rows that are hidden beside those') as unknown;
		expect(warnings).toEqual([expect.objectContaining({ msg: 'page may be missing', reason })]);
	},
);

concurrentTestWithBrowser.each([
	['closed', byKind],
	['opened', names],
	['detailed', names],
	['searched', byKind],
])(
	'what is hidden beside others, and is no part of a list, is read: %s',
	async (name, expected) => {
		const { texts, warnings } = await read(name);
		expect(texts).toEqual(expected);
		expect(warnings).toEqual([]);
	},
);
