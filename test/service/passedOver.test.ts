import { wholeBatch } from '../support/inProcess/pageCases';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { extract, loop, step, task } from '../support/service/taskFiles';

// Pages that count by themselves how far their visitor is, and go on though the data of a page was refused: the one of which it
// was is not left out.

const pages = 5;
const rowsOf = (page: number) => [1, 2, 3].map((row) => ({ Name: `page ${page}, row ${row}` }));

const heading = 'under a heading that says it at once';
const login =
	'behind a log-in that its site remembers, where names come before what is said of them';
/** How a click asks for the page `now`: says the number that is asked for. */
const pagers: Record<string, string> = {
	'by its number': "await fetch('/rows?page=' + (now += 1))",
	'by a number behind which a time stands':
		"await fetch('/rows?page=' + (now += 1) + '&_=' + Date.now())",
	[heading]: "await fetch('/rows?page=' + (document.querySelector('h2').textContent = now += 1))",
	'at an address of its own': `{
		history.pushState({}, '', '?' + location.search.slice(1).split('&')[0] + '&page=' + (now += 1));
		return fetch('/rows?page=' + now);
	}`,
	[login]: `{
		list.innerHTML = '<li>page ' + (now += 1) + '</li>';
		return fetch('/rows?page=' + now);
	}`,
	'by what is sent, with how often': `await fetch('/rows', { method: 'POST', body: JSON.stringify({ draw: (draws += 1), page: (now += 1) }) })`,
};

const pageOf = (
	pager: string,
) => `<h2>1</h2><form hidden><input><input type="submit"></form><ul></ul><button>Next</button><script>
	let [now, draws] = [Number(new URLSearchParams(location.search).get('page') ?? 1), 0];
	const [list, next] = [document.querySelector('ul'), document.querySelector('button')];
	const show = async (asking) => {
		const answer = await asking;
		next.disabled = now === ${pages};
		if (answer.ok) list.innerHTML = await answer.text();
	};
	const form = document.querySelector('form');
	form.hidden = ${pager !== pagers[login]} || !!localStorage.user;
	if (form.hidden) form.remove(), show(fetch('/rows?page=' + now));
	form.onsubmit = (event) => {
		event.preventDefault();
		localStorage.user = form.firstChild.value;
		form.remove();
		show(fetch('/rows?page=' + now));
	};
	next.onclick = () => show((async () => ${pager})());
</script>`;

const logIn = [
	step('inputText', { selector: 'input', text: 'me' }),
	step('click', { selector: '[type=submit]' }),
];

/** Which pager it is, behind which a page may stand. */
const nameIn = (search: string) => decodeURIComponent(search.slice(1).split('&')[0] ?? '');

const refused = new Set<string>();

const { site, service } = useSiteAndService(
	({ method, url: { pathname, search, searchParams }, body, headers }) => {
		if (pathname !== '/rows') return pageOf(pagers[nameIn(search)] ?? '');
		const sent = method === 'POST' ? (JSON.parse(body) as { page: number }) : undefined;
		const page = sent?.page ?? Number(searchParams.get('page'));
		const from = nameIn(new URL(String(headers.referer)).search);
		if (page === 3 && !refused.has(from)) {
			refused.add(from);
			return { status: 503 };
		}
		return rowsOf(page)
			.map(({ Name: name }) => `<li>${name}</li>`)
			.join('');
	},
	() => {
		const tasks = Object.keys(pagers).map((name) =>
			task(
				name,
				[
					step('navigate', { url: `${site.baseUrl}/?${encodeURIComponent(name)}` }),
					...(name === login ? logIn : []),
					loop({ loopType: 'page', selector: 'button', timesMode: 'all' }, [
						...(name === heading ? [extract({ Page: 'h2' }, undefined, { emit: false })] : []),
						extract({ Name: {} }, 'li'),
					]),
				],
				{ page: 'browser' },
			),
		);
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

concurrentTestWithBrowser.each(Object.keys(pagers))(
	'the page behind a click that was refused once is read: %s',
	async (name) => {
		const { rows, warnings } = await wholeBatch(service, name);
		const expected = Array.from({ length: pages }, (_, page) =>
			rowsOf(page + 1).map((row) => (name === heading ? { Page: String(page + 1), ...row } : row)),
		);
		expect(rows).toEqual(expected.flat());
		const missing = warnings.filter(({ msg }) => msg === 'page may be missing');
		// Nobody knows what a log-in has made of an address that comes again.
		expect(missing.map(({ reason }) => reason)).toEqual(
			name === login ? [expect.stringMatching(/its address was opened/)] : [],
		);
	},
);
