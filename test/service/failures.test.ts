import { join } from 'node:path';
import { pino } from 'pino';
import { openSqlite } from '../../service/src/store/sqlite/openSqlite.ts';
import { describeOnBothPagesAtLength } from '../support/service/browser';
import { cloudClient, type Batch, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, loop, onBothPages, step, task, uuidOf } from '../support/service/taskFiles';

/** Batches may have identifiers that no number of JavaScript holds. */
const env = { SERVICE_LARGE_IDS: 'true' };

let site: Site;
let service: RunningService;
let client: CloudClient;

const reading = (urls: string[], columns: Record<string, string>, rows?: string) =>
	loop({ loopType: 'list', listType: 'urlList', urls }, [
		step('navigate', { useLoopItem: true }, `open ${urls.length}`),
		extract(columns, rows),
	]);

beforeAll(async () => {
	site = await startSite(({ url }) =>
		url.pathname.startsWith('/gone')
			? { status: 404, body: '' }
			: `<ul><li><b>${url.pathname}</b><i></i></li></ul>`,
	);
	const base = site.baseUrl;
	const secret = base.replace('//', '//someone:se%27cret@');
	const tasks = {
		failing: task('failing', [
			reading([`${base}/gone`, `${base}/1`, `${base}/gone/2`], { Path: 'b' }, 'li'),
		]),
		misspelt: task('misspelt', [
			reading([`${base}/1`, `${base}/2`], { Path: 'b' }, 'il'),
			step('navigate', { url: `${base}/3` }),
			extract({ Path: 'b', Empty: 'i', Misspelt: '.prize' }, 'li'),
			loop({ loopType: 'list', listType: 'elements', selector: '.lop' }, [extract({ Never: 'b' })]),
		]),
		unread: task('unread', [reading([`${base}/gone`], { Path: 'b' }, 'li')]),
		sometimes: task('sometimes', [
			loop({ loopType: 'list', listType: 'urlList', urls: [`${base}/1`, `${base}/2`] }, [
				step('navigate', { useLoopItem: true }, 'sometimes'),
				step('click', { selector: 'a' }, 'missing link'),
				extract({ Path: 'b' }),
			]),
		]),
		many: task('many', [
			reading(
				Array.from({ length: 1_003 }, (_, index) => `${base}/gone/${index}`),
				{ Path: 'b' },
				'li',
			),
		]),
		badAddress: {
			...task('bad address', [step('navigate', { url: 'ftp://someone:secret@host/' })]),
		},
	};
	const withPassword = {
		secret: task('secret', [reading([`${secret}/1`, `${secret}/gone`], { Path: 'b' }, 'li')]),
	};
	service = await startService({ tasks: { ...tasks, ...onBothPages(withPassword, base) }, env });
	client = cloudClient(service);
});

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

async function endOf({ batchID }: Batch) {
	await service.logged({ batchID, msg: 'batch successful' });
	return service.log.find((line) => line.batchID === batchID && line.msg === 'batch successful');
}

/** What the store holds about a batch, read as the console will, after the service has gone. */
async function stored(batches: Batch[]) {
	await service.end();
	const log = pino({ level: 'silent' });
	const store = openSqlite(join(service.folder, 'service.db'), { log });
	const found = await Promise.all(
		batches.map(async ({ batchID }) => ({
			failedPages: (await store.batches.get(BigInt(batchID))).failedPages,
			failures: await store.failures.of(BigInt(batchID)),
			empty: await store.selectors.emptyOf(BigInt(batchID)),
		})),
	);
	await store.close();
	service = await startService({ folder: service.folder, env });
	client = cloudClient(service);
	return found;
}

test('failed pages are counted in the log, and stored with address, reason and tries', async () => {
	const { batch, rows } = await client.run(uuidOf('failing'));
	expect(rows).toEqual([{ Path: '/1' }]);
	expect(await endOf(batch)).toMatchObject({ lineCount: 1, failedPages: 2, emptySelectors: [] });
	const [found] = await stored([batch]);
	expect(found).toMatchObject({
		failedPages: 2,
		failures: [
			{
				what: `${site.baseUrl}/gone`,
				address: `${site.baseUrl}/gone`,
				reason: `${site.baseUrl}/gone could not be opened: HTTP 404, the page does not exist.`,
				tries: 1,
				job: 0,
			},
			{ address: `${site.baseUrl}/gone/2` },
		],
		empty: [],
	});
});

test('the address of a page that lacks an element is that of the page', async () => {
	const { batch } = await client.run(uuidOf('sometimes'));
	const [found] = await stored([batch]);
	expect(found).toMatchObject({
		failures: [
			{ address: `${site.baseUrl}/1`, reason: 'The page has no element a.' },
			{ address: `${site.baseUrl}/2`, reason: 'The page has no element a.' },
		],
	});
});

test('selectors that found nothing in a whole batch are named in the log and stored', async () => {
	const { batch } = await client.run(uuidOf('misspelt'));
	const emptySelectors = [
		{ selector: 'il' },
		{ selector: '.lop' },
		{ selector: 'i', field: { name: 'Empty' } },
		{ selector: '.prize', field: { name: 'Misspelt' } },
	];
	const end = await endOf(batch);
	expect(end).toMatchObject({ lineCount: 1, failedPages: 0 });
	const inOrder = (list: unknown) =>
		(list as { selector: string }[]).sort((a, b) => b.selector.localeCompare(a.selector));
	expect(inOrder(end?.emptySelectors)).toMatchObject(inOrder(emptySelectors));
	const [found] = await stored([batch]);
	expect(inOrder(found?.empty)).toMatchObject(inOrder(emptySelectors));
});

test('a selector that was never used is not called empty', async () => {
	const { batch } = await client.run(uuidOf('unread'));
	expect(await endOf(batch)).toMatchObject({ failedPages: 1, emptySelectors: [] });
});

test('of very many failed pages 1,000 are kept, and all are counted', async () => {
	const { batch } = await client.run(uuidOf('many'), { nodeCount: 4, jobCount: 4 });
	expect(await endOf(batch)).toMatchObject({ failedPages: 1_003 });
	const [found] = await stored([batch]);
	expect(found?.failures).toHaveLength(1_000);
});

describeOnBothPagesAtLength('no password of an address, on a page of kind', (page) => {
	test('is in the log, or in what is stored of failures', async () => {
		const { batch } = await client.run(uuidOf(`secret ${page}`));
		await endOf(batch);
		const log = JSON.stringify(service.log);
		expect(log).toContain('***@127.0.0.1');
		const found = JSON.stringify(await stored([batch]));
		expect(found).toContain('/gone');
		expect(`${log}${found}`).not.toMatch(/se(%27)?cret@/);
	});
});

test('no password of an address is in an answer, or in the log', async () => {
	const body = { taskID: uuidOf('bad address'), nodeCount: 1, jobCount: 1 };
	const { msg } = await client.call('/cloud/start', { body });
	expect(msg).toContain('ftp://***@host/');
	expect(`${msg}${JSON.stringify(service.log)}`).not.toContain('secret@');
});
