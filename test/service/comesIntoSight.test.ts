import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// What a page fetches for a part of it once that comes into sight.

const count = 24;
const numbers = (from: number) => Array.from({ length: count }, (_, index) => from + index);
const rowOf = (entry: number) => ({ Name: `entry ${entry}`, Price: `${entry}.50` });
const rows = numbers(0).map(rowOf);
/** One whose price is refused. */
const refused = 20;

/** What stands in the place of a price until that has come. */
const placeholders = { nothing: '', dots: '…', 'another price': 'from 9' };
const layouts = {
	'in the window': '',
	'in a box': 'ul { height: 400px; overflow: auto }',
	'in a carousel': 'ul { display: flex; width: 400px; overflow: auto } li { flex: 0 0 200px }',
};

/** One that snaps, whose entries are filled in once more than half of them is seen. */
const snapping =
	'ul { display: flex; width: 400px; overflow: auto; scroll-snap-type: x mandatory } li { flex: 0 0 300px; scroll-snap-align: center }';

/** Fills in the price of what comes into sight. */
const script = `const seen = new IntersectionObserver((entries) => {
	for (const { isIntersecting, target } of entries) {
		if (!isIntersecting) continue;
		seen.unobserve(target);
		fetch('/price?' + target.id + location.hash.slice(1)).then((answer) => answer.ok ? answer.text() : '')
			.then((price) => price && (target.querySelector('i').textContent = price));
	}
}, { threshold });
const add = (from) => {
	for (let entry = from; entry < from + ${count}; entry += 1) {
		document.querySelector('ul').insertAdjacentHTML('beforeend', '<li id=' + entry + '><a href="/detail?'
			+ entry + '"><b>entry ' + entry + '</b></a><i>' + placeholder + '</i></li>');
		seen.observe(document.querySelector('ul').lastChild);
	}
};`;
const listPage = (placeholder: string, { style = '', more = 'add(0)', threshold = 0 } = {}) =>
	`<!doctype html><style>li { height: 150px; display: block } ${style}</style><ul></ul>
	<script>const [placeholder, threshold] = [${JSON.stringify(placeholder)}, ${threshold}]; ${script} ${more};</script>`;

/** Makes an entry once its place comes into sight. */
const bare = `document.querySelector('ul').innerHTML = '${numbers(0)
	.map((entry) => `<li id="${entry}"></li>`)
	.join('')}';
const filled = new IntersectionObserver((places) => places.forEach(async ({ isIntersecting, target }) => {
	if (!isIntersecting) return;
	filled.unobserve(target);
	const price = await (await fetch('/price?' + target.id)).text();
	target.innerHTML = '<b>entry ' + target.id + '</b><i>' + price + '</i>';
}));
for (const each of document.querySelectorAll('li')) filled.observe(each)`;
/** Adds entries as its end comes into sight. */
const endless = `let next = 0;
document.querySelector('ul').insertAdjacentHTML('afterend', '<p>The end</p>');
add(next);
new IntersectionObserver(async ([{ isIntersecting }]) => {
	if (!isIntersecting) return;
	next += ${count};
	await fetch('/price?1');
	add(next);
}, { rootMargin: '300px' }).observe(document.querySelector('p'))`;
/** Fills in what is in sight once scrolling has come to rest. */
const atRest = `const isSeen = (each) => {
	const { top, bottom } = each.getBoundingClientRect();
	return top < innerHeight && bottom > 0;
};
const fill = () => {
	for (const each of [...document.querySelectorAll('li')].filter(isSeen)) {
		fetch('/price?' + each.id).then((answer) => answer.text())
			.then((price) => (each.querySelector('i').textContent = price));
	}
};
let resting;
addEventListener('scroll', () => (clearTimeout(resting), (resting = setTimeout(fill, 250))));
add(0);
seen.disconnect();
fill()`;
/** Fills in a price at the foot of its entry once that comes into sight. */
const atFoot = `add(0);
seen.disconnect();
const feet = new IntersectionObserver((places) => places.forEach(async ({ isIntersecting, target }) => {
	if (!isIntersecting) return;
	feet.unobserve(target);
	target.textContent = await (await fetch('/price?' + target.parentElement.id)).text();
}));
for (const each of document.querySelectorAll('i')) feet.observe(each)`;
const tall = 'li { height: 1500px; position: relative } i { position: absolute; bottom: 0 }';
/** Puts the next entries into the place of these. */
const paged = `add(0);
let next = 0;
document.querySelector('ul').insertAdjacentHTML('afterend', '<button>Next</button>');
document.querySelector('button').onclick = async () => {
	await fetch('/price?1');
	document.querySelector('ul').replaceChildren();
	add(next += ${count});
	if (next === ${2 * count}) document.querySelector('button').remove();
}`;

