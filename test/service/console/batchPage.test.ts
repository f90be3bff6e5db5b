import { cloudClient } from '../../support/service/cloudClient';
import { consoleClient } from '../../support/service/console';
import { plainText } from '../../support/service/plainText';
import { startSite } from '../../support/service/startSite';
import { extract, step, task, uuidOf } from '../../support/service/taskFiles';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { serviceWithBatches, unknownTask } from './storedBatches';

const script = '<script>alert(1)</script>';
const image = '"><img src=x onerror=alert(1)>';
const override = '\u202Efdp.exe';
const megabyte = `${'long '.repeat(199_998)}the needle`;

let service: RunningService;
let get: Awaited<ReturnType<typeof consoleClient>>;
let ids: string[];

beforeAll(async () => {
	const started = await serviceWithBatches(
		[
			{
				columns: [`Name ${script}`, 'Link', 'Link'],
				rows: [
					[script, 'https://shop.example/?a=1&b="2"', 'javascript:alert(1)'],
					[image, `https://shop.example/${override}`, megabyte],
					[override, ' https://shop.example/', undefined],
				],
				failures: [
					{ what: script, address: '', reason: image, tries: 1 },
					{ what: 'x', address: 'javascript:alert(1)', reason: override, tries: 5 },
					{ what: 'element 2 of .card', address: '', reason: 'no link', tries: 1 },
					{ what: 'steps', address: 'shop.example/start', reason: 'gone', tries: 1 },
				],
				emptySelectors: [{ selector: image }, { selector: '.price', column: script }],
				log: [
					{
						level: 'warn',
						message: `page failed ${script}`,
						details: { what: image, lineCount: 7, emptySelectors: [{ step: 's', selector: 'b' }] },
					},
				],
			},
			{
				columns: ['Name'],
				rows: [],
				log: [{ level: 'info', message: 'batch successful', details: {} }],
			},
			{ columns: ['Name'], rows: [], emptySelectors: [{ selector: '.row' }] },
			{ columns: ['Name'], rows: [], endReason: `the task is refused ${script}` },
			{
				columns: ['Number'],
				rows: Array.from({ length: 120 }, (_, index) => [
					index === 60 ? '+49 30 901820' : `value ${index + 1}`,
				]),
				failures: Array.from({ length: 1_100 }, (_, index) => ({
					what: 'page',
					address: `http://site.example/${index}`,
					reason: `http://site.example/${index} could not be opened: HTTP 404, the page does not exist.`,
					tries: 1,
				})),
				log: [{ level: 'info', message: 'batch successful', details: {} }],
			},
			{ taskID: uuidOf('good'), columns: ['Name'], rows: [['a']] },
		],
		{ SERVICE_LARGE_IDS: 'true' },
	);
	service = started.service;
	ids = started.batchIDs;
	get = await consoleClient(service);
});

afterAll(() => service?.stop());

const pageOf = async (index: number, rest = '') =>
	(await get(`/console/batches/${ids[index]}${rest}`)).text();

const cellsOfFailures = (page: string) =>
	[...page.matchAll(/<div class="value">\s*<bdi>([^]*?)<\/bdi>/g)].map(([, cell = '']) =>
		cell.trim(),
	);

/** Values that stand in the cells of the table of rows. */
const cellsOf = (page: string) =>
	[...page.matchAll(/<div class="value" dir="auto">([^]*?)<\/div>/g)].map(([, cell = '']) =>
		cell.trim(),
	);

test('identifiers above 2^53 are shown as they are', async () => {
	expect(BigInt(ids[0] ?? 0)).toBeGreaterThan(2n ** 53n);
	expect(await pageOf(0)).toContain(`data-copy="${ids[0]}"`);
});

test.each(['0', '-1', '1', 'abc', '1e3', '9'.repeat(19), '9'.repeat(400), '%00'])(
	'batch %s: a page that says there is none',
	async (batchID) => {
		for (const rest of ['', '/live', '/rows.csv', '/rows.jsonl', '/rows/1', '/failures']) {
			const response = await get(`/console/batches/${batchID}${rest}`);
			expect(response.status).toBe(404);
			expect(await response.text()).toContain('There is nothing here');
		}
		const stop = await get(`/console/batches/${batchID}/stop`, { method: 'POST' });
		expect(stop.status).toBe(404);
	},
);

