import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Pages that fill the same elements anew for each entry, and hide what an entry lacks: its old text stays there.

const entries = Array.from({ length: 7 }, (_, index) => ({
	name: `name ${index}`,
	price: `${index + 10}.00`,
	sale: index % 3 === 1 ? '' : `sale ${index}`,
}));
const all = entries.map(({ name, price, sale }) => [name, price, sale]);

/** `slots`: how many entries are shown at a time; `put` shows some. */
const page = (slots: number, more: string) => `<style>.off { display: none }</style>
	<main>${'<div class="row off"><b></b> <span></span> <i class="off"></i></div>'.repeat(slots)}</main><script>
	const entries = ${JSON.stringify(entries)};
	const rows = [...document.querySelectorAll('.row')];
	const put = (shown) => rows.forEach((row, index) => {
		const entry = shown[index];
		row.classList.toggle('off', !entry);
		if (!entry) return;
		const [name, price, sale] = row.children;
		[name.textContent, price.textContent] = [entry.name, entry.price];
		sale.classList.toggle('off', !entry.sale);
		if (entry.sale) sale.textContent = entry.sale;
	});
</script>${more}`;

const next = (size: number) => `<button id="next">Next</button><script>
	let first = 0;
	const show = () => {
		put(entries.slice(first, first + ${size}));
		next.disabled = first + ${size} >= entries.length;
	};
	next.onclick = () => ((first += ${size}), show());
	show();
</script>`;

const buttons = entries
	.map((_, index) => `<button class="entry" onclick="put([entries[${index}]])">${index}</button>`)
	.join('');

const tabs = [0, 3, 6]
	.map(
		(first) =>
			`<button class="tab" onclick="put(entries.slice(${first}, ${first} + 3))">${first}</button>`,
	)
	.join('');

/** Two panels, made anew each time, of which one is shown and the other has the entry before. */
const inTurn = `<style>.off { display: none }</style><section></section><section></section><button id="next">Next</button><script>
	const entries = ${JSON.stringify(entries)};
	const panels = [...document.querySelectorAll('section')];
	let at = 0;
	const show = () => {
		const { name, price, sale } = entries[at];
		panels[at % 2].innerHTML = '<b>' + name + '</b><span>' + price + '</span><i>' + sale + '</i>';
		panels.forEach((panel, index) => panel.classList.toggle('off', index !== at % 2));
		next.disabled = at === entries.length - 1;
	};
	next.onclick = () => ((at += 1), show());
	show();
</script>`;

const fields = { Name: 'b', Price: 'span', Sale: 'i' };
const ofPage = { Name: ':root b', Price: ':root span', Sale: ':root i' };
const pageLoop = (steps: object[]) =>
	loop({ loopType: 'page', selector: '#next', timesMode: 'all' }, steps);
const elementLoop = (selector: string, steps: object[]) =>
	loop({ loopType: 'list', listType: 'elements', selector }, steps);
const click = step('click', { useLoopItem: true });

const cases: Record<string, { html: string; steps: object }> = {
	'rows under "next"': {
		html: page(3, next(3)),
		steps: pageLoop([extract(fields, '.row:not(.off)')]),
	},
	'a card under "next"': { html: page(1, next(1)), steps: pageLoop([extract(fields)]) },
	'two panels in turn under "next"': {
		html: inTurn,
		steps: pageLoop([extract({ Name: 'section b', Price: 'section span', Sale: 'section i' })]),
	},
	'a panel beside a list': {
		html: page(1, buttons),
		steps: elementLoop('.entry', [click, extract(ofPage)]),
	},
	'rows under tabs': {
		html: page(3, tabs),
		steps: elementLoop('.tab', [click, extract(fields, ':root .row:not(.off)')]),
	},
};

const paths = new Map(Object.keys(cases).map((name) => [`/${uuidOf(name)}`, name]));

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => cases[paths.get(pathname) ?? '']?.html ?? { status: 404 },
	() => {
		const tasks = Object.entries(cases).map(([name, { steps }]) =>
			task(name, [step('navigate', { url: `${site.baseUrl}/${uuidOf(name)}` }), steps], {
				page: 'browser',
				requestsPerHost: 4,
			}),
		);
		return {
			tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
			env: { SERVICE_AGENTS: '4' },
		};
	},
);

concurrentTestWithBrowser.each(Object.keys(cases))(
	'what an entry lacks is not read of the one before: %s',
	async (name) => {
		const { rows } = await cloudClient(service).run(uuidOf(name));
		expect(rows.map(({ Name, Price, Sale }) => [Name, Price, Sale])).toEqual(all);
	},
);
