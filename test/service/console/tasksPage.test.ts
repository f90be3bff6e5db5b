import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { cloudClient } from '../../support/service/cloudClient';
import { consoleClient, visitConsole } from '../../support/service/console';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { startSite } from '../../support/service/startSite';
import { extract, step, task, uuidOf } from '../../support/service/taskFiles';
import { expectUsable, views } from '../../support/service/usable';

const hostile = '"><img src=x onerror=alert(1)><script>alert(2)</script>';

let site: Awaited<ReturnType<typeof startSite>>;
let service: RunningService;
/** Lets the page of the task "slow" come. */
let release = (): void => undefined;

const reading = (name: string, path = '/') =>
	task(name, [step('navigate', { url: site.baseUrl + path }), extract({ Text: {} }, 'p')]);

beforeAll(async () => {
	const released = new Promise<void>((resolve) => (release = resolve));
	site = await startSite(async ({ url }) => {
		if (url.pathname === '/slow') await released;
		return '<p>one</p><p>two</p>';
	});
	service = await startService({
		tasks: {
			one: reading('The first task'),
			slow: reading('slow', '/slow'),
			gone: reading('gone'),
			hostile: { ...reading(hostile), taskID: uuidOf('hostile') },
			bad: JSON.stringify({ taskID: uuidOf('bad'), name: 'bad', page: 'http', steps: [] }),
			proxy: '{ "proxy": "http://me:secret@host:1", }',
		},
	});
});

afterAll(async () => {
	await service?.stop();
	await site?.stop();
});

test('shows each task with its ID, its kind of page, its latest batch and rows', async () => {
	const visit = await consoleClient(service);
	const before = await (await visit('/console/')).text();
	expect(before).toContain('The first task');
	expect(before).toContain(uuidOf('The first task'));
	expect(before).toContain('data-label="Latest batch">none<');
	expect(before).toContain('href="/console/new"');
	const { batch } = await cloudClient(service).run(uuidOf('The first task'));
	const after = await (await visit('/console/')).text();
	expect(after).toContain(`/console/batches/${batch.batchID}"`);
	expect(after).toMatch(/Successful<\/span>[^]*?<td class="number" data-label="Rows">\s*2/);
});

test('names files that could not be loaded, and why, without their passwords', async () => {
	const visit = await consoleClient(service);
	const page = await (await visit('/console/')).text();
	expect(page).toContain('2 task files could not be loaded');
	expect(page).toContain('/steps must not be empty');
	expect(page).toContain('/console/files/edit/bad.json');
	expect(page).not.toContain('secret');
});

test('what stands in a task file is text', async () => {
	const visit = await consoleClient(service);
	const page = await (await visit('/console/')).text();
	expect(page).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;');
	expect(page).not.toMatch(/<img src=x|<script>alert/);
});

test('batches stay to be found when the file of their task is gone', async () => {
	await cloudClient(service).run(uuidOf('gone'));
	await rm(join(service.folder, 'tasks', 'gone.json'));
	await service.logged({ msg: 'task file removed', taskID: uuidOf('gone') });
	const visit = await consoleClient(service);
	const page = await (await visit('/console/')).text();
	expect(page).toContain('Batches of tasks whose file is gone');
	expect(page).toContain(`/console/tasks/${uuidOf('gone')}"`);
});

test('a folder without tasks says where to put one', async () => {
	const tasksFolder = join(service.folder, 'empty');
	await mkdir(tasksFolder);
	const empty = await startService({ tasksFolder });
	const visit = await consoleClient(empty);
	const page = await (await visit('/console/')).text();
	expect(page).toContain(`JSON file in <code>${tasksFolder}`);
	expect(page).toMatch(/Make one with <a href="\/console\/new">New task</);
	expect(page).not.toContain('a task below');
	await empty.stop();
});

