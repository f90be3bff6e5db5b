import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Pages that count by themselves how far their visitor is, and go on though the data of a page was refused: the one of which it
// was is not left out.

const pages = 5;
const rowsOf = (page: number) => [1, 2, 3].map((row) => ({ Name: `page ${page}, row ${row}` }));

/** How a click asks for the page `now`: says the number that is asked for. */
const pagers: Record<string, string> = {
	'by its number': "await fetch('/rows?page=' + (now += 1))",
	'by a number behind which a time stands':
		"await fetch('/rows?page=' + (now += 1) + '&_=' + Date.now())",
	'by what is sent, with how often': `await fetch('/rows', { method: 'POST', body: JSON.stringify({ draw: (draws += 1), page: (now += 1) }) })`,
};

const pageOf = (pager: string) => `<ul></ul><button>Next</button><script>
	let [now, draws] = [1, 0];
	const [list, next] = [document.querySelector('ul'), document.querySelector('button')];
	const show = async (asking) => {
		const answer = await asking;
		next.disabled = now === ${pages};
		if (answer.ok) list.innerHTML = await answer.text();
	};
	show(fetch('/rows?page=1'));
	next.onclick = () => show((async () => ${pager})());
</script>`;

const refused = new Set<string>();

const { site, service } = useSiteAndService(
	({ method, url: { pathname, search, searchParams }, body, headers }) => {
		if (pathname !== '/rows') return pageOf(pagers[decodeURIComponent(search.slice(1))] ?? '');
		const sent = method === 'POST' ? (JSON.parse(body) as { page: number }) : undefined;
		const page = sent?.page ?? Number(searchParams.get('page'));
		const from = String(headers.referer);
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
					loop({ loopType: 'page', selector: 'button', timesMode: 'all' }, [
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
		const { batch, rows } = await cloudClient(service).run(uuidOf(name));
		expect(rows).toEqual(Array.from({ length: pages }, (_, page) => rowsOf(page + 1)).flat());
		const { batchID } = batch;
		await service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
		const warnings = service.log.filter((line) => line.batchID === batchID && line.level === 40);
		expect(warnings.filter(({ msg }) => msg === 'page may be missing')).toEqual([]);
	},
);
