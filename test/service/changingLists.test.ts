import { setTimeout as sleep } from 'node:timers/promises';
import { sample } from '../support/length';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Loops in a browser over elements of lists that are not the same each time: an element is what it was when the loop began.

const entry = (name: string) =>
	`<div><h2>${name}</h2><a href="/item?${encodeURIComponent(name)}">more</a></div>`;
const equal = '<div><h2>same</h2><a href="/item?same">more</a></div>';
const five = ['1', '2', '3', '4', '5'];
const words = ['red', 'blue', 'green', 'white', 'black'];
const entries = (names: string[]) => names.map(entry).join('');

/** What a list shows at each visit, from the first one on. */
const lists: Record<string, (visit: number) => string> = {
	still: () => entries(five),
	growing: (visit) =>
		entries([...Array.from({ length: visit + 1 }, (_, index) => `new ${visit - index}`), ...five]),
	advert: (visit) => entries(visit % 2 === 0 ? ['advert', ...five] : five),
	reshuffled: (visit) => entries([...five.slice(visit % 5), ...five.slice(0, visit % 5)]),
	equal: (visit) => (visit === 0 ? '' : entry('new')) + equal + entry('1') + equal + entry('2'),
	// Only the address, and then only the text, stays what it was.
	'with new texts': (visit) =>
		five.map((name) => entry(name).replace('</h2>', ` seen ${visit + 1} times</h2>`)).join(''),
	'with new addresses': (visit) =>
		five
			.toReversed()
			.map((name) => entry(name).replace('">', `&visit=${visit}">`))
			.join(''),
	'in another order with new addresses': (visit) =>
		[...five.slice(visit % 5), ...five.slice(0, visit % 5)]
			.map((name) => entry(name).replace('">', `&visit=${visit}">`))
			.join(''),
	'in another order with new addresses and numbers': (visit) =>
		[...words.slice(visit % 5), ...words.slice(0, visit % 5)]
			.map((name) => entry(name).replace('">', `&visit=${visit}">`))
			.map((each) => each.replace('</h2>', ` seen ${visit + 1} times</h2>`))
			.join(''),
	/** Nothing tells the links from each other: what is beside them is in no element with them alone. */
	'of bare links': (visit) =>
		`<div>${five.map((name) => `<h2>${name}</h2><a href="/item?${name}&visit=${visit}">more</a>`).join('')}</div>`,
	/** The third entry is gone from the second visit on. */
	shrinking: (visit) => entries(visit === 0 ? five : five.filter((name) => name !== '3')),
};

const eachEntry = (selector: string, ...steps: object[]) =>
	loop({ loopType: 'list', listType: 'elements', selector }, steps);
const name = extract({ Name: 'h2' }, undefined, { emit: false });
const detail = extract({ Detail: 'p' });
const ways = {
	navigate: eachEntry('div', name, step('navigate', { useLoopItem: true }), detail),
	'navigate at once': eachEntry('div', step('navigate', { useLoopItem: true }), detail),
	click: eachEntry('div', name, step('click', { selector: 'a' }), detail),
	'click the item': eachEntry('div a', step('click', { useLoopItem: true }), detail),
};

/** A list that a script writes anew with each click, where it was. */
const rewritten = (row: string, after: string) => `<main></main><script>
	const write = (change) => {
		document.querySelector('main').innerHTML = '';
		${after}
	};
	const row = ${row};
	write();
</script>`;
const scripts: Record<string, string> = {
	/** The text of the one that was clicked is another one afterwards. */
	'/toggles': rewritten(
		`(open) => '<div><button>' + (open ? 'open' : 'closed') + '</button></div>'`,
		`for (let at = 0; at < 4; at += 1) {
			document.querySelector('main').insertAdjacentHTML('beforeend', row(at === change));
			document.querySelector('main').lastChild.onclick = () => write(at);
		}`,
	),
	/** Each click brings another one on top. */
	'/live': rewritten(
		`(at) => '<div><button>' + at + '</button></div>'`,
		`for (let at = write.top = (write.top ?? 3) + 1; at > 0; at -= 1) {
			document.querySelector('main').insertAdjacentHTML('beforeend', row(at));
			document.querySelector('main').lastChild.onclick = () => write();
		}`,
	),
	/** What was clicked shows more, and goes on top: by its name, and where all have the same, by what it is. */
	'/raised': raised((at) => `<div><button>${at}</button>`),
	'/raisedAlike': raised((at) => `<div data-id="${at}"><button>show</button>`),
	/** Their places and counts stand in them: the one that begins as another did is not that. */
	'/ranked': raised(() => `<div><i>#RANK</i> <b>NAME</b> <button>show</button>`),
	'/rankedById': raised((at) => `<div data-id="${at}"><i>#RANK</i> <button>show</button>`),
};

