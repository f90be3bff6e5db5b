import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Lists page by page whose entries are opened in their place, and a first click on "next" that brings no page.

const names = Array.from({ length: 6 }, (_, index) => `lamp ${index + 1}`);

/** `first`: what the first click on "next" does; `refused`: whether the site refuses page 2 once. */
const paged = (first: string, path: string) => `<ul></ul><button class="all">All</button>
	<button class="next">Next</button><script>
	const [list, all, next] = ['ul', '.all', '.next'].map((each) => document.querySelector(each));
	let [page, items, open, isHeard] = [0, [], [], true];
	const draw = () => {
		list.innerHTML = items.map((item) => '<li><b>' + item + '</b><button>Details</button>' +
			(open.includes(item) ? '<i>about ' + item + '</i>' : '') + '</li>').join('');
		next.hidden = page === 3;
	};
	const load = async (number) => {
		const answer = await fetch('${path}/' + number);
		if (!answer.ok) return;
		[items, page, open] = [await answer.json(), number, []];
		draw();
	};
	next.onclick = () => { ${first}; load(page + 1); };
	all.onclick = () => ((open = items), draw());
	list.onclick = ({ target }) => {
		if (target.matches('button')) ((open = [target.previousSibling.textContent]), draw());
	};
	load(1);
</script>`;
const firsts: Record<string, string> = {
	'is not heard': 'if (page === 1 && isHeard) return void (isHeard = false)',
	'closes what is open': 'if (open.length > 0) { open = []; return draw(); }',
	'is refused': '',
};
const each = loop({ loopType: 'list', listType: 'elements', selector: 'li' }, [
	step('click', { selector: 'button' }),
	extract({ Name: 'b', Text: 'i' }),
]);
const rounds: Record<string, object[]> = {
	'one by one': [each],
	'all at once': [step('click', { selector: '.all' }), extract({ Name: 'b', Text: 'i' }, 'li')],
};
const cases = Object.keys(firsts).flatMap((first) =>
	Object.keys(rounds).map((round) => ({ first, round, path: `/${uuidOf(first + round)}` })),
);

/** Tabs of entries that are drawn anew with each click, all of them. */
const redrawn = `<main></main><script>
	const tabs = ${JSON.stringify({ oak: names.slice(0, 2), brass: names.slice(2) })};
	let [tab, open] = ['oak', ''];
	const draw = () => {
		document.querySelector('main').innerHTML =
			Object.keys(tabs).map((each) => '<h2 class="' + (each === tab ? 'on' : '') + '">' + each + '</h2>').join('') +
			tabs[tab].map((item) => '<li><b>' + item + '</b><button>Details</button>' + (open === item ? '<i>about ' + item + '</i>' : '') + '</li>').join('');
	};
	document.querySelector('main').onclick = ({ target }) => {
		if (target.matches('h2')) [tab, open] = [target.textContent, ''];
		if (target.matches('button')) open = target.previousSibling.textContent;
		draw();
	};
	draw();
</script>`;

const refused = new Set<string>();
const { site, service } = useSiteAndService(
	({ url: { pathname } }) => {
		if (pathname === '/redrawn') return redrawn;
		const { first, path } = cases.find((each) => pathname.startsWith(each.path)) ?? {};
		if (first === undefined || path === undefined) return { status: 404 };
		if (pathname === path) return paged(firsts[first] ?? '', path);
		const page = Number(pathname.slice(path.length + 1));
		if (first === 'is refused' && page === 2 && !refused.has(path)) {
			refused.add(path);
			return { status: 403 };
		}
		return JSON.stringify(names.slice(page * 2 - 2, page * 2));
	},
	() => ({
		tasks: Object.fromEntries([
			[uuidOf('redrawn'), ofRedrawn()],
			...cases.map(({ first, round, path }): [string, object] => {
				const open = step('navigate', { url: site.baseUrl + path });
				const steps = rounds[round] ?? [];
				const eachPage = loop({ loopType: 'page', selector: '.next', timesMode: 'all' }, steps);
				const options = { page: 'browser', requestsPerHost: 8 };
				return [uuidOf(path), task(first + round, [open, eachPage], options)];
			}),
		]),
		env: { SERVICE_AGENTS: '8' },
	}),
);

function ofRedrawn() {
	const inTab = loop({ loopType: 'list', listType: 'elements', selector: ':root li' }, [
		step('click', { selector: 'button' }),
		extract({ Name: 'b', Text: 'i' }),
	]);
	const eachTab = loop({ loopType: 'list', listType: 'elements', selector: 'h2' }, [
		step('click', { useLoopItem: true }),
		inTab,
	]);
	const open = step('navigate', { url: `${site.baseUrl}/redrawn` });
	return task('redrawn', [open, eachTab], { page: 'browser' });
}

concurrentTestWithBrowser('entries of tabs are found where both are drawn anew', async () => {
	const { rows } = await cloudClient(service).run(uuidOf('redrawn'));
	expect(rows).toEqual(names.map((name) => ({ Name: name, Text: `about ${name}` })));
});

concurrentTestWithBrowser.each(cases)(
	'each page is read once where entries are opened $round and a click on "next" $first',
	async ({ first, round }) => {
		const { rows } = await cloudClient(service).run(uuidOf(first + round));
		expect(rows).toEqual(names.map((name) => ({ Name: name, Text: `about ${name}` })));
	},
);