test('tasks are found by name and ID, and come by name or by their latest batch', async () => {
	const visit = await consoleClient(service);
	const namesOf = async (query: string) => {
		const page = await (await visit(`/console/?${query}`)).text();
		return [...page.matchAll(/aria-label="Start ([^"]*)"/g)].map(([, name = '']) => name);
	};
	expect(await namesOf('q=FIRST')).toEqual(['The first task']);
	expect(await namesOf(`q=${uuidOf('slow').toUpperCase()}`)).toEqual(['slow']);
	expect((await namesOf('order=name')).at(-1)).toBe('The first task');
	await cloudClient(service).run(uuidOf('The first task'));
	expect((await namesOf('order=run'))[0]).toBe('The first task');
	expect((await namesOf('order=none&q=')).at(-1)).toBe('The first task');
	const none = await (await visit(`/console/?q=${encodeURIComponent(`no ${hostile}`)}`)).text();
	expect(none).toContain('No task has “no &quot;&gt;&lt;img');
	expect(none).not.toContain('<img src=x');
});

describeWithBrowser('in a browser', () => {
	const browser = useChromium();

	test.each(views(0))(
		'%s, %i pixels wide: no finding of axe, nothing too wide, no error',
		async (colorScheme, width) => {
			const { page, complaints } = await visitConsole(browser(), service, { colorScheme, width });
			await page.goto('/console/');
			await page.getByText('could not be loaded').waitFor();
			await expectUsable({ page, complaints });
		},
	);

	test('on a phone, Start and the latest batch are in sight', async () => {
		await cloudClient(service).run(uuidOf('The first task'));
		const { page } = await visitConsole(browser(), service, { width: 400 });
		await page.goto('/console/');
		const row = page.getByRole('row', { name: 'The first task' });
		for (const seen of [
			row.getByRole('button', { name: 'Start' }),
			row.getByRole('link', { name: 'Successful' }),
		]) {
			const { x = 0, width = 0 } = (await seen.boundingBox()) ?? {};
			expect(width).toBeGreaterThan(0);
			expect(x + width).toBeLessThan(400);
		}
	});

	test('what happens meanwhile is seen without loading it again: a batch, a new task', async () => {
		const { page, complaints } = await visitConsole(browser(), service);
		await page.goto('/console/');
		const row = page.getByRole('row', { name: 'slow' });
		await row.getByText('none', { exact: true }).waitFor();
		await page.evaluate("document.title = 'The same page'");
		await cloudClient(service).start(uuidOf('slow'));
		await row.getByText('Running').waitFor();
		release();
		await row.getByText('Successful').waitFor();
		await writeFile(
			join(service.folder, 'tasks', 'new.json'),
			JSON.stringify(reading('A task that is new')),
		);
		await page.getByText('A task that is new').waitFor();
		expect(await page.title()).toBe('The same page');
		expect(complaints).toEqual([]);
	});

	test('a search stays while the list follows what happens', async () => {
		const { page } = await visitConsole(browser(), service);
		await page.goto('/console/');
		await page.getByRole('searchbox', { name: 'Search the tasks' }).fill('first');
		await page.keyboard.press('Enter');
		await page.waitForURL('**/console/?q=first*');
		await cloudClient(service).run(uuidOf('slow'));
		const { batch } = await cloudClient(service).run(uuidOf('The first task'));
		await page.locator(`a[href="/console/batches/${batch.batchID}"]`).waitFor();
		expect(await page.getByRole('button', { name: /^Start / }).count()).toBe(1);
	});

	test('by keyboard: a task is copied and started', async () => {
		const { page } = await visitConsole(browser(), service);
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		await page.goto('/console/');
		await page.getByRole('button', { name: 'Copy the task ID of The first task' }).press('Enter');
		await page.getByText('Copied').first().waitFor();
		const copied = await page.evaluate<string>('navigator.clipboard.readText()');
		expect(copied).toBe(uuidOf('The first task'));
		const { pagination } = await cloudClient(service).batches(copied);
		await page.getByRole('button', { name: 'Start The first task' }).press('Enter');
		await page.waitForURL('**/console/batches/*');
		expect((await cloudClient(service).batches(copied)).pagination.total).toBe(
			pagination.total + 1,
		);
	});
});