/** A list whose clicks bring the details of each entry, after a while, into a panel beside it. */
const panel = `<main>${five.map((at) => `<div><h2>${at}</h2><button>show</button></div>`).join('')}</main>
<aside></aside><script>
	for (const button of document.querySelectorAll('button')) {
		button.onclick = async () => {
			const detail = await (await fetch('/late?' + button.previousSibling.textContent)).text();
			document.querySelector('aside').innerHTML = detail + '<ul><li>one</li><li>two</li></ul>';
		};
	}
</script>`;

/** A list whose clicks bring the details of each entry in its own place, from where a button leads back. */
const inPlace = `<main></main><script>
	const main = document.querySelector('main');
	const list = () => {
		main.innerHTML = ${JSON.stringify(five)}.map((at) => '<div><h2>' + at + '</h2></div>').join('');
		for (const entry of main.children) entry.onclick = () => {
			main.innerHTML = '<p>' + entry.textContent + '</p><button>Back</button>';
			main.querySelector('button').onclick = list;
		};
	};
	list();
</script>`;

/** A list of four whose clicked one comes to stand first, with its detail. */
function raised(begin: (at: string) => string): string {
	return rewritten(
		`(at) => ${JSON.stringify(begin('AT'))}.replaceAll('AT', at) + (write.open?.has(at) ? '<p>of ' + at + '</p>' : '') + '</div>'`,
		`write.open ??= new Set();
		write.order ??= [1, 2, 3, 4];
		const names = ['', 'Pro', 'Pro Max', 'Pro Max 2', 'Pro Mini'];
		if (change) {
			write.open.add(change);
			write.order = [change, ...write.order.filter((at) => at !== change)];
		}
		for (const at of write.order) {
			const rank = write.order.indexOf(at) + 1;
			document.querySelector('main').insertAdjacentHTML('beforeend', row(at).replace('RANK', rank).replace('NAME', names[at]));
			document.querySelector('main').lastChild.onclick = () => write(at);
		}`,
	);
}

const tasksOn = (base: string) => {
	const list = (name: string, path: string, steps: object) =>
		task(name, [step('navigate', { url: `${base}${path}` }), steps], {
			page: 'browser',
			requestsPerHost: 8,
		});
	const tasks = [
		...Object.keys(lists).flatMap((kind) =>
			Object.entries(ways).map(([way, steps]) =>
				list(`${kind} by ${way}`, `/list?${kind}&${way}`, steps),
			),
		),
		...Object.keys(scripts).map((path) =>
			list(
				path,
				path,
				eachEntry('div', step('click', { selector: 'button' }), extract({ Text: {} })),
			),
		),
		list(
			'in place',
			'/inPlace',
			eachEntry(
				'div',
				name,
				step('click', { useLoopItem: true }),
				extract({ Detail: { selector: ':root p' } }),
				step('click', { selector: ':root button' }),
			),
		),
		list(
			'panel',
			'/panel',
			eachEntry(
				'div',
				step('click', { selector: 'button' }),
				extract({ Name: 'h2', Detail: { selector: ':root aside p' } }, undefined, { emit: false }),
				extract({ Text: {} }, ':root aside li'),
			),
		),
	];
	return Object.fromEntries(tasks.map((each) => [each.taskID, each]));
};

let site: Site;
let service: RunningService;
let client: CloudClient;
/** How often the list of each task was asked for. */
const visits = new Map<string, number>();

