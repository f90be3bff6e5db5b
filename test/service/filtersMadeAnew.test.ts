import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Filters that come with each answer, as it says which of them are on: what a round has switched on, it switches off.

const colors = ['red', 'green', 'blue'];

/** How one of them is drawn, by its color and whether it is on. */
const filters: Record<string, string> = {
	boxes:
		"'<label class=filter><input type=checkbox value=' + color + (on ? ' checked' : '') + '><b>' + color + '</b></label>'",
	'buttons that are pressed':
		"'<button class=filter value=' + color + ' aria-pressed=' + on + '><b>' + color + '</b></button>'",
	'what is checked':
		"'<div class=filter role=checkbox data-value=' + color + ' aria-checked=' + on + '><b>' + color + '</b></div>'",
	'radio buttons':
		"'<label class=filter><input type=radio name=color value=' + color + (on ? ' checked' : '') + '><b>' + color + '</b></label>'",
};

const page = (drawn: string, isOne: boolean) => `<!doctype html>
	<form id="filters"></form><ul id="list"></ul><script>
	const on = new Set(${isOne ? "['all']" : ''});
	const drawn = (color, on) => ${drawn};
	async function load() {
		const rows = await (await fetch('rows?' + [...on].join('&'))).json();
		list.innerHTML = rows.map((row) => '<li>' + row + '</li>').join('');
		filters.innerHTML = ${JSON.stringify(colors)}.map((color) => drawn(color, on.has(color))).join('')
			${isOne ? "+ drawn('all', on.has('all')).replace('filter', 'all')" : ''};
	}
	const choose = (color) => {
		if (${isOne}) on.clear();
		if (!on.delete(color)) on.add(color);
		load();
	};
	filters.onchange = ({ target }) => choose(target.value);
	filters.onclick = (event) => {
		const { value, dataset } = event.target.closest('.filter') ?? {};
		if (!value && !dataset?.value) return;
		event.preventDefault();
		choose(value || dataset.value);
	};
	load();
</script>`;

const choices: Record<string, object> = {
	click: step('click', { useLoopItem: true }),
	text: step('inputText', { selector: 'input', text: 'true' }),
};
const names = Object.keys(filters)
	.map((name) => `${name}, click`)
	.concat('boxes, text');

const { site, service } = useSiteAndService(
	({ url: { pathname, search } }) => {
		const [, name = '', file] = decodeURIComponent(pathname).split('/');
		if (!file) return page(filters[name] ?? '', name === 'radio buttons');
		const on = search.slice(1).split('&');
		const isWanted = (color: string) =>
			!colors.some((each) => on.includes(each)) || on.includes(color);
		return JSON.stringify(colors.filter(isWanted).flatMap((color) => [`${color} 1`, `${color} 2`]));
	},
	() => ({
		tasks: Object.fromEntries(
			names.map((name) => {
				const [kind = '', choice = ''] = name.split(', ');
				const steps = [
					step('navigate', { url: `${site.baseUrl}/${encodeURIComponent(kind)}/` }),
					loop({ loopType: 'list', listType: 'elements', selector: '.filter' }, [
						step('extractData', { emit: false, fields: [{ name: 'Filter', selector: 'b' }] }),
						choices[choice],
						extract({ Text: {} }, ':root #list li'),
					]),
				];
				const made = task(name, steps, { page: 'browser', requestsPerHost: 4 });
				return [made.taskID, made];
			}),
		),
		env: { SERVICE_AGENTS: '4' },
	}),
);

concurrentTestWithBrowser.each(names)('each filter is on alone: %s', async (name) => {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
	const wanted = colors.flatMap((Filter) =>
		[1, 2].map((number) => ({ Filter, Text: `${Filter} ${number}` })),
	);
	expect(rows).toMatchObject(wanted);
	expect(rows).toHaveLength(wanted.length);
});
