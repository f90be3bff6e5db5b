import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Filters that say by a class or the like which of them are on: nothing switches these back, so what a round finds on from
// rounds before is told.

const sizes = ['small', 'large', 'huge'];
const items = [
	'red small',
	'red large',
	'blue small',
	'green huge',
	'green large small',
	'grey huge large small',
];

/** What a click makes of a chip, `it`, of which `isOn` says whether it is on now; and which rows then are there. */
interface Filters {
	click: string;
	/** Of the items: whether one is shown, by the chips that are on. */
	shows: string;
	/** What there is, if not these items. */
	rows?: string[];
	addsUp: boolean;
}

const ofOne =
	'items.filter((item) => on.size === 0 || [...on].some((size) => item.includes(size)))';
const ofAll = 'items.filter((item) => [...on].every((size) => item.includes(size)))';
const toggle = 'on.delete(size) || on.add(size);';
const filters: Record<string, Filters> = {
	'a class, one or another of which rows have': {
		click: `${toggle} it.classList.toggle('on', on.has(size))`,
		shows: ofOne,
		addsUp: true,
	},
	'a class, all of which rows have': {
		click: `${toggle} it.classList.toggle('on', on.has(size))`,
		shows: ofAll,
		addsUp: true,
	},
	'a class, where no row has them all': {
		click: `${toggle} it.classList.toggle('on', on.has(size))`,
		shows: ofAll,
		rows: items.slice(0, 4),
		addsUp: true,
	},
	'a data attribute': {
		click: `${toggle} it.dataset.state = on.has(size) ? 'on' : 'off'`,
		shows: ofOne,
		addsUp: true,
	},
	'a class of the entry around': {
		click: `${toggle} it.parentElement.classList.toggle('on', on.has(size))`,
		shows: ofOne,
		addsUp: true,
	},
	'a mark inside, drawn anew each time': {
		click: `${toggle} draw()`,
		shows: ofOne,
		addsUp: true,
	},
	'a class, where the next one takes its place': {
		click:
			"on.clear(); on.add(size); for (const each of chips.querySelectorAll('b')) each.classList.toggle('on', each === it)",
		shows: ofOne,
		addsUp: false,
	},
	'a class of those seen before, where the next one takes its place': {
		click: "on.clear(); on.add(size); it.classList.add('seen')",
		shows: ofOne,
		addsUp: false,
	},
};

const page = ({ click, shows, rows = items }: Filters) => `<!doctype html>
	<p id="chips"></p><ul id="list"></ul><script>
	const on = new Set();
	const items = ${JSON.stringify(rows)};
	const drawn = (size) => '<span><b>' + size + (on.has(size) ? '<i class="tick"></i>' : '') + '</b></span>';
	const draw = () => (chips.innerHTML = ${JSON.stringify(sizes)}.map(drawn).join(''));
	const fill = () => (list.innerHTML = ${shows}.map((item) => '<li>' + item + '</li>').join(''));
	chips.onclick = ({ target }) => {
		const it = target.closest('b');
		const size = it.textContent;
		${click};
		fill();
	};
	draw();
	fill();
</script>`;

const choose = (waitFor?: string) => step('click', { useLoopItem: true, waitFor });
const ways: Record<string, () => object[]> = {
	'': () => [],
	', clicked again': () => [choose('#list')],
};

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => {
		const found = filters[decodeURIComponent(pathname.slice(1))];
		return found ? page(found) : '';
	},
	() => ({
		tasks: Object.fromEntries(
			Object.keys(filters).flatMap((name) =>
				Object.entries(ways).map(([way, last]) => {
					const steps = [
						step('navigate', { url: `${site.baseUrl}/${encodeURIComponent(name)}` }),
						loop({ loopType: 'list', listType: 'elements', selector: '#chips b' }, [
							step('extractData', { emit: false, fields: [{ name: 'Size', source: 'loopItem' }] }),
							choose(),
							extract({ Text: {} }, ':root #list li'),
							...last(),
						]),
					];
					const made = task(name + way, steps, { page: 'browser', requestsPerHost: 4 });
					return [made.taskID, made];
				}),
			),
		),
		env: { SERVICE_AGENTS: '4' },
	}),
);

async function run(name: string) {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
	const warnings = service.log
		.filter((line) => line.batchID === batchID && line.level === 40)
		.map(({ msg }) => msg);
	return { rows, warnings };
}

concurrentTestWithBrowser.each(Object.keys(filters))('filters that are on by %s', async (name) => {
	const { warnings } = await run(name);
	expect(warnings).toEqual(filters[name]?.addsUp ? ['choices add up'] : []);
});

concurrentTestWithBrowser.each(Object.keys(filters))(
	'each filter is on alone where the round ends with another click: %s',
	async (name) => {
		const { rows, warnings } = await run(`${name}, clicked again`);
		expect(warnings).toEqual([]);
		const read = rows.map(({ Size, Text }) => [Size, Text]);
		const all = filters[name]?.rows ?? items;
		const wanted = sizes.flatMap((size) =>
			all.filter((item) => item.includes(size)).map((item) => [size, item]),
		);
		expect(read).toEqual(wanted);
	},
);
