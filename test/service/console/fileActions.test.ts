import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { cloudClient } from '../../support/service/cloudClient';
import { consoleClient, visitConsole } from '../../support/service/console';
import { plainText } from '../../support/service/plainText';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { startSite, type Site } from '../../support/service/startSite';
import { extract, step, task, uuidOf } from '../../support/service/taskFiles';
import { expectUsable, views } from '../../support/service/usable';

// A task is renamed, duplicated, deleted for a week, and brought back.

const hostile = '"><script>alert(1)</script>';
const day = 24 * 60 * 60 * 1000;

let site: Site;
let service: RunningService;
let visit: Awaited<ReturnType<typeof consoleClient>>;

const reading = (name: string) =>
	task(name, [step('navigate', { url: site.baseUrl }), extract({ Text: {} }, 'p')]);
const file = (name: string) => join(service.folder, 'tasks', name);
const post = (path: string, entries: Record<string, string> = {}) =>
	visit(path, { method: 'POST', body: new URLSearchParams(entries) });
const pageOf = async (path: string) => plainText(await (await visit(path)).text());

beforeAll(async () => {
	site = await startSite(() => '<p>one</p><p>two</p>');
});
beforeEach(async () => {
	service = await startService({
		tasks: { 'Mixed Case': reading('first'), second: reading('second'), bad: '{' },
	});
	visit = await consoleClient(service);
});
afterEach(() => service.stop());
afterAll(() => site.stop());

test('a task that is renamed has another name, and its file is as it was written besides', async () => {
	const before = `{ "name" : "old",\r\n\t"taskID": "${uuidOf('own')}", "page":"http",\r\n "steps": ${JSON.stringify(reading('x').steps)}}\r\n`;
	await writeFile(file('own.json'), before);
	await service.logged({ msg: 'task file loaded', taskID: uuidOf('own') });
	const renamed = await post('/console/files/rename/own.json', { taskName: ` ${hostile} ` });
	expect(renamed.headers.get('location')).toBe(`/console/tasks/${uuidOf('own')}?saved=renamed`);
	const after = before.replace('"old"', JSON.stringify(hostile));
	expect(await readFile(file('own.json'), 'utf8')).toBe(after);
	const page = await (await visit(`/console/tasks/${uuidOf('own')}?saved=renamed`)).text();
	expect(page).toContain('The task is renamed.');
	expect(page).not.toContain('The task is saved.');
	expect(page).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
	expect(page).not.toContain('<script>alert');
});

test('a task without a name that can be seen is not saved', async () => {
	const refused = await post('/console/files/rename/second.json', { taskName: ' ' });
	expect(refused.status).toBe(409);
	expect(await refused.text()).toContain('Nothing was renamed. Give the task a name');
});

test('a duplicate is a task of its own: another ID, the same rows', async () => {
	const copied = await post('/console/files/duplicate/second.json');
	const [, copyID = ''] = /tasks\/([^?]+)\?saved/.exec(copied.headers.get('location') ?? '') ?? [];
	expect(copyID).not.toBe(uuidOf('second'));
	const page = await (await visit(copied.headers.get('location') ?? '')).text();
	expect(page).toContain('This is a copy');
	expect(page).not.toContain('The task is saved.');
	expect(JSON.parse(await readFile(file('second-copy.json'), 'utf8'))).toEqual({
		...reading('second'),
		taskID: copyID,
		name: 'second (copy)',
	});
	const { batch } = await cloudClient(service).run(copyID);
	expect(batch.lineCount).toBe(2);
});

