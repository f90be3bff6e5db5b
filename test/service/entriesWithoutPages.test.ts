import { describeOnBothPages } from '../support/service/browser';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

// Entries of a list whose link leads to nothing but the list itself, beside others that have a page.

const list = `<h1>List</h1>${['pen', 'cap', 'box'].map((name) => `<p><a href="${name === 'cap' ? '#' : `/${name}`}">${name}</a></p>`).join('')}`;
const pager = `<h1>Page 1</h1>${[1, 2, 3].map((page) => `<p><a href="${page === 1 ? '#' : `/page-${page}`}">${page}</a></p>`).join('')}`;
const pages: Record<string, string> = { list, pager };

const reading = (name: string) =>
	task(name, [
		step('navigate', { url: `{base}/${name}` }),
		loop({ loopType: 'list', listType: 'elements', selector: 'p' }, [
			step('navigate', { useLoopItem: true }),
			extract({ Name: 'h1' }),
		]),
	]);

let ground: Ground;

beforeAll(async () => {
	const tasks = { list: reading('list'), pager: reading('pager') };
	ground = await startOnBothPages(tasks, ({ url: { pathname } }) => {
		const name = pathname.slice(1);
		return pages[name] ?? `<h1>${name}</h1>`;
	});
}, 300_000);

afterAll(() => ground?.stop());

async function run(name: string) {
	const { client, service } = ground;
	const { batch, rows } = await client.run(uuidOf(name));
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful' });
	const warnings = service.log.filter((line) => line.batchID === batchID && line.level === 40);
	return { names: rows.map(({ Name }) => Name), warnings };
}

describeOnBothPages('on a page of kind', (kind) => {
	test('an entry whose link leads to its list is told', async () => {
		const { names, warnings } = await run(`list ${kind}`);
		expect(names).toEqual(['pen', 'List', 'box']);
		const reason = expect.stringContaining('the link of "cap" leads to the page') as unknown;
		expect(warnings).toMatchObject([{ msg: 'entry without a page', reason }]);
	});

	test('a number among those of pages leads to its page', async () => {
		const { names, warnings } = await run(`pager ${kind}`);
		expect(names).toEqual(['Page 1', 'page-2', 'page-3']);
		expect(warnings).toEqual([]);
	});
});
