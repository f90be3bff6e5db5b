import { parsedJson } from '../../service/src/pages/browser/answerText.ts';
import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Answers of status 200 that are no JSON, where a page needs some.

test.each([
	['{"a":1}', { a: 1 }],
	['\uFEFF{"a":1}', { a: 1 }],
	[`)]}',\n{"a":1}`, { a: 1 }],
	['for (;;);{"a":1}', { a: 1 }],
	['/**/ shop.show({"a":1});', { a: 1 }],
	['{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
	[`)]}'\n\n7\n["a"]\n`, [7, ['a']]],
	['"a"', 'a'],
	['{"a":1', undefined],
	['{"a":1}\n{"a":', undefined],
	['<b>Warning</b>\n{"a":1}', undefined],
	['show({"a":1', undefined],
	['', undefined],
	[`{"a":"${'b'.repeat(200_000)}"}`, {}],
	[`{"a":"${'b'.repeat(200_000)}`, undefined],
	[`<b>Warning</b>{"a":"${'b'.repeat(200_000)}"}`, undefined],
	[`show({"a":"${'b'.repeat(200_000)}"})`, {}],
])('%.20j', (text, said) => {
	expect(parsedJson(text)).toEqual(said);
});

const json = { 'content-type': 'application/json' };
const entries = [1, 2, 3];
const dataOf = (entry: number) => `{"text":"text ${entry}","entry":${entry}}`;

/** By what is wrong with the data of an entry. */
const broken: Record<string, { entry: number; body: string; times?: number; headers?: object }> = {
	'begins with an error': { entry: 2, body: `<b>Warning</b>: x\n${dataOf(2)}` },
	'is cut': { entry: 2, body: dataOf(2).slice(0, 20) },
	'is cut, for the first entry': { entry: 1, body: dataOf(1).slice(0, 20) },
	'is empty': { entry: 2, body: '' },
	'is cut, and says not that it is JSON': { entry: 2, body: dataOf(2).slice(0, 20), headers: {} },
	'is always cut': { entry: 2, body: dataOf(2).slice(0, 20), times: 99 },
};
/** By how whole data comes, beside what is sent to tell the site something. */
const whole: Record<string, { headers: object; before?: string; behind?: string }> = {
	'behind what keeps other sites out': { headers: json, before: `)]}'\n` },
	'for a function': { headers: json, before: 'show(', behind: ')' },
	'as lines': { headers: json, behind: '\n{"end":true}' },
	'as a text that is none': { headers: { 'content-type': 'text/plain' }, before: 'It is ' },
};

const page = (entry: number, name: string) => `<h1>entry ${entry}</h1><p>Loading…</p><script>
	const ask = (path, how) => fetch(path + location.search, how).then((answer) => answer.text());
	const read = ${broken[name] ? 'JSON.parse' : '(text) => ({ text: /text \\d/.exec(text)[0] })'};
	ask('/told', { method: 'POST', body: '${entry}' });
	ask('/seen');
	ask('/data/${entry}').then((said) => (document.querySelector('p').textContent = read(said).text));
</script>`;

const asked = new Map<string, number>();
const { site, service } = useSiteAndService(
	({ url: { pathname, search } }) => {
		const name = decodeURIComponent(search.slice(1));
		const entry = Number(/\d+/.exec(pathname));
		if (pathname.startsWith('/page/')) return page(entry, name);
		if (pathname === '/told') return { headers: json };
		if (pathname === '/seen') return { headers: json, body: 'ok' };
		const count = (asked.get(pathname + search) ?? 0) + 1;
		asked.set(pathname + search, count);
		const { headers = json, ...how } = broken[name] ?? whole[name] ?? {};
		const isBroken = 'body' in how && how.entry === entry && count <= (how.times ?? 1);
		const { before = '', behind = '' } = whole[name] ?? {};
		return { headers: { ...headers }, body: isBroken ? how.body : before + dataOf(entry) + behind };
	},
	() => {
		const tasks = [...Object.keys(broken), ...Object.keys(whole)].map((name) => {
			const urls = entries.map((n) => `${site.baseUrl}/page/${n}?${encodeURIComponent(name)}`);
			const steps = [
				step('navigate', { useLoopItem: true }),
				extract({ Name: ':root h1', Text: ':root p' }),
			];
			const all = [loop({ loopType: 'list', listType: 'urlList', urls }, steps)];
			return task(name, all, { page: 'browser', requestsPerHost: 8 });
		});
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

async function run(name: string) {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful' });
	const warnings = service.log.filter((line) => line.batchID === batchID && line.level === 40);
	const told = warnings.map(({ msg }) => msg);
	// Another one may be opened ahead, and again.
	const pages = site.requests.filter(
		({ url }) =>
			url.pathname === `/page/${broken[name]?.entry}` &&
			decodeURIComponent(url.search.slice(1)) === name,
	);
	return { rows, told, opened: pages.length };
}

const rowOf = (entry: number) => ({ Name: `entry ${entry}`, Text: `text ${entry}` });

concurrentTestWithBrowser.each(Object.keys(broken).filter((name) => !broken[name]?.times))(
	'a page whose data %s is opened once more',
	async (name) => {
		const { rows, opened } = await run(name);
		expect({ rows, opened }).toEqual({ rows: entries.map(rowOf), opened: 2 });
	},
);

concurrentTestWithBrowser('a page whose data is always cut is told to be not whole', async () => {
	const { rows, told } = await run('is always cut');
	expect(rows).toEqual([rowOf(1), { Name: 'entry 2', Text: 'Loading…' }, rowOf(3)]);
	expect(told).toContain('page not whole');
});

concurrentTestWithBrowser.each(Object.keys(whole))(
	'a page whose data comes %s is whole, whatever it tells its site',
	async (name) => {
		const { rows, told } = await run(name);
		expect({ rows, told }).toEqual({ rows: entries.map(rowOf), told: [] });
	},
);
