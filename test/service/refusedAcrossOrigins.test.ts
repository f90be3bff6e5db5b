import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { startSite, type Site, type SiteAnswer } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Data of another origin that is refused: without what lets the page read it (CORS), as by a server in front, the browser says
// no more of it than that it failed.

const entries = ['1', '2', '3', '4', '5'];
/** The pages by what they are called, and by what their data comes. */
const paths = {
	'another port': '/port',
	'another site': '/site',
	'another site, by a script': '/script',
};
const hosts = { 'another port': '127.0.0.1', 'another site': 'localhost' };

const page = (
	api: string,
	isByScript: boolean,
) => `<h1></h1><p></p>${entries.map((each) => `<button>${each}</button>`).join('')}<script>
	const show = ${isByScript ? 'add' : 'ask'};
	function add(entry, where) {
		const script = document.createElement('script');
		script.src = '${api}/script/' + where + '/' + entry;
		document.body.append(script);
	}
	async function ask(entry, where) {
		const answer = await fetch('${api}/data/' + where + '/' + entry);
		if (answer.ok) document.querySelector(where).textContent = (await answer.json()).text;
	}
	if (location.search) show(location.search.slice(1), 'h1');
	for (const button of document.querySelectorAll('button')) button.onclick = () => show(button.textContent, 'p');
</script>`;

/** Its visitors are counted by another port, which no page may read: always. */
const counted = (port: string) => `<h1></h1><script>
	document.querySelector('h1').textContent = 'text ' + location.search.slice(1);
	fetch('http://127.0.0.1:${port}/counted').catch(() => undefined);
</script>`;

const refused = new Set<string>();
const api = { site: undefined as Site | undefined };

const { site, service } = useSiteAndService(
	({ url: { pathname } }) => {
		if (pathname === '/counted') return counted(new URL(api.site?.baseUrl ?? '').port);
		const host = pathname === '/port' ? hosts['another port'] : hosts['another site'];
		const from = `http://${host}:${new URL(api.site?.baseUrl ?? '').port}`;
		return page(from, pathname === '/script');
	},
	() => {
		const fromEach = Object.entries(paths);
		const tasks = fromEach.flatMap(([name, path]) => {
			const buttons = { loopType: 'list', listType: 'elements', selector: 'button' };
			const urls = entries.map((entry) => `${site.baseUrl}${path}?${entry}`);
			const clicked = [
				step('navigate', { url: site.baseUrl + path }),
				loop(buttons, [step('click', { useLoopItem: true }), extract({ Text: ':root p' })]),
			];
			const opened = [
				loop({ loopType: 'list', listType: 'urlList', urls }, [
					step('navigate', { useLoopItem: true }),
					extract({ Text: 'h1' }),
				]),
			];
			return [
				task(`clicked ${name}`, clicked, { page: 'browser' }),
				task(`opened ${name}`, opened, { page: 'browser' }),
			];
		});
		const urls = entries.map((entry) => `${site.baseUrl}/counted?${entry}`);
		const each = loop({ loopType: 'list', listType: 'urlList', urls }, [
			step('navigate', { useLoopItem: true }),
			extract({ Text: 'h1' }),
		]);
		tasks.push(task('counted', [each], { page: 'browser' }));
		// So that the first page is read before the third one is refused.
		const env = { SERVICE_AGENTS: '1' };
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])), env };
	},
);

beforeAll(async () => {
	api.site = await startSite(({ url: { pathname }, headers }): SiteAnswer => {
		if (pathname === '/counted') return { status: 503 };
		const asked = pathname + headers.host?.split(':')[0];
		if (/3$/.test(pathname) && !refused.has(asked)) {
			refused.add(asked);
			return { status: 503 };
		}
		const [, , where, entry] = pathname.split('/');
		if (pathname.startsWith('/script')) {
			const body = `document.querySelector('${where}').textContent = 'text ${entry}'`;
			return { headers: { 'content-type': 'text/javascript' }, body };
		}
		return {
			headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
			body: JSON.stringify({ text: `text ${pathname.at(-1)}` }),
		};
	});
});
afterAll(() => api.site?.stop());

concurrentTestWithBrowser.each(
	['clicked', 'opened'].flatMap((how) => Object.keys(paths).map((name) => `${how} ${name}`)),
)('an entry whose data is refused once is read whole: %s', async (name) => {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	expect(rows.map(({ Text }) => Text)).toEqual(entries.map((entry) => `text ${entry}`));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
});

concurrentTestWithBrowser(
	'who counts visitors in vain costs no page, and is told once',
	async () => {
		const { batch, rows } = await cloudClient(service).run(uuidOf('counted'));
		expect(rows.map(({ Text }) => Text)).toEqual(entries.map((entry) => `text ${entry}`));
		await service.logged({ batchID: batch.batchID, msg: 'batch successful', failedPages: 0 });
		const told = service.log.filter(
			({ batchID, msg }) => batchID === batch.batchID && msg === 'page not whole',
		);
		// By each of the two that take turns with the pages.
		expect(told.length).toBeLessThanOrEqual(2);
	},
);
