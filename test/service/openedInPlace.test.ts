import { useSiteAndService } from '../support/inProcess/siteAndService';
import { describeOnBothPages, testWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf, type pageKinds } from '../support/service/taskFiles';

// Clicks that change the address, and open an entry where it stands, or elsewhere on the page.

const numbers = [1, 2, 3];
const names = numbers.map((n) => ({ Name: `name ${n}`, Price: `${n}.50` }));
const entries = (inside: (n: number) => string) =>
	numbers.map((n) => `<div class="entry"><b>name ${n}</b>${inside(n)}</div>`).join('');
const opening = (inside: string) =>
	`${entries(() => '<a href="#">More</a><p></p>')}<div id="beside"></div><script>
	document.querySelectorAll('.entry').forEach((entry, index) => {
		const n = index + 1;
		entry.querySelector('a').onclick = (event) => {
			event.preventDefault();
			${inside};
		};
	});
</script>`;
const price = "'<i>' + n + '.50</i>'";

const pages: Record<string, string> = {
	'a place on the page': `<style>p { display: none } p:target { display: block }</style>${entries(
		(n) => `<a href="#of-${n}">More</a><p id="of-${n}"><i>${n}.50</i></p>`,
	)}`,
	'a place of which the second entry has none': entries(
		(n) => `<a href="#of-${n}">More</a><p id="of-${n}">${n === 2 ? '' : `<i>${n}.50</i>`}</p>`,
	),
	'another address': opening(`history.replaceState({}, '', '?open=' + n);
		entry.querySelector('p').innerHTML = ${price}`),
	'another address, a moment before what is opened, while others stay open':
		opening(`history.pushState({}, '', '/of-' + n);
		setTimeout(() => (entry.querySelector('p').innerHTML = ${price}), 400)`),
	'a panel beside the list': opening(`history.pushState({}, '', '/of-' + n);
		beside.innerHTML = '<h1>name ' + n + '</h1>' + ${price}`),
	'a page in the place of the list': opening(`history.pushState({}, '', '/of-' + n);
		const all = document.body.innerHTML;
		onpopstate = () => location.reload();
		document.body.innerHTML = '<b>name ' + n + '</b>' + ${price}`),
	...Object.fromEntries(
		Object.entries({
			'the address in the place of that of the list':
				"history.replaceState({}, '', '?' + open + '&entry=' + n)",
			'the address behind that of the list':
				"history.pushState({}, '', '?' + open + '&entry=' + n)",
			'a path of its own, and nothing for a way back': "history.pushState({}, '', '/of-' + n)",
			'a place': "location.hash = 'of-' + n",
		}).map(([name, changes]) => [
			`a list that a script has made, ${name}`,
			`<button>Show</button><main></main><div id="beside"></div><script>
	const open = location.search.slice(1);
	document.querySelector('button').onclick = () => {
		document.querySelector('main').innerHTML = ${JSON.stringify(
			entries((n) => `<a href="#" data-n="${n}">More</a>`),
		)};
		document.querySelectorAll('main a').forEach((link) => {
			link.onclick = (event) => {
				event.preventDefault();
				const { n } = link.dataset;
				${changes};
				beside.innerHTML = '<h1>name ' + n + '</h1>' + ${price};
			};
		});
	};
</script>`,
		]),
	),
	'dialogs in the entries, of which the place shows one': `<style>
		.dialog { display: none } .dialog:target { display: block; position: fixed }
	</style>${entries(
		(n) => `<a href="#of-${n}">More</a><div class="dialog" id="of-${n}"><i>${n}.50</i></div>`,
	)}`,
	'dialogs below the entries, with a price that is never shown': `<style>
		.dialog { display: none } .dialog:target { display: block }
	</style>${numbers
		.map(
			(n) =>
				`<div class="entry"><b>name ${n}</b><a href="#of-${n}">More</a></div><section><div class="dialog" id="of-${n}">${n}<div hidden><i>${n}.50</i></div></div></section>`,
		)
		.join('')}`,
	'panels below the entries, closed by the rows of a grid': `<style>
		.panel { display: grid; grid-template-rows: 0fr } .panel p { overflow: hidden; margin: 0 }
		.panel:target { grid-template-rows: 1fr }
	</style>${numbers
		.map(
			(n) =>
				`<div class="entry"><b>name ${n}</b><a href="#of-${n}">More</a></div><div class="panel" id="of-${n}"><p><i>${n}.50</i></p></div>`,
		)
		.join('')}`,
	lists: entries(
		(n) => `<a href="#of-${n}">More</a><ul id="of-${n}">${'<li><i>x</i></li>'.repeat(n)}</ul>`,
	),
};

