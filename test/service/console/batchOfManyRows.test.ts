import { length } from '../../support/length';
import { cloudClient } from '../../support/service/cloudClient';
import { consoleClient } from '../../support/service/console';
import type { RunningService } from '../../support/inProcess/startService';
import { stopwatch } from '../../support/service/stopwatch';
import { serviceWithManyRows } from './storedBatches';

const count = length({ full: 1_000_000, short: 200_000 });

const grouped = (row: number) => row.toLocaleString('en');

let service: RunningService;
let get: Awaited<ReturnType<typeof consoleClient>>;
let path: string;

beforeAll(async () => {
	const { batchID, ...started } = await serviceWithManyRows(count);
	service = started.service;
	get = await consoleClient(service);
	path = `/console/batches/${batchID}`;
});

afterAll(() => service?.stop());

const pageOf = async (query: string) => (await get(`${path}${query}`)).text();

/** How often the API answers while something else is under way: once where that leaves it no turn. */
async function answersDuring(work: Promise<unknown>): Promise<number> {
	const client = cloudClient(service);
	const state = { isDone: false };
	void work.finally(() => (state.isDone = true));
	let answers = 0;
	while (!state.isDone) {
		await client.batches('99999999-9999-4999-8999-999999999999');
		answers += 1;
	}
	await work;
	return answers;
}

test.each([
	['', `Rows 1–50 of ${grouped(count)}`, '/items/50<'],
	[
		`?page=${count / 100}`,
		`Rows ${grouped(count / 2 - 49)}–${grouped(count / 2)} of ${grouped(count)}`,
		`/items/${count / 2}<`,
	],
	[
		`?page=${count / 50}`,
		`Rows ${grouped(count - 49)}–${grouped(count)} of ${grouped(count)}`,
		`/items/${count}<`,
	],
	[`/rows/${count - 1}`, `Row ${grouped(count - 1)}`, `/items/${count - 1}<`],
])('the page %s of very many rows opens at once', async (query, heading, row) => {
	const took = stopwatch();
	const page = await pageOf(query);
	expect(took()).toBeLessThan(500);
	expect(page).toContain(heading);
	expect(page).toContain(row);
});

test('a search through all rows leaves the API its turns', async () => {
	const searched = pageOf(`?q=item+${count}`);
	expect(await answersDuring(searched)).toBeGreaterThan(2);
});

test('searches that go on where the last one paused find every row', async () => {
	const found: string[] = [];
	const wanted = count / 10 - 1;
	let query: string | undefined = `?q=ITEM+${wanted}`;
	while (query !== undefined) {
		const page = await pageOf(query);
		found.push(...[...page.matchAll(/aria-label="Row (\d+), whole"/g)].map(([, row = '']) => row));
		query = /href="[^"]*(\?q=[^"#]*&amp;from=(?!1#)[^"#]*)/.exec(page)?.[1]?.replace('&amp;', '&');
	}
	const tens = Array.from({ length: 10 }, (_, digit) => String(count - 10 + digit));
	expect(found).toEqual([String(wanted), ...tens]);
});

test('matches come fifty at a time, and none is left out between two pages', async () => {
	const rowsOf = (page: string) =>
		[...page.matchAll(/aria-label="Row (\d+), whole"/g)].map(([, row]) => Number(row));
	const first = await pageOf('?q=7');
	expect(first).toContain('50 rows found');
	const [, next = ''] = /href="[^"]*(\?q=7&amp;from=\d+)#rows"/.exec(first) ?? [];
	const second = await pageOf(next.replace('&amp;', '&'));
	const withSeven = Array.from({ length: 1_000 }, (_, index) => index + 1).filter((number) =>
		String(number).includes('7'),
	);
	expect([...rowsOf(first), ...rowsOf(second)]).toEqual(withSeven.slice(0, 100));
});

test('a whole batch is downloaded while the API has its turns', async () => {
	const response = await get(`${path}/rows.jsonl`);
	const downloaded = response.text();
	expect(await answersDuring(downloaded)).toBeGreaterThan(2);
	const lines = (await downloaded).trimEnd().split('\n');
	expect(lines).toHaveLength(count);
	expect(lines.at(-1)).toBe(
		`{"Name":"Item ${count}","Address":"https://shop.example/items/${count}"}`,
	);
});

test('a download that is given up does no harm', async () => {
	const leaving = new AbortController();
	const response = await get(`${path}/rows.csv`, { signal: leaving.signal });
	const reader = response.body?.getReader();
	await reader?.read();
	leaving.abort();
	expect(await answersDuring(pageOf('?q=nothing'))).toBeGreaterThan(2);
	expect((await get(path)).status).toBe(200);
});