test('a deleted task cannot be started, its batches stay, and Undo brings it back as it was', async () => {
	const before = await readFile(file('Mixed Case.json'), 'utf8');
	await cloudClient(service).run(uuidOf('first'));
	const deleted = await post(`/console/files/delete/${encodeURIComponent('Mixed Case.json')}`);
	const location = deleted.headers.get('location') ?? '';
	const list = await pageOf(location);
	expect(list).toContain('The task first is deleted. Undo');
	expect(list).toContain('Batches of tasks whose file is gone');
	await expect(cloudClient(service).start(uuidOf('first'))).rejects.toThrow('There is no task');

	const id = new URL(location, service.baseUrl).searchParams.get('deleted') ?? '';
	const back = await post(`/console/files/bring-back/${encodeURIComponent(id)}`);
	expect(back.headers.get('location')).toBe(`/console/tasks/${uuidOf('first')}`);
	expect(await readFile(file('Mixed Case.json'), 'utf8')).toBe(before);
	await cloudClient(service).run(uuidOf('first'));
	expect(await pageOf('/console/')).not.toContain('Deleted tasks');
});

test('a file with a mistake can be deleted as well, and brought back', async () => {
	await post('/console/files/delete/bad.json');
	expect(await pageOf('/console/')).not.toContain('could not be loaded');
	const [id = ''] = await readdir(file('.deleted'));
	await post(`/console/files/bring-back/${id}`);
	expect(await pageOf('/console/')).toContain('1 task file could not be loaded');
});

test('what was deleted more than a week ago is gone', async () => {
	await mkdir(file('.deleted'));
	const text = JSON.stringify(reading('gone'));
	const [young, old] = [6, 8].map((days) => `${Date.now() - days * day}-${days}-days.JSON`);
	await writeFile(file(`.deleted/${young}`), text);
	await writeFile(file(`.deleted/${old}`), text);
	await writeFile(file('.deleted/notes.txt'), 'not ours');
	expect((await post(`/console/files/bring-back/${old}`)).status).toBe(404);
	expect((await readdir(file('.deleted'))).sort()).toEqual([young, 'notes.txt'].sort());
	expect((await post(`/console/files/bring-back/${young}`)).status).toBe(303);
	expect((await readdir(file(''))).sort()).toContain('6-days.JSON');
});

test('a task whose ID another one has by now is not brought back', async () => {
	await post('/console/files/delete/second.json');
	const [id = ''] = await readdir(file('.deleted'));
	await writeFile(file('new.json'), JSON.stringify({ ...reading('second'), name: 'The new one' }));
	await service.logged({ msg: 'task file loaded', file: file('new.json') });
	const refused = await post(`/console/files/bring-back/${id}`);
	expect(refused.status).toBe(409);
	expect(await refused.text()).toContain('The task “The new one” now has its task ID');
	expect(await readdir(file('.deleted'))).toEqual([id]);
});

test.each(['rename', 'duplicate', 'delete', 'bring-back'])(
	'%s: nothing but what is in the folder',
	async (action) => {
		for (const name of ['none.json', '..%2Fservice.db', '%2Fetc%2Fpasswd', 'tasks', '.deleted']) {
			const refused = await post(`/console/files/${action}/${name}`, { taskName: 'x' });
			expect(refused.status).toBe(404);
		}
		const foreign = await visit(`/console/files/${action}/second.json`, {
			method: 'POST',
			headers: { origin: 'https://elsewhere.example' },
		});
		expect(foreign.status).toBe(403);
	},
);

describeWithBrowser('in a browser', () => {
	const browser = useChromium();

	test.each(views(0))('%s, %i pixels wide: a deleted task', async (colorScheme, width) => {
		await post('/console/files/delete/second.json');
		const { page, complaints } = await visitConsole(browser(), service, { colorScheme, width });
		await page.goto('/console/');
		await page.getByRole('heading', { name: 'Deleted tasks' }).waitFor();
		await expectUsable({ page, complaints });
	});

	test('is asked for: only who says yes deletes, and undoes it with a click', async () => {
		const { page } = await visitConsole(browser(), service);
		await page.goto(`/console/tasks/${uuidOf('second')}`);
		const remove = page.getByRole('button', { name: 'Delete' });
		page.once('dialog', (dialog) => void dialog.dismiss());
		await remove.click();
		expect(await readdir(file(''))).toContain('second.json');
		page.once('dialog', (dialog) => void dialog.accept());
		await remove.click();
		await page.getByRole('button', { name: 'Undo' }).click();
		await page.getByRole('heading', { name: 'second' }).waitFor();
	});
});
