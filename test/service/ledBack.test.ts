import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Loops by page whose "next" leads to another page than it names: sites send a visitor whom they have forgotten to the
// first page, and scripts that do not get their data open their page anew.

const asked = new Map<string, number>();
/** How often that was asked for, with this time. */
const count = (what: string) => {
	const times = (asked.get(what) ?? 0) + 1;
	asked.set(what, times);
	return times;
};

/** Whose page `page` fails: at first, or always. */
const lists = {
	'sends back from page 2': { path: '/links', page: 2 },
	'sends back from page 3': { path: '/links', page: 3 },
	'opens itself anew on page 1': { path: '/scripts', page: 2 },
	'opens itself anew on page 2': { path: '/scripts', page: 3 },
};

const scripts = (search: string) => `<p></p><button class="next">Next</button><script>
	const [shown, next] = ['p', '.next'].map((each) => document.querySelector(each));
	const show = async (page) => {
		const answer = await fetch('/data${search}&page=' + page);
		if (!answer.ok || !(await answer.text())) return location.reload();
		shown.textContent = page;
		next.hidden = page === 4;
		next.onclick = () => show(page + 1);
	};
	show(1);
</script>`;

/** A list that scrolling adds to: where it does not get its data, it opens its page anew. */
const scrolled = `<style>li { height: 240px }</style><ul></ul><script>
	let page = 0;
	let isBusy = false;
	const more = async () => {
		if (isBusy || page === 4) return;
		isBusy = true;
		const answer = await fetch('/data?of=scrolled&fails=3&page=' + (page + 1));
		if (!answer.ok) return location.reload();
		page += 1;
		const items = [1, 2, 3].map((n) => '<li>' + page + '-' + n + '</li>').join('');
		document.querySelector('ul').insertAdjacentHTML('beforeend', items);
		isBusy = false;
	};
	addEventListener('scroll', () => innerHeight + scrollY > document.body.scrollHeight - 300 && more());
	more();
</script>`;

/** Panels beside a list: the second click on "next" is not heard. */
const deaf = `<ul></ul><div></div><button class="next">Next</button><script>
	const [list, panel, next] = ['ul', 'div', '.next'].map((each) => document.querySelector(each));
	let [page, clicks] = [0, 0];
	const show = () => {
		page += 1;
		list.innerHTML = [1, 2].map((n) => '<li><b>' + page + n + '</b><button>Open</button></li>').join('');
		for (const each of list.children)
			each.lastChild.onclick = () => (panel.textContent = 'about ' + each.firstChild.textContent);
		next.hidden = page === 3;
	};
	next.onclick = () => ++clicks !== 2 && show();
	show();
</script>`;

/** Months whose days are alike: the times of a day are shown when it is clicked, and those of the first day at once. */
const months = `<h2></h2><ul></ul><div></div><button class="next">Next</button><script>
	const [title, list, panel, next] = ['h2', 'ul', 'div', '.next'].map((each) => document.querySelector(each));
	let month = 0;
	const show = () => {
		month += 1;
		const open = (day) => (panel.textContent = month + '-' + day);
		title.textContent = 'month ' + month;
		list.innerHTML = [1, 2].map((day) => '<li>' + day + '</li>').join('');
		for (const each of list.children) each.onclick = () => open(each.textContent);
		next.hidden = month === 5;
		open(1);
	};
	next.onclick = show;
	show();
</script>`;

/** Pages made by a script, of which the second reads as the first. */
const ratings = `<p></p><button class="next">Next</button><script>
	const pages = [1, 1, 2, 3, 4];
	const next = document.querySelector('.next');
	const show = () => (document.querySelector('p').textContent = pages.shift() + ' of 5');
	next.onclick = show;
	show();
</script>`;

/** Pages of which nothing differs but the address. */
const pushed = `<p>1 of 5</p><button class="next">Next</button><script>
	let page = 1;
	document.querySelector('.next').onclick = () => history.pushState(null, '', '?page=' + (page += 1));
</script>`;

/** A button opens its page anew, which asks for something that it never gets. */
const anew = `<p></p><button>Anew</button><script>
	document.querySelector('p').textContent = sessionStorage.times = Number(sessionStorage.times ?? 0) + 1;
	document.querySelector('button').onclick = () => location.reload();
	fetch('/refused');
</script>`;

const kinds = (path: string) => (path === '/links' ? ['http', 'browser'] : ['browser']);
const cases = Object.entries(lists).flatMap(([name, { path, page }]) =>
	kinds(path).map((kind) => ({ name, path, page, kind })),
);
const eachPage = (...steps: object[]) =>
	loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, steps);

