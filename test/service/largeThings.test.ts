import { pino } from 'pino';
import { cloudApi } from '../../service/src/api/cloudApi.ts';
import { createServer } from '../../service/src/api/server.ts';
import { ApiKeys } from '../../service/src/keys/apiKeys.ts';
import { distinctColumns } from '../../service/src/tasks/distinctColumns.ts';
import { rowsOfPage } from '../../service/src/console/batch/batchRows.ts';
import { inLine } from '../../service/src/log/log.ts';
import { openScraping, type Scraping } from '../../service/src/runs/scraping.ts';
import { listing } from '../../service/src/site/products.ts';
import { shop } from '../../service/src/site/shop.ts';
import { status } from '../../service/src/store/batch.ts';
import { DeduplicationStore } from '../../service/src/store/deduplicationStore.ts';
import { openTemporaryStore } from '../../service/src/store/openStore.ts';
import { openDatabase } from '../../service/src/store/sqlite/database.ts';
import { SqliteReturnedRows } from '../../service/src/store/sqlite/deduplicationStore.ts';
import type { Store } from '../../service/src/store/stores.ts';
import { checkTask } from '../../service/src/tasks/checkTask.ts';
import { TaskFiles } from '../../service/src/tasks/taskFiles.ts';
import { isFullLength, length } from '../support/length';
import { longestTurn } from '../support/service/longestTurn';
import { startSite, type Site, type SiteAnswer } from '../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../support/service/taskFiles';

// However large what a site or a reader brings is, a request waits for half a second at most.

const most = 500;
const mebibyte = 1024 * 1024;

let site: Site;
let answers: Record<string, SiteAnswer>;
let store: Store;
let scraping: Scraping;
let server: ReturnType<typeof createServer>;

beforeEach(async () => {
	answers = {};
	site = await startSite(({ url }) => answers[url.pathname] ?? { status: 404 });
	const log = pino({ level: 'silent' });
	store = openTemporaryStore({ log });
	scraping = openScraping(store, {
		browser: undefined,
		agents: 2,
		log,
		onStoreFailure: (error) => expect(error).toBeUndefined(),
	});
	server = createServer({ log, errorsAs200: false });
	const apiKeys = new ApiKeys(store.apiKeys, ['key'], undefined);
	await server.register(
		cloudApi({ ...store, ...scraping, apiKeys, tasks: new TaskFiles('/nowhere') }),
	);
	await server.register(shop);
	scraping.dispatcher.begin(site.baseUrl);
});
afterEach(async () => {
	await scraping.close();
	await server.close();
	await store.close();
	await site.stop();
});

function batchOf(name: string, fields: { id: string; name: string }[] = []) {
	return scraping.batches.create({
		taskID: uuidOf(name),
		task: '{}',
		region: 'us',
		nodeCount: 1,
		requestID: 'test',
		fields,
		jobs: [{ first: 0, end: 1 }],
	});
}

async function read(batchID: bigint, query: string) {
	const answer = await server.inject({
		url: `/cloud/data?batchID=${batchID}&page=1&size=1000&${query}`,
		headers: { authorization: 'Bearer key', 'x-cp-request-id': uuidOf('request') },
	});
	return { status: answer.statusCode, text: answer.body };
}

/** Runs a task, and resolves to its batch when that has ended. */
async function run(steps: object[]) {
	const checked = checkTask(task('large', steps));
	const jobs = [{ number: 0, first: 0, end: 1 }];
	const batch = await scraping.batches.create({
		taskID: checked.taskID,
		task: JSON.stringify(checked),
		region: 'us',
		nodeCount: 1,
		requestID: 'test',
		fields: [],
		jobs,
	});
	scraping.dispatcher.add(batch, checked, jobs);
	return vi.waitFor(
		async () => {
			const ended = await scraping.batches.get(batch.id);
			expect(ended.status).toBe(status.successful);
			return ended;
		},
		{ timeout: 120_000, interval: 20 },
	);
}

const rowsOf = (batch: Awaited<ReturnType<typeof run>>) =>
	scraping.rows.read(batch, { offset: 0, size: 1_000 }, Infinity);

const previewed = length({ full: 300, short: 100 });

test(`${previewed} rows of a MiB, read as a preview`, async () => {
	const { id } = await batchOf('preview');
	const claim = await scraping.jobs.claim(id, 0);
	for (let number = 0; number < previewed; number += 1) {
		const content = JSON.stringify({ a: `${number} ${'x'.repeat(mebibyte)}` });
		await scraping.rows.append(claim, [{ position: String(number), content }]);
	}
	const plain = isFullLength ? ['preview=true'] : [];
	for (const query of [...plain, 'preview=true&deduplication=true&deduplicationID=x']) {
		let said = { status: 0, text: '' };
		const turn = await longestTurn(async () => (said = await read(id, query)));
		expect(said.status).toBe(200);
		expect(said.text.match(/\\"a\\"/g)).toHaveLength(previewed);
		expect(turn).toBeLessThan(most);
	}
});