test.each(['', '/rows/1', '/rows/2', '/failures', '?q=alert', '?q=%3Cscript'])(
	'what was scraped stays text: %s',
	async (rest) => {
		const page = await pageOf(0, rest);
		expect(page).toContain('alert');
		expect(page).not.toContain('<script>');
		expect(page).not.toContain('<img src=x');
		expect(page).not.toMatch(/(href|src)="javascript/);
	},
);

test('only addresses on the web that show where they lead are links', async () => {
	const outward = [...(await pageOf(0)).matchAll(/<a\s+href="([^"]*)" target="_blank"([^>]*)>/g)];
	expect(outward.map(([, address]) => address)).toEqual([
		'https://shop.example/?a=1&amp;b=&quot;2&quot;',
	]);
	expect(outward[0]?.[2]).toContain('rel="noopener noreferrer"');
});

test('a long value is cut, with a link to the row with all of it', async () => {
	const page = await pageOf(0);
	expect(page.length).toBeLessThan(100_000);
	expect(page).toContain(`href="/console/batches/${ids[0]}/rows/2#column-3"`);
	expect(page).toContain('All 1,000,000 characters of Link (2)');
	const row = await pageOf(0, '/rows/2');
	expect(row).toContain(megabyte);
	expect(row).toContain('id="column-3"');
});

test('a search shows a cut value around what it has found', async () => {
	const [, , found] = cellsOf(await pageOf(0, '?q=NEEDLE'));
	expect(found).toMatch(/^…\s+(long )+the <mark>needle<\/mark>$/);
});

test('a search minds no capitals and marks what it has found', async () => {
	const found = cellsOf(await pageOf(4, '?q=LUE+12'));
	expect(found).toEqual(
		['12', '120'].map((number) => `va<mark>lue ${number.slice(0, 2)}</mark>${number.slice(2)}`),
	);
});

test('a search finds values only, whatever signs it has', async () => {
	expect(cellsOf(await pageOf(0, '?q=f0'))).toEqual([]);
	expect(cellsOf(await pageOf(0, `?q=${encodeURIComponent('":"')}`))).toEqual([]);
	expect(cellsOf(await pageOf(0, `?q=${encodeURIComponent('"2"')}`))).toHaveLength(3);
	expect(cellsOf(await pageOf(0, `?q=${encodeURIComponent('(.*')}`))).toEqual([]);
});

test('rows come page by page, and a page that does not exist is the last', async () => {
	expect(cellsOf(await pageOf(4, '?page=3'))).toHaveLength(20);
	const last = await pageOf(4, '?page=999');
	expect(last).toContain('Rows 101–120 of 120');
	expect(cellsOf(last)[0]).toBe('value 101');
	expect(await pageOf(4, '?page=x')).toContain('Rows 1–50 of 120');
	expect((await get(`/console/batches/${ids[4]}/rows/121`)).status).toBe(404);
});

test('an empty batch says why, as far as that is known', async () => {
	const nothing = await pageOf(1);
	expect(nothing).toContain('This batch found nothing: none of its steps');
	expect(plainText(nothing)).toContain('Status No rows no step found a row Rows 0');
	const missed = await pageOf(2);
	expect(missed).toMatch(/This batch found nothing: see the\s+<a href="#selectors">/);
	expect(plainText(missed)).toContain('Status No rows 1 selector found nothing Rows 0');
	const stopped = await pageOf(3);
	expect(stopped).toContain('This batch was stopped before it found anything');
	expect(stopped).toContain('the task is refused &lt;script&gt;');
});

test('failed pages: the first ones, how many there are, and all that are kept', async () => {
	const page = await pageOf(4);
	expect(page).toContain('1,100 pages failed');
	expect(page).toContain('The first 1,000 are kept');
	expect(page.match(/HTTP 404/g)).toHaveLength(10);
	expect((await pageOf(4, '/failures')).match(/HTTP 404/g)).toHaveLength(1_000);
});

test('a reason does not say once more which page it is about', async () => {
	const reasons = cellsOfFailures(await pageOf(4)).filter((text) => text.includes('HTTP 404'));
	expect(reasons[0]).toBe('could not be opened: HTTP 404, the page does not exist.');
});

test.each([
	['that has ended with failed pages', 4, 'With failures', 'warn'],
	['without any, and without rows', 1, 'No rows', 'warn'],
	['with rows', 5, 'Successful', 'successful'],
	['that was ended', 3, 'Stopped', 'stopped'],
] as const)('the badge of a batch %s', async (_, index, name, colour) => {
	expect(await pageOf(index)).toContain(`<span class="badge ${colour}">${name}</span>`);
});

test('a batch with failed pages, or without rows, has its badge in the lists of batches and tasks', async () => {
	const badge = '<span class="badge warn">With failures</span>';
	const none = '<span class="badge warn">No rows</span>';
	// The newest batch of a task whose file is gone is the one with 1,100 failed pages.
	expect(await (await get('/console/')).text()).toContain(badge);
	const batches = await (await get(`/console/tasks/${unknownTask}`)).text();
	expect(batches.split(badge)).toHaveLength(3);
	expect(batches.split(none)).toHaveLength(3);
	expect(batches).toContain('Nothing was found');
	expect(batches).toContain('bar-of warn');
});

test('selectors that matched nothing are named with their column', async () => {
	const page = await pageOf(0);
	expect(page).toContain('<code>.price</code>');
	expect(page).toContain('this column is empty in all of them');
	expect(page).toContain('No element was found');
});

test('the log is in words', async () => {
	const log = (await pageOf(0))
		.split('id="batch-log"')[1]
		?.replace(/<[^>]*>|\s+/g, ' ')
		.replace(/\s+/g, ' ');
	expect(log).toContain('page failed &lt;script&gt;');
	expect(log).toContain('line count: 7');
	expect(log).toContain('empty selectors: selector b');
});

test('the log of a batch with failures has the word of its status', async () => {
	const [, log] = (await pageOf(4)).split('id="batch-log"');
	expect(log).toContain('batch ended with failures');
	expect(log).not.toContain('batch successful');
	expect(await pageOf(1)).toContain('batch ended without rows');
});

test('an entry that failed is named by its number, in words', async () => {
	const page = await pageOf(0);
	expect(page).toContain('Entry 2 of the list on the page (element 2 of .card)');
	// A page with an address needs no word for all that was done with it.
	expect(page).not.toContain('>steps<');
});

test('what the CSV has before some texts is said where there is one', async () => {
	const said = /as \+49 30 901820, begins with an apostrophe/;
	expect(plainText(await pageOf(4, '?page=2'))).toMatch(said);
	for (const index of [1, 4]) expect(await pageOf(index)).not.toContain('In the CSV');
});

test('that a page is tried again is said near the progress', async () => {
	const site = await startSite(() => ({ status: 503, headers: { 'retry-after': '60' }, body: '' }));
	const steps = [step('navigate', { url: site.baseUrl }), extract({ Title: 'h1' })];
	const own = await startService({ tasks: { busy: task('busy', steps, { tries: 3 }) } });
	const { batchID } = await cloudClient(own).start(uuidOf('busy'));
	await own.logged({ batchID, msg: 'page failed, trying again' });
	const visit = await consoleClient(own);
	const text = await (await visit(`/console/batches/${batchID}`)).text();
	expect(plainText(text)).toMatch(
		/A page failed and will be tried again soon: try 2 of 3.*Batch ID/s,
	);
	await own.stop();
	await site.stop();
});

test('duplicates are told as a part of the rows', async () => {
	const own = await startService();
	const { batch } = await cloudClient(own).run('11111111-1111-4111-8111-111111111111');
	const visit = await consoleClient(own);
	const text = await (await visit(`/console/batches/${batch.batchID}`)).text();
	expect(plainText(text)).toContain('Rows 72 Duplicates 6 of 72 in the rows and files, too');
	await own.stop();
});