const { site, service } = useSiteAndService(
	({ url }) => {
		const { pathname, search, searchParams } = url;
		if (pathname === '/deaf') return deaf;
		if (pathname === '/months') return months;
		if (pathname === '/scrolled') return scrolled;
		if (pathname === '/pushed') return pushed;
		if (pathname === '/anew') return anew;
		if (pathname === '/refused') return { status: 503 };
		if (pathname === '/ratings') return ratings;
		const page = Number(searchParams.get('page') ?? 1);
		const isRefused =
			page === Number(searchParams.get('fails')) &&
			(count(search) === 1 || searchParams.has('always'));
		searchParams.delete('page');
		const own = searchParams.toString();
		if (pathname === '/data') {
			if (!searchParams.has('empty')) return isRefused ? { status: 500 } : '{}';
			// No JSON: where that has come before, it is refused data if nothing comes, once the browser hands that over.
			return isRefused ? '' : 'shown';
		}
		if (pathname === '/scripts') return scripts(search);
		if (isRefused) return { status: 302, headers: { location: `/links?${own}` } };
		const next = `<a class="next" href="?${own}&page=${page + 1}">Next</a>`;
		return `<p>${page}</p>${page < 4 ? next : ''}`;
	},
	() => {
		const tasks = cases.flatMap(({ name, path, page, kind }) =>
			['', '&always=1'].map((always) => {
				const url = `${site.baseUrl}${path}?of=${kind}&fails=${page}${always}`;
				const steps = [step('navigate', { url }), eachPage(extract({ Text: 'p' }))];
				return task(`${name} ${kind}${always}`, steps, { page: kind });
			}),
		);
		const entries = loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
			extract({ Name: 'b' }, undefined, { emit: false }),
			step('click', { selector: 'button' }),
			extract({ About: ':root div' }),
		]);
		const steps = [step('navigate', { url: `${site.baseUrl}/deaf` }), eachPage(entries)];
		tasks.push(task('panels', steps, { page: 'browser' }));
		const three = loop({ loopType: 'page', selector: '.next', timesMode: 'custom', times: 3 }, [
			extract({ Text: 'p' }),
		]);
		const first = step('navigate', { url: `${site.baseUrl}/ratings` });
		tasks.push(task('three ratings', [first, three], { page: 'browser' }));
		const fails = `${site.baseUrl}/scripts?of=count&fails=3`;
		const four = loop({ loopType: 'count', times: 4 }, [
			extract({ Text: 'p' }),
			step('click', { selector: '.next' }),
		]);
		tasks.push(task('counted', [step('navigate', { url: fails }), four], { page: 'browser' }));
		const empty = step('navigate', { url: `${site.baseUrl}/scripts?of=empty&fails=3&empty=1` });
		tasks.push(task('counted, with an empty answer', [empty, four], { page: 'browser' }));
		const own = extract({ Text: 'p', Url: { source: 'pageUrl' } });
		const start = step('navigate', { url: `${site.baseUrl}/pushed` });
		tasks.push(task('pushed', [start, eachPage(own)], { page: 'browser' }));
		const whole = loop({ loopType: 'scroll', timesMode: 'all' }, [extract({ Text: {} }, 'li')]);
		const top = step('navigate', { url: `${site.baseUrl}/scrolled` });
		tasks.push(task('scrolled', [top, whole], { page: 'browser' }));
		const opened = [
			step('navigate', { url: `${site.baseUrl}/anew` }),
			step('click', { selector: 'button' }),
			extract({ Text: 'p' }),
		];
		tasks.push(task('opened anew', opened, { page: 'browser', tries: 2 }));
		const inDays = loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
			extract({ Month: ':root h2', Day: {} }),
		]);
		const begin = step('navigate', { url: `${site.baseUrl}/months` });
		tasks.push(task('months in rows', [begin, eachPage(inDays)], { page: 'browser' }));
		for (const [name, shown] of Object.entries({
			title: extract({ Month: ':root h2', Time: ':root div' }),
			time: extract({ Time: {} }, ':root div'),
			'time within a loop': loop({ loopType: 'count', times: 1 }, [
				extract({ Time: {} }, ':root div'),
			]),
		})) {
			const days = loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
				step('click', { useLoopItem: true }),
				shown,
			]);
			const url = `${site.baseUrl}/months`;
			const steps = [step('navigate', { url }), eachPage(days)];
			tasks.push(task(`months by ${name}`, steps, { page: 'browser' }));
		}
		return {
			tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])),
			env: { SERVICE_AGENTS: '8' },
		};
	},
);

