import { describeOnBothPages } from '../support/service/browser';
import type { SiteRequest } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';
import { startOnBothPages, type Ground } from './bothPages';

// A page may have its list twice, for small screens and for large ones: all rows come twice then.

const card = (n: number) =>
	`<li class="c"><a class="img" href="/e/${n}">photo</a> <a href="/e/${n}"><b>Item ${n}</b></a></li>`;
const cards = (count: number) => Array.from({ length: count }, (_, n) => card(n)).join('');

let ground: Ground;

beforeAll(async () => {
	const read = extract({ Name: 'b' }, '.c');
	const open = (selector: string) =>
		loop({ loopType: 'list', listType: 'elements', selector }, [
			step('navigate', { useLoopItem: true }),
			extract({ Name: 'h1' }),
		]);
	const tasks = {
		copied: task('copied', [step('navigate', { url: '{base}/copied' }), read]),
		some: task('some', [step('navigate', { url: '{base}/some' }), read]),
		few: task('few', [step('navigate', { url: '{base}/few' }), read]),
		links: task('links', [step('navigate', { url: '{base}/once' }), open('.c a')]),
		link: task('link', [step('navigate', { url: '{base}/once' }), open('.c .img')]),
	};
	const answer = ({ url: { pathname } }: SiteRequest) => {
		if (pathname.startsWith('/e/')) return `<h1>Item ${pathname.slice(3)}</h1>`;
		const large = `<ul>${cards(pathname === '/few' ? 2 : 6)}</ul>`;
		const small: Record<string, string> = { '/copied': large, '/few': large, '/some': card(0) };
		return `${large}<ul style="display: none">${small[pathname] ?? ''}</ul>`;
	};
	ground = await startOnBothPages(tasks, answer);
}, 300_000);

afterAll(() => ground?.stop());

describeOnBothPages('on a page of kind', (page) => {
	const run = async (name: string) => {
		const { batch, rows } = await ground.client.run(uuidOf(`${name} ${page}`));
		const { batchID } = batch;
		await ground.service.logged({ batchID, msg: 'batch successful', failedPages: 0 });
		const told = ground.service.log.filter(
			(line) => line.batchID === batchID && line.msg === 'list is there more than once',
		);
		return { rows, told: told.map(({ reason }) => String(reason).split(':')[0]) };
	};

	test('a list that is there twice is told', async () => {
		const { rows, told } = await run('copied');
		expect(rows).toHaveLength(12);
		expect(told).toEqual(['each entry of .c is there 2 times']);
	});

	test('so are two links to each entry', async () => {
		const { rows, told } = await run('links');
		expect(rows).toHaveLength(12);
		expect(told).toEqual(['each entry of .c a is there 2 times']);
	});

	test.each([
		['some', 7],
		['few', 4],
		['link', 6],
	])('rows of which only some are equal, or too few to tell, are not: %s', async (name, count) => {
		const { rows, told } = await run(name);
		expect(rows).toHaveLength(count);
		expect(told).toEqual([]);
	});
});
