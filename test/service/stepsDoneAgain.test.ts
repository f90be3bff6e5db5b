import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Data that is refused once to a step on a page that clicks have made: it does not come again, so the step is done again.

const entries = [1, 2, 3, 4, 5, 6, 7, 8];

/** What a click on an entry does; `show` asks for its data. */
const panes = {
	'keeps what is shown': '',
	'clears what is shown': `pane.textContent = 'Loading…';`,
	'opens and closes': `if (open === entry) { open = 0; pane.textContent = ''; return; } open = entry;`,
	'opens and closes, and asks once': `if (open === entry) { open = 0; pane.textContent = ''; return; }
		open = entry; if (known.has(entry)) return; known.add(entry);`,
	'asks for more each time': 'count += 1;',
	'sends something': `how.method = 'POST';`,
	'sends something that leads on': `how.method = 'POST';`,
	'sends something first': `await fetch('/counted', { method: 'POST' });`,
	'sends something elsewhere first': `await fetch(location.origin.replace('127.0.0.1', 'localhost') + '/counted', { method: 'POST', mode: 'no-cors' });`,
	'sends a query': `Object.assign(how, { method: 'POST', body: '{"query":"query { text }"}' });`,
	'shows it, and counts its visitors': `pane.textContent = 'text ' + entry; told = true;`,
};
type Pane = keyof typeof panes;

/** How often the data of which entries is refused. */
const refusals: Record<string, { pane: Pane; of: number[]; times: number; tries?: number }> = {
	'a pane that keeps what it shows': { pane: 'keeps what is shown', of: [3], times: 1 },
	'a pane that is cleared': { pane: 'clears what is shown', of: [3], times: 1 },
	'a pane whose data never comes': { pane: 'keeps what is shown', of: [3], times: 99 },
	'an entry that a click closes': { pane: 'opens and closes', of: [3], times: 1 },
	'an entry that asks only once': { pane: 'opens and closes, and asks once', of: [3], times: 1 },
	'what counts clicks': { pane: 'asks for more each time', of: [3], times: 1 },
	'a site that has given one': { pane: 'keeps what is shown', of: entries.slice(1), times: 99 },
	'what is shown all the same': { pane: 'shows it, and counts its visitors', of: [3], times: 1 },
	'what may have been counted': { pane: 'sends something', of: [3], times: 1 },
	'what has led on': { pane: 'sends something that leads on', of: [3], times: 1 },
	'what was counted': { pane: 'sends something first', of: [3], times: 1 },
	'what another site has counted': { pane: 'sends something elsewhere first', of: [3], times: 1 },
	'a pane that sends a query': { pane: 'sends a query', of: [3], times: 1 },
	'one try': { pane: 'keeps what is shown', of: [3], times: 1, tries: 1 },
};

const paneOf = (
	name: string,
	pane: Pane,
) => `${entries.map((each) => `<button>${each}</button>`).join('')}
	<input><p></p><script>
	let [open, count, known, how, told] = [0, 0, new Set(), {}, false];
	const pane = document.querySelector('p');
	const show = async (entry) => {
		${panes[pane]}
		const answer = await fetch('/data/' + entry + '?${encodeURIComponent(name)}' + '&' + count, how);
		if (answer.ok && !told) pane.textContent = await answer.text();
	};
	for (const button of document.querySelectorAll('button'))
		button.onclick = () => show(Number(button.textContent));
	document.querySelector('input').onchange = ({ target }) => show(Number(target.value));
</script>`;

const asked = new Map<string, number>();
const { site, service } = useSiteAndService(
	({ method, url: { pathname, search } }) => {
		const name = decodeURIComponent(search.slice(1).replace(/&\d+$/, ''));
		const { pane, of, times } =
			refusals[name.replace(/^(typed|alone) /, '')] ?? refusals['one try'];
		if (pathname === '/') return paneOf(name, pane);
		if (pathname === '/counted') return 'yes';
		if (pane === 'sends something that leads on' && method === 'POST')
			return { status: 303, headers: { location: pathname + search } };
		const entry = Number(/\d+/.exec(pathname));
		const key = `${name} ${entry}`;
		const count = (asked.get(key) ?? 0) + 1;
		asked.set(key, count);
		return of.includes(entry) && count <= times ? { status: 503 } : `text ${entry}`;
	},
	() => {
		const open = (name: string) =>
			step('navigate', { url: `${site.baseUrl}/?${encodeURIComponent(name)}` });
		const read = extract({ Text: ':root p' });
		const tasks = Object.entries(refusals).flatMap(([name, { tries = 3 }]) => {
			const click = step('click', { useLoopItem: true });
			const buttons = { loopType: 'list', listType: 'elements', selector: 'button' };
			const texts = { loopType: 'list', listType: 'textList', texts: entries.map(String) };
			const type = step('inputText', { selector: 'input', useLoopItem: true });
			return [
				task(name, [open(name), loop(buttons, [click, read])], { page: 'browser', tries }),
				task(`typed ${name}`, [open(`typed ${name}`), loop(texts, [type, read])], {
					page: 'browser',
					tries,
				}),
			];
		});
		const third = step('click', { selector: 'button:nth-of-type(3)' });
		const onePage = ['what was counted', 'a pane that sends a query'].map((name) =>
			task(`alone ${name}`, [open(`alone ${name}`), third, read], { page: 'browser', tries: 3 }),
		);
		return { tasks: Object.fromEntries([...tasks, ...onePage].map((each) => [each.taskID, each])) };
	},
);