concurrentTestWithBrowser.each(cases)(
	'all pages are read of a list that once $name, on pages of kind $kind',
	async ({ name, kind }) => {
		const { batch, rows } = await cloudClient(service).run(uuidOf(`${name} ${kind}`));
		expect(rows.map(({ Text }) => Text)).toEqual(['1', '2', '3', '4']);
		const { batchID } = batch;
		await service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
		await service.logged({ batchID, msg: 'loop by page ended', level: 30 });
	},
);

concurrentTestWithBrowser.each(cases.filter(({ page, path }) => page === 3 || path === '/links'))(
	'a list that always $name ends with a warning, on pages of kind $kind',
	async ({ name, kind, page }) => {
		const { batch, rows } = await cloudClient(service).run(uuidOf(`${name} ${kind}&always=1`));
		expect(rows.map(({ Text }) => Text)).toEqual(['1', '2'].slice(0, page - 1));
		await service.logged({ batchID: batch.batchID, msg: 'loop by page ended', level: 40 });
	},
);

concurrentTestWithBrowser(
	'what a round has opened beside the list of a page does not make it another page',
	async () => {
		const { rows } = await cloudClient(service).run(uuidOf('panels'));
		const names = ['11', '12', '21', '22', '31', '32'];
		expect(rows.map(({ Name }) => Name)).toEqual(names);
		expect(rows.map(({ About }) => About)).toEqual(names.map((name) => `about ${name}`));
	},
);

concurrentTestWithBrowser.each(['title', 'time', 'time within a loop'])(
	'pages whose elements are alike are told apart by the %s that is read once these are clicked',
	async (name) => {
		const { rows } = await cloudClient(service).run(uuidOf(`months by ${name}`));
		const times = [1, 2, 3, 4, 5].flatMap((month) => [`${month}-1`, `${month}-2`]);
		expect(rows.map(({ Time }) => Time)).toEqual(times);
	},
);

concurrentTestWithBrowser(
	'a page that reads as the one before it is said to be missing where the loop ends by its number, too',
	async () => {
		const { batch, rows } = await cloudClient(service).run(uuidOf('three ratings'));
		expect(rows.map(({ Text }) => Text)).toEqual(['1 of 5', '2 of 5', '3 of 5']);
		await service.logged({
			batchID: batch.batchID,
			msg: 'loop by page ended',
			level: 40,
			reason:
				'the limit of 3 is reached, and a click before had changed nothing that is read: a page may be missing that reads as the one before it',
		});
	},
);

concurrentTestWithBrowser(
	'pages whose elements are alike are told apart by what their rows take from beside them',
	async () => {
		const { rows } = await cloudClient(service).run(uuidOf('months in rows'));
		const months = [1, 2, 3, 4, 5].flatMap((month) => [`month ${month}`, `month ${month}`]);
		expect(rows.map(({ Month }) => Month)).toEqual(months);
	},
);

concurrentTestWithBrowser(
	'a loop by number in which a page opens itself anew for want of data says so',
	async () => {
		const { batch, rows } = await cloudClient(service).run(uuidOf('counted'));
		expect(rows.map(({ Text }) => Text)).toEqual(['1', '2']);
		await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 1 });
	},
);

concurrentTestWithBrowser(
	'a page that opens itself anew behind an answer that it does nothing with says so',
	async () => {
		const { batch } = await cloudClient(service).run(uuidOf('counted, with an empty answer'));
		const reason = `The page has opened itself anew behind the answer of ${site.baseUrl}/data: what steps have made of it is gone.`;
		await service.logged({ batchID: batch.batchID, msg: 'step not answered', reason });
	},
);

concurrentTestWithBrowser(
	'a page of which only the address is another is said to be left out, where rows say that',
	async () => {
		const { batch } = await cloudClient(service).run(uuidOf('pushed'));
		await service.logged({ batchID: batch.batchID, msg: 'loop by page ended', level: 40 });
	},
);

concurrentTestWithBrowser(
	'a list that scrolling adds to, and that begins anew meanwhile, has each row once',
	async () => {
		const { rows } = await cloudClient(service).run(uuidOf('scrolled'));
		const items = [1, 2, 3, 4].flatMap((page) => [1, 2, 3].map((n) => `${page}-${n}`));
		expect(rows.map(({ Text }) => Text)).toEqual(items);
	},
);

concurrentTestWithBrowser(
	'a page that a click opens anew is read without data that it does not get itself',
	async () => {
		const { rows } = await cloudClient(service).run(uuidOf('opened anew'));
		// Before the click, it was opened once more for that.
		expect(rows).toEqual([{ Text: '3' }]);
	},
);
