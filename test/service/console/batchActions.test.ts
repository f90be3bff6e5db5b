import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { cloudClient } from '../../support/service/cloudClient';
import { consoleClient, visitConsole } from '../../support/service/console';
import { plainText } from '../../support/service/plainText';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { startSite, type Site } from '../../support/service/startSite';
import { extract, loop, step, task, uuidOf, writeTasks } from '../../support/service/taskFiles';
import { serviceWithBatches } from './storedBatches';

// A batch is started once more as it was, and deleted.

let site: Site;
let service: RunningService;
let client: ReturnType<typeof cloudClient>;
let visit: Awaited<ReturnType<typeof consoleClient>>;
/** Lets the page /slow come. */
let release = (): void => undefined;

const taskID = uuidOf('pages');
const pages = (urls: string[]) =>
	task('pages', [
		loop(
			{ loopType: 'list', listType: 'urlList', urls: urls.map((path) => site.baseUrl + path) },
			[step('navigate', { useLoopItem: true }), extract({ Text: {} }, 'p')],
			'pages',
		),
	]);
const post = (path: string, entries: Record<string, string> = {}) =>
	visit(path, { method: 'POST', body: new URLSearchParams(entries) });
const textOf = async (path: string) => plainText(await (await visit(path)).text());
const again = (batchID: string, token: string = uuidOf('token')) =>
	post(`/console/batches/${batchID}/again`, { token });

/** Starts the task with other pages, and waits for its end. */
async function runWith(paths: string[]): Promise<string> {
	const value = paths.map((path) => site.baseUrl + path);
	const actionParams = [{ id: uuidOf('pages'), value }];
	const { batch } = await client.run(taskID, { jobCount: 5, actionParams });
	return batch.batchID;
}

beforeEach(async () => {
	const released = new Promise<void>((resolve) => (release = resolve));
	site = await startSite(async ({ url }) => {
		if (url.pathname === '/slow') await released;
		return `<p>${url.pathname}</p>`;
	});
	service = await startService({ tasks: { pages: pages(['/1']) } });
	client = cloudClient(service);
	visit = await consoleClient(service);
});
afterEach(async () => {
	release();
	await service.stop();
	await site.stop();
});

test('a batch with other values is started once more with them, however often the form is sent', async () => {
	const first = await runWith(['/a', '/b']);
	const page = await textOf(`/console/batches/${first}`);
	expect(page).toContain('Run again with the same values');
	expect(page).toContain(
		`Step values Loop: URL List 2 lines: ${site.baseUrl}/a, ${site.baseUrl}/b for step ${uuidOf('pages')}`,
	);
	const [one, two] = [await again(first), await again(first)];
	const location = one.headers.get('location') ?? '';
	expect(two.headers.get('location')).toBe(location);
	const batchID = location.split('/').at(-1) ?? '';
	expect(batchID).not.toBe(first);
	await service.logged({ batchID, msg: 'batch successful' });
	const { list } = await client.data(batchID);
	expect(list.map((row) => Object.values(JSON.parse(row) as Record<string, string>)[0])).toEqual([
		'/a',
		'/b',
	]);
	expect(await textOf(location)).toContain('Jobs done 2 of 2');
});

test('the values that a batch was started with are shown shortened, and those that a page has no room for, counted', async () => {
	const paths = Array.from({ length: 30 }, (_, index) => `/${index}`);
	const list = await textOf(`/console/batches/${await runWith(paths)}`);
	const whole = paths.map((path) => site.baseUrl + path).join(', ');
	expect(list).toContain(`Loop: URL List 30 lines: ${whole.slice(0, 120).trimEnd()}… for step`);
	const ids = Array.from({ length: 7 }, (_, index) => `page ${index}`);
	const steps = ids.map((id) => step('navigate', { url: site.baseUrl }, id));
	await writeTasks(join(service.folder, 'tasks'), { pages: task('pages', steps) });
	await service.logged({ msg: 'task file changed', taskID });
	const address = `${site.baseUrl}/${'long'.repeat(100)}<b>`;
	const actionParams = ids.map((id) => ({ id: uuidOf(id), value: address }));
	const { batch } = await client.run(taskID, { actionParams });
	const values = await textOf(`/console/batches/${batch.batchID}`);
	const first = `Navigate: URL ${address.slice(0, 120)}… for step ${uuidOf('page 0')}`;
	expect(values).toContain(first);
	expect(values).toContain(`for step ${uuidOf('page 4')} … and 2 more`);
	expect(values).not.toContain(uuidOf('page 5'));
});