test('a costly expression on a long text', async () => {
	// A page has five seconds of work; the short one takes over half a second.
	const times = length({ full: 60_000, short: 6_000 });
	answers['/'] = `<p>${'abcdefghij'.repeat(times)}</p>`;
	const match = '((?:[a-j]x?){1,300})[k-z]';
	const steps = [step('navigate', { url: `${site.baseUrl}/` }), extract({ Text: { match } }, 'p')];
	let batch: Awaited<ReturnType<typeof run>> | undefined;
	const turn = await longestTurn(async () => (batch = await run(steps)));
	expect(turn).toBeLessThan(most);
	expect(batch?.failedPages).toBe(length({ full: 1, short: 0 }));
});

test('an expression keeps the same of many texts, in whatever thread it looks', async () => {
	answers['/'] = Array.from({ length: 2_500 }, (_, index) => `<p>no ${index}</p>`).join('');
	const batch = await run([
		step('navigate', { url: `${site.baseUrl}/` }),
		extract({ Text: { match: 'no (\\d+)' }, Url: { source: 'pageUrl', match: '^http' } }, 'p'),
	]);
	expect(batch.lineCount).toBe(2_500);
	expect((await rowsOf(batch))[999]).toMatch(/:"999","[^"]+":"http"\}$/);
});

test('the end of a deduplicationID with very many rows', async () => {
	const many = length({ full: 1_000_000, short: 300_000 });
	const database = openDatabase(':memory:');
	const deduplication = new DeduplicationStore(new SqliteReturnedRows(database));
	database.exec(`INSERT INTO deduplications VALUES ('old', 7, 0);
		INSERT INTO returned_rows WITH RECURSIVE numbers (number) AS
			(SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${many})
		SELECT 7, randomblob(32) FROM numbers`);
	const left = () =>
		Number(database.prepare('SELECT count(*) AS left FROM returned_rows').get()?.left);
	const rows = [{ hash: Buffer.from('a') }, { hash: Buffer.from('b') }];
	database.exec("INSERT INTO returned_rows VALUES (7, CAST('a' AS BLOB))");
	const turn = await longestTurn(async () => {
		expect(await deduplication.newOf('old', rows)).toEqual(rows);
		expect(await deduplication.newOf('old', rows)).toEqual([]);
		const size = left();
		await vi.waitFor(() => expect(left()).toBeLessThan(size - 10_000), { timeout: 60_000 });
	});
	expect(turn).toBeLessThan(most);
	expect(await deduplication.newOf('old', rows)).toEqual([]);
	await deduplication.close();
	database.close();
});

test('a table of 10,000 columns, all of one name', async () => {
	const fields = Array.from({ length: 10_000 }, (_, index) => ({ id: `f${index}`, name: 'Price' }));
	const batch = await batchOf('columns', fields);
	const content = JSON.stringify(Object.fromEntries(fields.map(({ id }) => [id, 'value'])));
	const claim = await scraping.jobs.claim(batch.id, 0);
	const rows = Array.from({ length: 50 }, (_, index) => ({ position: String(index), content }));
	await scraping.rows.append(claim, rows);
	let shown = '';
	const turn = await longestTurn(async () => {
		const { table } = await rowsOfPage({ ...store, ...scraping }, 1)(batch);
		shown = table.toString();
	});
	expect(turn).toBeLessThan(most);
	expect(shown.match(/<th /g)).toHaveLength(202);
	expect(shown.match(/<tr/g)).toHaveLength(51);
	expect(shown).toContain('and 9,800 more columns');
	expect(distinctColumns(batch).at(-1)?.name).toBe('Price (10000)');
});

test.each([
	['value', { A: {} }, mebibyte + 1, 'A value of the column "A" has 1048577 characters'],
	[
		'row',
		Object.fromEntries([...'ABCDEFGHI'].map((name) => [name, {}])),
		mebibyte,
		'A row has 9437184 characters',
	],
])('a %s that is too long is said, and not stored', async (_what, columns, characters, said) => {
	answers['/'] = `<p>${'x'.repeat(characters)}</p>`;
	const batch = await run([step('navigate', { url: `${site.baseUrl}/` }), extract(columns, 'p')]);
	expect(batch).toMatchObject({ lineCount: 0, failedPages: 1 });
	expect((await scraping.failures.of(batch.id))[0]?.reason).toContain(said);
});