/** Its price comes once it comes into sight, far down; and of one, there is none. */
const detailPage = ({ isInBox = false, isAtRest = false, placeholder = '' }) =>
	`<style>div { height: 3000px } p { min-height: 20px } main { height: 400px; overflow: auto }</style>
	<h1></h1>${isInBox ? '<main>' : ''}<div></div><p class="price">${placeholder}</p>${isInBox ? '</main>' : ''}<script>
	const entry = Number(location.search.slice(1));
	document.querySelector('h1').textContent = 'entry ' + entry;
	const place = document.querySelector('p');
	const fill = async () => {
		const price = await (await fetch('/price?' + entry)).text();
		if (price) place.textContent = price;
	};
	const seen = new IntersectionObserver(([{ isIntersecting }]) => {
		if (!isIntersecting) return;
		seen.disconnect();
		fill();
	});
	let resting;
	const rest = () => place.getBoundingClientRect().top < innerHeight && fill();
	if (${isAtRest}) addEventListener('scroll', () => (clearTimeout(resting), (resting = setTimeout(rest, 150))));
	else seen.observe(place);
</script>`;
const detailPages: Record<string, string> = {
	detail: detailPage({}),
	detailInBox: detailPage({ isInBox: true }),
	detailAtRest: detailPage({ isAtRest: true }),
};
const withoutPrice = 1_001;
const details = [1_000, withoutPrice, 1_002];

const lists: Record<string, string> = {
	...Object.fromEntries(
		Object.entries(placeholders).flatMap(([name, placeholder]) =>
			Object.entries(layouts).map(([layout, style]) => [
				`${name} ${layout}`,
				listPage(placeholder, { style }),
			]),
		),
	),
	'entries that are made then': listPage('', { more: bare }),
	'once scrolling has come to rest': listPage('from 9', { more: atRest }),
	'an endless list': listPage('', { more: endless }),
	'a box far down': listPage('from 9', {
		style: 'ul { margin-top: 3000px; height: 400px; overflow: auto }',
	}),
	'a carousel that snaps': listPage('from 9', { style: snapping, threshold: 0.6 }),
	'entries taller than the window': listPage('…', { style: tall, more: atFoot }),
	'entries taller than their box': listPage('…', {
		style: `${tall} ul { height: 400px; overflow: auto }`,
		more: atFoot,
	}),
	'a list by pages': listPage('from 9', { more: paged }),
};

/** What loops by scroll go through. */
const boxes = [
	'a box far down',
	'another price in a carousel',
	'a carousel that snaps',
	'entries taller than their box',
];

