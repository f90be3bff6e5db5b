import { usePageCases, type PageCase } from '../support/inProcess/pageCases';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { extract, loop, step } from '../support/service/taskFiles';

// Panels of a page of which one is shown at a time, or one for each entry of a loop: what is read is of that one.

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
/** The same by a select, and by what leads on from one to the next. */
const chosenOne = uneven.replace(
	/<button>.*<\/button>/,
	`<select onchange="panels.forEach((panel, place) => (panel.style.display = place === this.selectedIndex ? 'block' : 'none'))">${groups.map((group) => `<option>${group}</option>`).join('')}</select>`,
);
const onward = (page: string) =>
	page
		.replace(
			/<button>.*<\/button>/,
			`<input type="button" class="next" value="Next" onclick="this.disabled = (shown += 1) === ${groups.length - 1}; panels.forEach((panel, place) => (panel.style.display = place === shown ? 'block' : 'none'))">`,
		)
		.replace('const panels', 'let shown = 0; const panels');
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
const next = (steps: object[]) =>
	loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, steps);
const opened = [each('h3', [clicked, extract({ Text: {} }, ':root p')])];

const cases: Record<string, PageCase> = {
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
	'tabs, the first of which has no rows': {
		page: uneven,
		steps: [each('button', [clicked, extract({ Text: {} }, ':root p')])],
		rows: groups.slice(1).flatMap(rowsOf),
	},
	'choices, the first of which has no rows': {
		page: chosenOne,
		steps: [
			loop({ loopType: 'list', listType: 'textList', texts: groups }, [
				step('inputText', { selector: 'select', useLoopItem: true }),
				extract({ Text: {} }, 'p'),
			]),
		],
		rows: groups.slice(1).flatMap(rowsOf),
	},
	'a “next” from what has no rows': {
		page: onward(uneven),
		steps: [next([extract({ Text: {} }, 'p')])],
		rows: groups.slice(1).flatMap(rowsOf),
	},
	'a “next” that is clicked so many times': {
		page: onward(uneven.replace('</h4>', '</h4><p>a1</p><p>a2</p>')),
		steps: [
			loop({ loopType: 'count', times: 3 }, [
				extract({ Text: {} }, 'p'),
				step('click', { selector: '.next' }),
			]),
		],
		rows: groups.slice(0, 3).flatMap(rowsOf),
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
	'rows that stay open, by what stands in the entry': {
		page: accordion(openOne['that stay open'] ?? '', false),
		steps: [each('section', [step('click', { selector: 'h3' }), extract({ Text: {} }, ':root p')])],
		rows: groups.flatMap((_, index) => groups.slice(0, index + 1).flatMap(rowsOf)),
		reasons: [
			'a click on h3 leaves what :root p found in the round before: that is read once more, beside what has come',
		],
	},
};

const { read } = usePageCases(cases);

concurrentTestWithBrowser.each(Object.keys(cases))(
	'what the entry has shown is read, and what stays of those before it is told: %s',
	async (name) => {
		const { rows, reasons = [] } = cases[name] ?? {};
		expect(await read(name)).toEqual({ rows, reasons });
	},
);
