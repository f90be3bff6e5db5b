import { useSiteAndService } from '../support/inProcess/siteAndService';
import { concurrentTestWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// Lists whose button stays when what it has asked for is refused once: whether a part may have been left out.

const parts = [1, 2, 3, 4];
const refused = 3;

/** What a click asks for, and what it does where that is refused. */
const lists = {
	'says which part': { asks: `'/rows?part=' + (part + 1)`, fails: '' },
	'lets its site count': { asks: `'/next'`, fails: '' },
	'goes on all the same': { asks: `'/rows?part=' + (part + 1)`, fails: 'part += 1;' },
};
type List = keyof typeof lists;

const pageOf = (name: List) => `<main><p>1</p></main><button>Load more</button><script>
	const [list, button] = document.querySelectorAll('main, button');
	let part = 1;
	button.onclick = async () => {
		const answer = await fetch(location.pathname + ${lists[name].asks});
		if (!answer.ok) { ${lists[name].fails} return; }
		list.insertAdjacentHTML('beforeend', await answer.text());
		part += 1;
		button.hidden = part === ${parts.length};
	};
</script>`;

const counted = { part: 1 };
const hasRefused = new Set<string>();

const { site, service } = useSiteAndService(
	({ url: { pathname, searchParams } }) => {
		const [, id = '', asked] = pathname.split('/');
		const name = (Object.keys(lists) as List[]).find((each) => uuidOf(each) === id);
		if (!name) return { status: 404 };
		if (asked === undefined) return pageOf(name);
		const part = asked === 'next' ? counted.part + 1 : Number(searchParams.get('part'));
		if (part === refused && !hasRefused.has(id)) {
			hasRefused.add(id);
			return { status: 503 };
		}
		if (asked === 'next') counted.part = part;
		return `<p>${part}</p>`;
	},
	() => {
		const more = loop({ loopType: 'page', selector: 'button', timesMode: 'all' }, [
			step('wait', { selector: 'p' }),
		]);
		const tasks = Object.keys(lists).map((name) => {
			const open = step('navigate', { url: `${site.baseUrl}/${uuidOf(name)}` });
			return task(name, [open, more, extract({ Text: {} }, 'p')], { page: 'browser' });
		});
		return { tasks: Object.fromEntries(tasks.map((each) => [each.taskID, each])) };
	},
);

const missing = 'page may be missing';
const ended = 'loop by page ended';

concurrentTestWithBrowser.each<[List, number[], string[]]>([
	['says which part', parts, []],
	['lets its site count', parts, [missing, ended]],
	['goes on all the same', parts.filter((part) => part !== refused), [missing, ended]],
])('a list that %s', async (name, texts, told) => {
	const { batch, rows } = await cloudClient(service).run(uuidOf(name));
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
	expect(rows.map(({ Text }) => Text)).toEqual(texts.map(String));
	const warnings = service.log.filter((line) => line.batchID === batchID && line.level === 40);
	const said = warnings.map(({ msg }) => msg).filter((msg) => msg === missing || msg === ended);
	expect(said).toEqual(told);
});