beforeAll(async () => {
	site = await startSite(async ({ url }) => {
		const [said = ''] = decodeURIComponent(url.search.slice(1)).split('&');
		if (url.pathname === '/panel') return panel;
		if (url.pathname === '/inPlace') return inPlace;
		if (url.pathname === '/late') return sleep(500, `<p>${said}</p>`);
		if (url.pathname === '/item') return `<p>${said}</p>`;
		const visit = visits.get(url.search) ?? 0;
		visits.set(url.search, visit + 1);
		return scripts[url.pathname] ?? lists[said]?.(visit) ?? { status: 404 };
	});
	service = await startService({ tasks: tasksOn(site.baseUrl) });
	client = cloudClient(service);
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

/** What each list shows at the first visit. */
const wanted: Record<string, string[]> = {
	growing: ['new 0', ...five],
	advert: ['advert', ...five],
	equal: ['same', '1', 'same', '2'],
	'with new addresses': five.toReversed(),
	'in another order with new addresses and numbers': words,
};

const allRead = Object.keys(lists).filter((kind) => !['shrinking', 'of bare links'].includes(kind));
for (const [index, way] of Object.keys(ways).entries()) {
	concurrentTestWithBrowser.for(sample(allRead, index))(
		`each entry of a list is read once, by ${way}: %s`,
		async (kind) => {
			const { rows } = await client.run(uuidOf(`${kind} by ${way}`));
			expect(rows.map(({ Detail: read }) => read)).toEqual(wanted[kind] ?? five);
			// What stood in the list is of the same entry.
			for (const { Name: read, Detail: same } of rows) {
				if (read !== undefined) expect(read.replace(/ seen.*/, '')).toBe(same);
			}
		},
	);
}

concurrentTestWithBrowser('an entry that is gone fails by its name, and no other one', async () => {
	const { rows, batch } = await client.run(uuidOf('shrinking by click'));
	expect(rows.map(({ Name: read }) => read)).toEqual(['1', '2', '4', '5']);
	const { batchID } = batch;
	const reason = 'Element 3 of div ("3 more") is not on the page any more.';
	await service.logged({ batchID, msg: 'page failed, skipped', reason });
	await service.logged({ batchID, msg: 'batch successful', failedPages: 1 });
});

concurrentTestWithBrowser('a link that nothing tells from others fails', async () => {
	const { rows, batch } = await client.run(uuidOf('of bare links by click the item'));
	expect(rows.map(({ Detail: read }) => read)).toEqual(['1']);
	const { batchID } = batch;
	const reason = 'Element 5 of div a ("more") is not on the page any more.';
	await service.logged({ batchID, msg: 'page failed, skipped', reason });
	await service.logged({ batchID, msg: 'batch successful', failedPages: 4 });
});

concurrentTestWithBrowser(
	'an entry that is gone is read where nothing but its address is needed',
	async () => {
		const { rows } = await client.run(uuidOf('shrinking by navigate at once'));
		expect(rows.map(({ Detail: read }) => read)).toEqual(five);
	},
);

concurrentTestWithBrowser('what a click writes beside the list is read from there', async () => {
	const { rows } = await client.run(uuidOf('panel'));
	const read = rows.map(({ Name: name, Detail: detail, Text: text }) => [name, detail, text]);
	expect(read).toEqual(five.flatMap((at) => ['one', 'two'].map((text) => [at, at, text])));
});

concurrentTestWithBrowser('an element that a click changes is the one in its place', async () => {
	const { rows } = await client.run(uuidOf('/toggles'));
	expect(rows.map(({ Text: read }) => read)).toEqual(['open', 'open', 'open', 'open']);
});

concurrentTestWithBrowser('a list that scripts write anew keeps its entries apart', async () => {
	const { rows } = await client.run(uuidOf('/live'));
	expect(rows.map(({ Text: read }) => read)).toEqual(['4', '3', '2', '1']);
});

concurrentTestWithBrowser.for([
	['/raised', 'N of N'],
	['/raisedAlike', 'show of N'],
	['/ranked', 'of N'],
	['/rankedById', 'of N'],
])('an entry that its click changes and moves stays that entry: %s', async ([path, said]) => {
	const { rows } = await client.run(uuidOf(path));
	const expected = ['1', '2', '3', '4'].map((at): unknown =>
		expect.stringMatching(new RegExp(`${said.replaceAll('N', at)}$`)),
	);
	expect(rows.map(({ Text: read }) => read)).toEqual(expected);
});

concurrentTestWithBrowser(
	'what counts from the page is read where it has taken the place of an entry',
	async () => {
		const { rows } = await client.run(uuidOf('in place'));
		expect(rows).toEqual(five.map((read) => ({ Name: read, Detail: read })));
	},
);
