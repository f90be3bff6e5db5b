import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';

const taskIDs = {
	list: '11111111-1111-4111-8111-111111111111',
	pages: '22222222-2222-4222-8222-222222222222',
	search: '33333333-3333-4333-8333-333333333333',
	details: '44444444-4444-4444-8444-444444444444',
	slowly: '55555555-5555-4555-8555-555555555555',
};

let service: RunningService;
let client: CloudClient;

beforeAll(async () => {
	service = await startService();
	client = cloudClient(service);
});

afterAll(() => service?.stop());

/** What a person reads on a page of the shop, found without a parser. */
async function cards(path: string): Promise<object[]> {
	const html = await (await fetch(`${service.baseUrl}/shop/${path}`)).text();
	const found = html.matchAll(
		/<h2><a href="(.*?)">(.*?)<\/a><\/h2>\s*<p class="category">(.*?)<\/p>\s*<p class="price">(.*?)<\/p>/g,
	);
	return [...found].map(([, link, name, category, price]) => ({
		Name: name
			?.replaceAll('&quot;', '"')
			.replaceAll('&lt;', '<')
			.replaceAll('&gt;', '>')
			.replaceAll('&amp;', '&'),
		Category: category,
		Price: price,
		Link: `${service.baseUrl}${link}`,
	}));
}

test('the whole list, page by page, with its repeated entries', async () => {
	const { batch, rows } = await client.run(taskIDs.list);
	const shown = [];
	for (let page = 1; page <= 6; page += 1) shown.push(...(await cards(`products?page=${page}`)));
	expect(rows).toEqual(shown);
	expect(batch).toMatchObject({ lineCount: 72, duplicatedCount: 6, jobCount: 1, status: 3 });
});

test('product pages from a list of URLs, in its order however many jobs and agents', async () => {
	const { batch, rows } = await client.run(taskIDs.pages, { nodeCount: 4, jobCount: 5 });
	expect(batch).toMatchObject({ jobCount: 5, lineCount: 24, duplicatedCount: 0 });
	expect(rows.map(({ Number: number }) => number)).toEqual(
		Array.from({ length: 24 }, (_, index) => `P${String(index + 1).padStart(3, '0')}`),
	);
	expect(rows[3]).toEqual({
		Number: 'P004',
		Name: 'Oak Lamp',
		Category: 'Light',
		Price: '€ 120.39',
		Stock: '21',
		Description:
			'Oak Lamp for every day. Made to last, and easy to mend: each part can be had one by one. Ships within 4 days.',
	});
});

test('product pages from other URLs than the configured ones', async () => {
	const urls = ['{site}/shop/products/P066', `${service.baseUrl}/shop/products/P001`];
	const { rows } = await client.run(taskIDs.pages, {
		actionParams: [{ id: '22222222-0000-4000-8000-100000000001', value: urls }],
	});
	expect(rows.map(({ Name: name }) => name)).toEqual(['Clay & Co. Vase <small>', 'Oak Chair']);
});

test('a search for several words', async () => {
	const { rows } = await client.run(taskIDs.search, { jobCount: 3, nodeCount: 3 });
	expect(rows).toEqual([
		...(await cards('search?q=lamp')),
		...(await cards('search?q=teapot')),
		...(await cards('search?q=caf%C3%A9')),
	]);
	expect(rows).toHaveLength(6 + 6 + 11);
});

test('products opened from the elements of a list', async () => {
	const { rows } = await client.run(taskIDs.details);
	expect(rows.map(({ Number: number }) => number)).toEqual(
		Array.from({ length: 12 }, (_, index) => `P${String(index + 1).padStart(3, '0')}`),
	);
});

test('a slow task can be seen running, and stopped', async () => {
	const started = await client.start(taskIDs.slowly);
	const running = await client.waitFor(started, ({ lineCount }) => lineCount > 0);
	expect(running).toMatchObject({ status: 2, endTime: 0 });
	const stopped = await client.stop(taskIDs.slowly);
	expect(stopped).toMatchObject({ batchID: started.batchID, status: 4 });
	expect(stopped.lineCount).toBeLessThan(20);
});

test('git takes up the demo tasks, and no task that somebody makes in the console', () => {
	const repository = join(__dirname, '..', '..');
	const git = (...args: string[]) =>
		spawnSync('git', args, { cwd: repository, encoding: 'utf8' }).stdout.trim().split('\n');
	const demo = git('ls-files', 'service/tasks');
	expect(demo.length).toBeGreaterThan(Object.keys(taskIDs).length);
	const made = ['service/tasks/my-books.json', 'service/tasks/.deleted/my-books.json'];
	expect(git('check-ignore', '--no-index', ...demo, ...made)).toEqual(made);
});