test.each(['h1', ':root h1'])(
	'a large value in each of very many rows, read by %s',
	async (large) => {
		const items = Array.from({ length: 400 }, (_, number) => `<li>${number}`).join('');
		answers['/'] = `<h1>${'x'.repeat(mebibyte - 9)}</h1><ul>${items}</ul>`;
		const isBefore = large === 'h1';
		const steps = [
			step('navigate', { url: site.baseUrl }),
			...(isBefore ? [extract({ Large: large }, undefined, { emit: false })] : []),
			extract({ Name: {}, ...(isBefore ? {} : { Large: large }) }, 'li'),
		];
		let lineCount = 0;
		const turn = await longestTurn(async () => ({ lineCount } = await run(steps)));
		// What was stored until then stays; rows that are read all at once are not.
		expect(lineCount).toBe(isBefore ? 100 : 0);
		expect(turn).toBeLessThan(most);
	},
);

const besides = Array.from({ length: 999 }, (_, index) => `Column ${index}`);
const constant = { source: 'constant', value: 'value' };
const constants = Object.fromEntries(besides.map((name) => [name, constant]));
const withConstants = extract({ Name: {}, ...constants }, 'li');

test.each([
	['from the task', [withConstants], 1],
	['from before', [extract(constants, undefined, { emit: false }), extract({ Name: {} }, 'li')], 1],
	[
		'held back',
		[loop({ loopType: 'page', selector: 'button', timesMode: 'all' }, [withConstants])],
		3,
	],
])('999 columns of 1,000 rows a page, %s', async (_whence, steps, pages) => {
	const list = (text = '') =>
		Array.from({ length: 1_000 }, (_, number) => `<li>${text}${number}`).join('');
	const next = (path: string) =>
		`<form method="post" action="${path}"><button>Next</button></form>`;
	answers['/1'] = `${next('/2')}${list()}`;
	// Whether that is another page, the one behind it shows.
	answers['/2'] = `${next('/3')}${list()}`;
	answers['/3'] = list('last ');
	let lineCount = 0;
	const open = step('navigate', { url: `${site.baseUrl}/1` });
	const turn = await longestTurn(async () => ({ lineCount } = await run([open, ...steps])));
	expect(lineCount).toBe(pages * 1_000);
	expect(turn).toBeLessThan(most);
});

test.each([
	['application/x-www-form-urlencoded', 'a&'],
	['application/json', '['],
])('an order that nobody has to be known for, of the type %s', async (type, text) => {
	const payload = text.repeat((8 * mebibyte) / text.length);
	let statusCode = 0;
	const turn = await longestTurn(async () => {
		const headers = { 'content-type': type };
		({ statusCode } = await server.inject({
			method: 'POST',
			url: '/shop/order',
			headers,
			payload,
		}));
	});
	expect(statusCode).toBe(413);
	expect(turn).toBeLessThan(most);
	const chunked = { 'content-type': type, 'transfer-encoding': 'chunked' };
	const endless = { method: 'POST', url: '/shop/order', headers: chunked, payload: '1' } as const;
	expect((await server.inject(endless)).body).toContain('send Content-Length');
	const order = {
		method: 'POST',
		url: '/shop/order',
		payload: `number=${listing[0]?.number}`,
	} as const;
	const headers = { 'content-type': 'application/x-www-form-urlencoded' };
	expect((await server.inject({ ...order, headers })).statusCode).toBe(303);
});

test('the body of a request for what is not there is not read', async () => {
	const headers = { 'content-type': 'application/json' };
	const request = { method: 'POST', url: '/nowhere', headers } as const;
	const { statusCode, body } = await server.inject({ ...request, payload: '[' });
	expect([statusCode, body]).toEqual([
		404,
		expect.stringContaining('There is no POST /nowhere here.'),
	]);
	const turn = await longestTurn(async () => {
		const payload = '['.repeat(15 * mebibyte);
		expect((await server.inject({ ...request, payload })).statusCode).toBe(404);
	});
	expect(turn).toBeLessThan(most);
});

test('links of megabytes in data: addresses', async () => {
	const long = 'x'.repeat(length({ full: 5_000_000, short: 2_000_000 }));
	answers['/'] = `<a href="data:text/html,${long}">one</a><a href="/${'y'.repeat(70_000)}">two</a>`;
	let batch: Awaited<ReturnType<typeof run>> | undefined;
	const turn = await longestTurn(async () => {
		batch = await run([
			step('navigate', { url: `${site.baseUrl}/` }),
			loop({ loopType: 'list', listType: 'elements', selector: 'a' }, [
				step('navigate', { useLoopItem: true }),
				extract({ Text: {} }, 'p'),
			]),
		]);
	});
	expect(turn).toBeLessThan(most);
	const failures = batch ? await scraping.failures.of(batch.id) : [];
	expect(failures.map(({ reason }) => reason.length < 400)).toEqual([true, true]);
	expect(failures[1]?.reason).toContain('is longer than 65536 characters');
});

test('what is said in the log has a length', () => {
	const said = inLine({ url: `http://${'x'.repeat(100_000)}`, rows: 5, reason: 'short' });
	expect(String(said.url)).toHaveLength(4_001);
	expect(said).toMatchObject({ rows: 5, reason: 'short' });
});