/** The texts of a batch, how often the data of an entry was asked for, and how the log says that it ended. */
async function run(name: string) {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	await service.logged({ batchID: batch.batchID, msg: 'batch successful' });
	const said = service.log.filter(({ batchID }) => batchID === batch.batchID);
	return {
		texts: rows.map(({ Text: text }) => text),
		askedFor: entries.map((entry) => asked.get(`${name} ${entry}`) ?? 0),
		failedPages: said.at(-1)?.failedPages,
		warnings: said.filter(({ level, msg }) => level === 40 && msg === 'step not answered'),
	};
}

const all = entries.map((entry) => `text ${entry}`);
const others = all.filter((text) => text !== 'text 3');
const once = entries.map((entry) => (entry === 3 ? 2 : 1));

concurrentTestWithBrowser.each([
	'a pane that keeps what it shows',
	'a pane that is cleared',
	'an entry that a click closes',
	'a pane that sends a query',
	'typed a pane that keeps what it shows',
	'typed a pane that is cleared',
])('%s is read whole where data is refused once', async (name) => {
	const { texts, askedFor, failedPages, warnings } = await run(name);
	expect(texts).toEqual(all);
	expect(askedFor).toEqual(once);
	expect({ failedPages, warnings }).toEqual({ failedPages: 0, warnings: [] });
});

concurrentTestWithBrowser.each(['a pane whose data never comes', 'an entry that asks only once'])(
	'%s is told, and no other text is read in its place',
	async (name) => {
		const { texts, failedPages, warnings } = await run(name);
		expect(texts.filter((text) => text !== '')).toEqual(others);
		expect(Number(failedPages) + warnings.length).toBeGreaterThan(0);
	},
);

concurrentTestWithBrowser('what is shown all the same is not asked for again', async () => {
	const { texts, askedFor, failedPages, warnings } = await run('what is shown all the same');
	expect(texts).toEqual(all);
	expect(askedFor).toEqual(entries.map(() => 1));
	expect(failedPages).toBe(0);
	expect(warnings).toHaveLength(1);
});

concurrentTestWithBrowser('other data than was refused is told', async () => {
	const { texts, failedPages, warnings } = await run('what counts clicks');
	expect(texts).toEqual(all);
	expect(failedPages).toBe(0);
	expect(warnings).toHaveLength(1);
});

concurrentTestWithBrowser.each([
	'one try',
	'what may have been counted',
	'what has led on',
	'what was counted',
	'what another site has counted',
])('it is not done again: %s', async (name) => {
	const { texts, askedFor, failedPages } = await run(name);
	expect(texts).toEqual(others);
	expect(askedFor).toEqual(entries.map(() => 1));
	expect(failedPages).toBe(1);
});

concurrentTestWithBrowser.each([
	['what was counted', 1],
	['a pane that sends a query', 0],
])('of a page that is tried again, what is sent again is told: %s', async (name, told) => {
	const { texts, failedPages, warnings } = await run(`alone ${name}`);
	expect({ texts, failedPages }).toEqual({ texts: ['text 3'], failedPages: 0 });
	const said = warnings.filter(({ reason }) => /has it twice/.test(String(reason)));
	expect(said).toHaveLength(told);
});

concurrentTestWithBrowser('where it never helps, it is not done for ever', async () => {
	const { texts, askedFor, failedPages } = await run('a site that has given one');
	expect(texts).toEqual(['text 1']);
	expect(askedFor).toEqual([1, 2, 2, 2, 1, 1, 1, 1]);
	expect(failedPages).toBe(entries.length - 1);
});