const { site, service } = useSiteAndService(
	({ url: { pathname, search } }) => {
		const entry = search.slice(1);
		const detail = detailPages[pathname.slice(1)];
		if (detail !== undefined) return detail;
		if (pathname === '/price') {
			if (entry === `${refused}refused`) return { status: 503, body: '' };
			return entry === String(withoutPrice) ? '' : `${parseInt(entry)}.50`;
		}
		return lists[decodeURIComponent(pathname.slice(1))] ?? '<body></body>';
	},
	() => {
		const on = (name: string, steps: object[], tries = 5) =>
			task(name, steps, { page: 'browser', requestsPerHost: 16, tries });
		const open = (path: string) =>
			step('navigate', { url: `${site.baseUrl}/${encodeURIComponent(path)}` });
		const fields = { Name: 'b', Price: 'i' };
		const plain = 'another price in the window';
		const goOver = (steps: object[]) =>
			loop({ loopType: 'list', listType: 'elements', selector: 'li' }, steps);
		const tasks = [
			...Object.keys(lists).map((name) => on(name, [open(name), extract(fields, 'li')])),
			...Object.keys(lists).map((name) =>
				on(`${name}, each`, [open(name), goOver([extract(fields)])]),
			),
			on('with details', [
				open(plain),
				goOver([
					extract(fields, undefined, { emit: false }),
					step('click', { selector: 'a' }),
					extract({ Detail: 'h1' }),
				]),
			]),
			...boxes.map((name) =>
				on(`${name} by scroll`, [
					open(name),
					loop({ loopType: 'scroll', timesMode: 'all', selector: 'ul' }, [extract(fields, 'li')]),
				]),
			),
			on('entries taller than the window by scroll', [
				open('entries taller than the window'),
				loop({ loopType: 'scroll', timesMode: 'all' }, [extract(fields, 'li')]),
			]),
			on('pages', [
				open('a list by pages'),
				loop({ loopType: 'page', timesMode: 'all', selector: 'button' }, [extract(fields, 'li')]),
			]),
			on(
				'refused',
				[
					step('navigate', { url: `${site.baseUrl}/${encodeURIComponent(plain)}#refused` }),
					extract(fields, 'li'),
				],
				1,
			),
			...Object.keys(detailPages).flatMap((path) => {
				const urls = details.map((entry) => `${site.baseUrl}/${path}?${entry}`);
				return [undefined, 'body'].map((row) =>
					on(row === undefined ? path : `${path} as a row`, [
						loop({ loopType: 'list', listType: 'urlList', urls }, [
							step('navigate', { useLoopItem: true }),
							extract({ Name: 'h1', Price: '.price' }, row),
						]),
					]),
				);
			}),
		];
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

async function rowsOf(name: string) {
	const { batch, rows: read } = await cloudClient(service).run(uuidOf(name));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
	return read;
}

concurrentTestWithBrowser.each([
	...Object.keys(lists),
	...Object.keys(lists).map((name) => `${name}, each`),
])('each entry of a list is read as it is once it comes into sight: %s', async (name) => {
	expect(await rowsOf(name)).toEqual(rows);
});

concurrentTestWithBrowser('so is that of a page that comes again for each entry', async () => {
	expect(await rowsOf('with details')).toEqual(rows.map((row) => ({ ...row, Detail: row.Name })));
});

concurrentTestWithBrowser('so are those of each page that a script puts in its place', async () => {
	expect(await rowsOf('pages')).toEqual(
		numbers(0)
			.concat(numbers(count), numbers(2 * count))
			.map(rowOf),
	);
});

concurrentTestWithBrowser.each([...boxes, 'entries taller than the window'])(
	'so are those that a loop scrolls: %s',
	async (name) => {
		expect(await rowsOf(`${name} by scroll`)).toEqual(rows);
	},
);

concurrentTestWithBrowser(
	'of a list that goes on behind its last entry, that is told',
	async () => {
		const { batch } = await cloudClient(service).run(uuidOf('an endless list'));
		await service.logged({ batchID: batch.batchID, msg: 'list holds a part' });
	},
);

concurrentTestWithBrowser.each(['entries that are made then', 'entries that are made then, each'])(
	'of a list that has all its entries then, none is said to be missing: %s',
	async (name) => {
		const { batch } = await cloudClient(service).run(uuidOf(name));
		await service.logged({ batchID: batch.batchID, msg: 'batch successful' });
		const said = service.log.filter(({ batchID }) => batchID === batch.batchID);
		expect(said.filter(({ msg }) => msg === 'list holds a part')).toEqual([]);
	},
);

concurrentTestWithBrowser('a price that is refused then is told', async () => {
	const { batch, rows: read } = await cloudClient(service).run(uuidOf('refused'));
	expect(read).toEqual(
		rows.map((row, index) => (index === refused ? { ...row, Price: 'from 9' } : row)),
	);
	await service.logged({ batchID: batch.batchID, msg: 'page not whole' });
});

concurrentTestWithBrowser.each([
	...Object.keys(detailPages),
	'detail as a row',
	'detailInBox as a row',
])(
	'what comes into sight as a page is scrolled through is read, and what does not is blank: %s',
	async (name) => {
		expect(await rowsOf(name)).toEqual(
			details.map((entry) =>
				entry === withoutPrice ? { ...rowOf(entry), Price: '' } : rowOf(entry),
			),
		);
	},
);
