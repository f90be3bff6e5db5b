import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser, describeOnBothPages } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Entries that lead to another page than their own: they are gone, or a session has ended.

const entries = [1, 2, 3, 4, 5, 6];
const linksOf = (path: string) =>
	entries.map((entry) => `<li><a href="${path}?${entry}">entry ${entry}</a></li>`).join('');

/** An app that puts the page of an entry in the place of its own, as Turbo does, whatever its status. */
const drivenPage = `<body>${linksOf('/driven')}<script>
	addEventListener('click', async (event) => {
		event.preventDefault();
		const { href } = event.target;
		const html = await (await fetch(href)).text();
		history.pushState(0, '', href);
		document.body.innerHTML = html;
	});
	addEventListener('popstate', () => location.reload());
</script></body>`;

/** One popover for all entries, which a press on its button shuts, too. */
const popoverPage = `<body>${entries
	.map((entry) => `<button popovertarget="shown" value="${entry}">${entry}</button>`)
	.join('')}<div id="shown" popover><h1></h1></div><script>
	for (const button of document.querySelectorAll('button')) button.onclick = () =>
		(document.querySelector('h1').textContent = 'entry ' + button.value);
</script></body>`;

/** An app shows a form to log in, where its data is refused; and that an entry is gone, and no price of it. */
const appPage = `<body>${entries.map((entry) => `<button>${entry}</button>`).join('')}<h1></h1><i></i><script>
	for (const button of document.querySelectorAll('button')) button.onclick = async () => {
		const answer = await fetch('/data' + location.search + '&' + button.textContent);
		const [heading, price] = [document.querySelector('h1'), document.querySelector('i')];
		heading.textContent = answer.ok ? await answer.text() : answer.status;
		price.textContent = answer.ok || answer.status === 401 ? '1.50' : '';
	};
</script></body>`;

const { site, service } = useSiteAndService(
	({ url: { pathname, search } }) => {
		const entry = Number(search.slice(1));
		if (pathname === '/app') return appPage;
		if (pathname === '/popover') return popoverPage;
		if (pathname === '/driven' && search === '') return drivenPage;
		if (pathname === '/driven' && entry === 4) return { status: 404, body: '<h1>Not found</h1>' };
		if (pathname === '/data') {
			const [, status = '', of] = /^\?(\d+)&(\d)$/.exec(search) ?? [];
			return Number(of) < 3 ? { body: `entry ${of}` } : { status: Number(status) };
		}
		if (pathname === '/list') return `<h1>All</h1>${linksOf('/entry')}`;
		if (pathname === '/members') return `<h1>All</h1>${linksOf('/member')}`;
		if (pathname === '/chosen') return { status: 302, headers: { location: '/currencies' } };
		if (pathname === '/currencies')
			return `<h1>All</h1>${entries.map((entry) => `<form method="post" action="/chosen"><button>${entry}</button></form>`).join('')}`;
		if (pathname === '/login') return '<h1>Log in</h1>';
		if (pathname === '/entry' && entry === 2)
			return { status: 302, headers: { location: '/list' } };
		if (pathname === '/entry' && entry === 3)
			return { status: 302, headers: { location: '/entry?5' } };
		if (pathname === '/member' && entry > 2)
			return { status: 302, headers: { location: `/login?next=${entry}` } };
		return `<h1>entry ${entry}</h1>`;
	},
	() => {
		const open = step('navigate', { useLoopItem: true });
		const click = step('click', { useLoopItem: true });
		const of = (selector: string, steps: object[]) =>
			loop({ loopType: 'list', listType: 'elements', selector }, steps);
		const on = (id: string, path: string, { page, loop: each }: { page: string; loop: object }) =>
			task(id, [step('navigate', { url: `${site.baseUrl}/${path}` }), each], { page });
		const heading = extract({ Name: 'h1' });
		const tasks = ['http', 'browser'].flatMap((page) =>
			['list', 'members'].flatMap((path) => [
				on(`${path} opened ${page}`, path, { page, loop: of('a', [open, heading]) }),
				on(`${path} clicked ${page}`, path, { page, loop: of('a', [click, heading]) }),
			]),
		);
		for (const page of ['http', 'browser']) {
			const inList = of('button', [click, extract({ Name: ':root h1' })]);
			tasks.push(on(`currencies ${page}`, 'currencies', { page, loop: inList }));
		}
		const inApp = of('button', [click, extract({ Name: ':root h1', Price: ':root i' })]);
		const inPopover = of('button', [click, extract({ Name: ':root h1' })]);
		tasks.push(
			on('app 401', 'app?401', { page: 'browser', loop: inApp }),
			on('app 404', 'app?404', { page: 'browser', loop: inApp }),
			on('driven', 'driven', { page: 'browser', loop: of('a', [click, heading]) }),
			on('popover', 'popover', { page: 'browser', loop: inPopover }),
		);
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

async function toldOf(name: string, msg: string) {
	const { batch } = await cloudClient(service).run(uuidOf(name));
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
	return service.log
		.filter((line) => line.batchID === batchID && line.msg === msg)
		.map(({ url, reason }) => ({ path: String(url).replace(site.baseUrl, ''), reason }));
}

describeOnBothPages('on a page of kind', (page) => {
	test.each(['opened', 'clicked'])(
		'entries that lead to a page of its own are told: %s',
		async (how) => {
			const told = await toldOf(`list ${how} ${page}`, 'page redirected to another one');
			const by = (entry: number) =>
				expect.stringContaining(`/entry?${entry} leads to this page`) as unknown;
			expect(told).toEqual([
				{ path: '/list', reason: by(2) },
				{ path: '/entry?5', reason: by(3) },
			]);
		},
	);

	test('a form that leads back to its page is no entry', async () => {
		expect(await toldOf(`currencies ${page}`, 'page redirected to another one')).toEqual([]);
	});

	test.each(['opened', 'clicked'])('a session that ends is told: %s', async (how) => {
		const told = await toldOf(`members ${how} ${page}`, 'pages redirected to one address');
		expect(told.map(({ path }) => path)).toEqual(['/login']);
	});
});

concurrentTestWithBrowser.each(['401', '404'])(
	'so is an entry whose data a page is refused: %s',
	async (status) => {
		const told = await toldOf(`app ${status}`, 'step not answered');
		expect(told).toHaveLength(entries.length - 2);
	},
);

concurrentTestWithBrowser('so is one of which a page has come that says so', async () => {
	const told = await toldOf('driven', 'step not answered');
	expect(told).toEqual([
		{
			path: '/driven?4',
			reason: expect.stringContaining('/driven?4 could not be opened') as unknown,
		},
	]);
});

concurrentTestWithBrowser('a popover that all entries share is shut before the next', async () => {
	const { rows } = await cloudClient(service).run(uuidOf('popover'));
	expect(rows).toEqual(entries.map((entry) => ({ Name: `entry ${entry}` })));
});
