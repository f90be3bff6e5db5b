import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Pages that keep their list, hidden, while they show one of its entries at an address of its own: what stands in the list
// is not read then, whatever it is called.

const entries = [1, 2, 3];
const cards = entries
	.map(
		(entry) =>
			`<div class="card"><a href="/p/${entry}">entry ${entry}</a><b>${entry}.00</b><i>old ${entry}</i></div>`,
	)
	.join('');

/** How the list is hidden, and how its entry gets an address. */
const ways = {
	'by an attribute': { hide: 'view.hidden = isOff', to: 'history.pushState(0, 0, to)' },
	'by a style': {
		hide: `view.style.setProperty('display', isOff ? 'none' : '', 'important')`,
		to: 'history.pushState(0, 0, to)',
	},
	'by a class': { hide: `view.classList.toggle('off', isOff)`, to: 'history.pushState(0, 0, to)' },
	'by its visibility': {
		hide: `view.style.visibility = isOff ? 'hidden' : ''`,
		to: 'history.pushState(0, 0, to)',
	},
	'as it slides aside': {
		hide: `view.style.transform = isOff ? 'translateX(-100vw)' : ''`,
		to: 'history.pushState(0, 0, to)',
	},
	'behind a fragment': { hide: 'view.hidden = isOff', to: `location.hash = to` },
};

/** Its heading and its list are hidden one by one, as React's Activity does. */
const pageOf = ({
	hide,
	to,
}: {
	hide: string;
	to: string;
}) => `<style>.off { display: none }</style>
	<main><h1>All</h1><div id="list">${cards}</div><section id="entry"></section></main><script>
	const [heading, list, shown] = document.querySelectorAll('h1, #list, #entry');
	const hide = (view, isOff) => { ${hide}; };
	const show = async (entry) => {
		for (const view of [heading, list]) hide(view, entry !== undefined);
		hide(shown, entry === undefined);
		shown.innerHTML = '';
		if (entry === undefined) return;
		const price = await (await fetch('/price?' + entry)).text();
		shown.innerHTML = '<h1>entry ' + entry + '</h1><b>' + price + '</b>' +
			['a', 'b'].map((like) => '<div class="card"><i>like ' + entry + like + '</i></div>').join('');
	};
	const entryNow = () => /p\\/(\\d)/.exec(location.href)?.[1];
	onpopstate = () => show(entryNow());
	for (const link of document.links) link.onclick = () => {
		const to = link.getAttribute('href');
		${to};
		show(entryNow());
		return false;
	};
</script>`;

const rooms = ['garden', 'office'];
/** A pane for each tab, made when it is shown first, and kept hidden behind that; that of the start has no tab. */
const panes = `<nav>${rooms.map((room) => `<a href="/panes/${room}">${room}</a>`).join('')}</nav><main></main><script>
	const show = () => {
		const [, room] = /panes.(.*)/.exec(location.pathname);
		if (!document.getElementById(room)) {
			document.querySelector('main').insertAdjacentHTML('beforeend', '<section id="' + room + '"><h2>The ' + room +
				'</h2><p>' + room + ' a</p><p>' + room + ' b</p></section>');
		}
		for (const pane of document.querySelectorAll('section')) pane.hidden = pane.id !== room;
	};
	show();
	onpopstate = () => show();
	for (const link of document.links) link.onclick = () => {
		history.pushState(0, 0, link.href);
		show();
		return false;
	};
</script>`;

const { site, service } = useSiteAndService(
	({ url: { pathname, search } }) => {
		if (pathname === '/price') return `${search.slice(1)}.50`;
		if (pathname.startsWith('/panes/')) return panes;
		const way = ways[decodeURIComponent(pathname.slice(1)) as keyof typeof ways];
		return way ? pageOf(way) : { status: 404 };
	},
	() => {
		const click = step('click', { selector: 'a' });
		const each = (name: string, kind: string, ...steps: object[]) =>
			task(
				`${kind} ${name}`,
				[
					step('navigate', { url: `${site.baseUrl}/${encodeURIComponent(name)}` }),
					loop({ loopType: 'list', listType: 'elements', selector: '#list .card' }, steps),
				],
				{ page: 'browser', requestsPerHost: 8 },
			);
		const likes = loop({ loopType: 'list', listType: 'elements', selector: '.card' }, [
			extract({ Like: 'i' }),
		]);
		const tasks = Object.keys(ways).flatMap((name) => [
			each(name, 'one', click, extract({ Name: 'h1', Price: 'b' })),
			each(name, 'all', click, extract({ Name: 'h1', Prices: { selector: 'b', all: true } })),
			each(
				name,
				'rows',
				extract({ Old: 'i' }, undefined, { emit: false }),
				click,
				extract({ Like: 'i' }, '.card'),
			),
			each(name, 'loop', click, likes),
		]);
		for (const [name, read] of Object.entries({
			rows: extract({ Text: {} }, 'p'),
			title: extract({ Title: 'h2' }),
		})) {
			const overTabs = loop({ loopType: 'list', listType: 'elements', selector: 'nav a' }, [
				step('click', { useLoopItem: true }),
				read,
			]);
			const open = step('navigate', { url: `${site.baseUrl}/panes/home` });
			tasks.push(task(`panes ${name}`, [open, overTabs], { page: 'browser' }));
		}
		return { tasks: Object.fromEntries(tasks.map((content) => [content.taskID, content])) };
	},
);

const likesOf = (entry: number) => ['a', 'b'].map((like) => ({ Like: `like ${entry}${like}` }));
const wanted: Record<string, object[]> = {
	one: entries.map((entry) => ({ Name: `entry ${entry}`, Price: `${entry}.50` })),
	all: entries.map((entry) => ({ Name: `entry ${entry}`, Prices: `${entry}.50` })),
	rows: entries.flatMap((entry) =>
		likesOf(entry).map((like) => ({ Old: `old ${entry}`, ...like })),
	),
	loop: entries.flatMap(likesOf),
};

concurrentTestWithBrowser.each(
	Object.keys(ways).flatMap((name) => Object.keys(wanted).map((kind) => [name, kind] as const)),
)('of a list that is hidden %s nothing is read behind a click: %s', async (name, kind) => {
	const { batch, rows } = await cloudClient(service).run(uuidOf(`${kind} ${name}`));
	expect(rows).toEqual(wanted[kind]);
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
});

concurrentTestWithBrowser(
	'panes of tabs at addresses of their own are read by themselves',
	async () => {
		const { rows } = await cloudClient(service).run(uuidOf('panes rows'));
		expect(rows.map(({ Text }) => Text)).toEqual(
			rooms.flatMap((room) => [`${room} a`, `${room} b`]),
		);
		const titles = (await cloudClient(service).run(uuidOf('panes title'))).rows;
		expect(titles.map(({ Title }) => Title)).toEqual(rooms.map((room) => `The ${room}`));
	},
);