/** What stands elsewhere is read from the page, and the name from the entry. */
const priceOfPage = [extract({ Price: ':root i' })];
const steps: Record<string, object[]> = {
	'dialogs in the entries, of which the place shows one': priceOfPage,
	'dialogs below the entries, with a price that is never shown': priceOfPage,
	'panels below the entries, closed by the rows of a grid': priceOfPage,
	'a panel beside the list': [extract({ Name: 'h1', Price: 'i' })],
	lists: [
		loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [extract({ Price: 'i' })]),
	],
};
/** What makes the list. */
const before = (name: string) =>
	/^a list that a script/.test(name) ? [step('click', { selector: 'button' })] : [];
const isBeside = (name: string) => before(name).length > 0;
const nameOf = (page: string, name: string) => `${name} on ${page}`;

const { site, service } = useSiteAndService(
	({ url: { search } }) =>
		pages[decodeURIComponent(search.slice(1))] ?? 'a page that was not asked for',
	() => {
		const on = (page: (typeof pageKinds)[number], name: string) =>
			task(
				nameOf(page, name),
				[
					step('navigate', { url: `${site.baseUrl}/?${encodeURIComponent(name)}` }),
					...before(name),
					loop({ loopType: 'list', listType: 'elements', selector: '.entry' }, [
						...(name === 'lists' || steps[name] === priceOfPage
							? [extract({ Name: 'b' }, undefined, { emit: false })]
							: []),
						step('click', { selector: 'a' }),
						...(steps[isBeside(name) ? 'a panel beside the list' : name] ?? [
							extract({ Name: 'b', Price: 'i' }),
						]),
					]),
				],
				{ page },
			);
		const tasks = Object.keys(pages).flatMap((name) => [on('browser', name), on('http', name)]);
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

async function read(page: string, name: string) {
	const { rows } = await cloudClient(service).run(uuidOf(nameOf(page, name)));
	return rows;
}

describeOnBothPages('What a click on an entry opens on its page is read there, on', (page) => {
	test('behind a link to it', async () => {
		expect(await read(page, 'a place on the page')).toEqual(names);
	});

	test('and is not taken from another entry', async () => {
		const [first, , third] = names;
		expect(await read(page, 'a place of which the second entry has none')).toEqual([
			first,
			{ Name: 'name 2', Price: '' },
			third,
		]);
	});

	test('with a list of its own', async () => {
		expect(await read(page, 'lists')).toEqual(
			numbers.flatMap((n) => Array.from({ length: n }, () => ({ Name: `name ${n}`, Price: 'x' }))),
		);
	});
});

testWithBrowser.each([
	'another address',
	'another address, a moment before what is opened, while others stay open',
	'a panel beside the list',
	'a page in the place of the list',
	'dialogs in the entries, of which the place shows one',
	'dialogs below the entries, with a price that is never shown',
	'panels below the entries, closed by the rows of a grid',
	'a list that a script has made, the address in the place of that of the list',
	'a list that a script has made, the address behind that of the list',
	'a list that a script has made, a path of its own, and nothing for a way back',
	'a list that a script has made, a place',
])('what a script opens with %s is read', async (name) => {
	expect(await read('browser', name)).toEqual(names);
});

test('nobody is asked for a place on an http page', async () => {
	const asked = () => site.requests.length;
	const before = asked();
	await read('http', 'a place on the page');
	expect(asked() - before).toBe(1);
});