test('values that the task takes no more are said, and nothing is started', async () => {
	const first = await runWith(['/a']);
	await writeTasks(join(service.folder, 'tasks'), {
		pages: task('pages', [step('navigate', { url: site.baseUrl }), extract({ Text: {} }, 'p')]),
	});
	await service.logged({ msg: 'task file changed', taskID });
	const refused = await again(first);
	expect(refused.status).toBe(404);
	expect(await refused.text()).toContain('no step has the id');
	expect((await client.batches(taskID)).pagination.total).toBe(1);
});

test('a batch of which nobody knows what it was started with cannot be started again', async () => {
	const old = await serviceWithBatches([{ taskID, columns: ['Name'], rows: [['one']] }]);
	const get = await consoleClient(old.service);
	const path = `/console/batches/${old.batchIDs[0]}`;
	expect(await (await get(path)).text()).not.toContain('Run again');
	const refused = await get(`${path}/again`, { method: 'POST' });
	expect(refused.status).toBe(409);
	expect(await refused.text()).toContain('were not kept');
	await old.service.stop();
});

test('a deleted batch is gone with all that belongs to it, and others stay', async () => {
	const [gone, stays] = [await runWith(['/a', '/b']), await runWith(['/c'])];
	const deleted = await post(`/console/batches/${gone}/delete`);
	expect(deleted.headers.get('location')).toBe(`/console/tasks/${taskID}#runs`);
	expect((await visit(`/console/batches/${gone}`)).status).toBe(404);
	expect((await client.batches(taskID)).list.map(({ batchID }) => batchID)).toEqual([stays]);
	await expect(client.data(gone)).rejects.toThrow();
	expect((await client.data(stays)).list).toHaveLength(1);
	await expectNothingLeftOf(gone);
});

test('what a deleted batch has left over, after a crash, is deleted at the next start', async () => {
	const gone = await runWith(['/a', '/b']);
	await service.end();
	const database = new DatabaseSync(join(service.folder, 'service.db'));
	for (const table of ['batches WHERE id', 'starts WHERE batch_id']) {
		database.prepare(`DELETE FROM ${table} = ?`).run(BigInt(gone));
	}
	database.close();
	service = await startService({ folder: service.folder });
	await expectNothingLeftOf(gone);
});

/** Expects that no table has anything of a batch, once what it leaves over is cleared. */
async function expectNothingLeftOf(batchID: string): Promise<void> {
	await service.logged({ msg: 'rows of deleted batches cleared', batches: 1 });
	await service.end();
	const database = new DatabaseSync(join(service.folder, 'service.db'));
	const left = ['rows', 'jobs', 'starts'].map(
		(table) =>
			database
				.prepare(`SELECT count(*) AS count FROM ${table} WHERE batch_id = ?`)
				.get(BigInt(batchID))?.count,
	);
	database.close();
	expect(left).toEqual([0, 0, 0]);
}

test('a batch that goes on is not deleted', async () => {
	const { batchID } = await client.start(taskID, {
		actionParams: [{ id: uuidOf('pages'), value: [`${site.baseUrl}/slow`] }],
	});
	const refused = await post(`/console/batches/${batchID}/delete`);
	expect(refused.status).toBe(409);
	expect(await refused.text()).toContain('this batch has not ended. Stop it first');
	release();
	await service.logged({ batchID, msg: 'batch successful' });
});

describeWithBrowser('in a browser', () => {
	const browser = useChromium();

	test('what can be done with a batch changes when it ends', async () => {
		const { page } = await visitConsole(browser(), service);
		const { batchID } = await client.start(taskID, {
			actionParams: [{ id: uuidOf('pages'), value: [`${site.baseUrl}/slow`] }],
		});
		await page.goto(`/console/batches/${batchID}`);
		await page.getByRole('button', { name: 'Stop' }).waitFor();
		release();
		await page.getByRole('button', { name: 'Run again with the same values' }).click();
		await page.waitForURL((url) => !url.pathname.endsWith(batchID));
		await page.getByText('Loop: URL List 1 line').waitFor();
	});

	test('a batch is deleted from the list of batches once that was asked for', async () => {
		const batchID = await runWith(['/a']);
		const { page } = await visitConsole(browser(), service);
		await page.goto(`/console/tasks/${taskID}`);
		page.once('dialog', (dialog) => void dialog.accept());
		await page.getByRole('button', { name: `Delete the batch ${batchID}` }).click();
		await page.getByText('Nothing has run yet.').waitFor();
	});
});
