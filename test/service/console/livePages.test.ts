import { html } from '../../../service/src/text/html.ts';
import { sharedParts } from '../../../service/src/console/live.ts';
import { testAtLength } from '../../support/length';
import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { consoleClient, visitConsole } from '../../support/service/console';
import type { Route } from 'playwright-core';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cloudClient } from '../../support/service/cloudClient';
import { extract, step, task, uuidOf } from '../../support/service/taskFiles';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { startService as startProcess } from '../../support/service/startService';

describeWithBrowser('pages that follow what happens', () => {
	const browser = useChromium();
	const steps = [step('navigate', { url: '{site}/shop/' }), extract({ Title: 'h1' })];
	const tasks = { edited: task('edited', steps) };
	let service: RunningService;
	beforeEach(async () => {
		service = await startService({ tasks });
	});
	afterEach(async () => {
		await service?.stop();
	});

	test('say that the service is gone, and no more once it is back', async () => {
		const { page } = await visitConsole(browser(), service);
		await page.goto('/console/');
		const notice = page.getByRole('alert');
		expect(await notice.count()).toBe(0);
		const { port } = new URL(service.baseUrl);
		await service.end();
		await notice.getByText('The service does not answer').waitFor();
		service = await startService({ folder: service.folder, env: { SERVICE_PORT: port } });
		await notice.waitFor({ state: 'hidden' });
	});

	test('keep what was entered while the service is gone, and send it once when it is back', async () => {
		const { page } = await visitConsole(browser(), service);
		const notice = page.getByRole('alert');
		const { port } = new URL(service.baseUrl);
		const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
		await page.goto('/console/files/edit/edited.json');
		const text = page.getByLabel('Task, as JSON');
		const changed = (await text.inputValue()).replace('"h1"', '"h2"');
		await service.end();
		await text.fill(changed);
		await press('Save');
		await notice.getByText('The service does not answer: nothing was sent').waitFor();
		expect(await text.inputValue()).toBe(changed);
		service = await startService({ folder: service.folder, env: { SERVICE_PORT: port } });
		await notice.waitFor({ state: 'hidden' });
		await press('Save');
		await page.getByText('The task is saved.').waitFor();
		expect(await readFile(join(service.folder, 'tasks', 'edited.json'), 'utf8')).toBe(changed);

		await service.end();
		await press('Start');
		await notice.getByText('The service does not answer: nothing was sent').waitFor();
		service = await startService({ folder: service.folder, env: { SERVICE_PORT: port } });
		await page.getByRole('button', { name: 'Start', exact: true }).dblclick();
		await page.waitForURL('**/console/batches/*');
		const { list } = await cloudClient(service).batches(uuidOf('edited'));
		expect(list).toHaveLength(1);
	});

	testAtLength(
		'send nothing to a process that hangs, and say so of one that was killed',
		async () => {
			const hanging = await startProcess({ tasks });
			const { page } = await visitConsole(browser(), hanging);
			await page.goto(`/console/tasks/${uuidOf('edited')}`);
			hanging.process.kill('SIGSTOP');
			await page.getByRole('button', { name: 'Start', exact: true }).click();
			await page.getByRole('alert').getByText('nothing was sent').waitFor();
			hanging.process.kill('SIGCONT');
			await page.getByRole('button', { name: 'Start', exact: true }).click();
			await page.waitForURL('**/console/batches/*');
			const { list } = await cloudClient(hanging).batches(uuidOf('edited'));
			expect(list).toHaveLength(1);
			await hanging.kill();
			await page.getByRole('alert').getByText('The service does not answer').waitFor();
			await rm(hanging.folder, { recursive: true });
		},
	);

	test('say that one is signed out', async () => {
		const { page } = await visitConsole(browser(), service);
		await page.goto('/console/');
		const [cookie] = await page.context().cookies();
		const visit = await consoleClient(service);
		const headers = { cookie: `${cookie?.name}=${cookie?.value}` };
		await visit('/console/sign-out', { method: 'POST', headers });
		await page.getByRole('alert').getByText('You are signed out').waitFor();
	});

	test('say so, too, when they are signed out before they follow anything', async () => {
		const { page } = await visitConsole(browser(), service);
		const [cookie] = await page.context().cookies();
		const visit = await consoleClient(service);
		const headers = { cookie: `${cookie?.name}=${cookie?.value}` };
		await page.route('**/tasks/live*', async (route) => {
			await visit('/console/sign-out', { method: 'POST', headers });
			await route.continue();
		});
		await page.goto('/console/');
		await page.getByRole('alert').getByText('You are signed out').waitFor();
		await page.getByRole('button', { name: 'Start edited' }).waitFor();
	});

	test.each([
		['was cut', undefined],
		['was refused', 502],
	])('follow what happens, too, when the first try %s', async (_, status) => {
		const { page } = await visitConsole(browser(), service);
		const fail = (route: Route) => (status ? route.fulfill({ status }) : route.abort());
		await page.route('**/tasks/live*', fail, { times: 1 });
		await page.goto('/console/');
		const notice = page.getByRole('alert');
		await notice.getByText('this page is out of date').waitFor();
		await notice.waitFor({ state: 'hidden' });
		await cloudClient(service).start(uuidOf('edited'));
		await page.getByText('Successful').waitFor();
	});

	testAtLength('leave room for others, however many windows are open', async () => {
		const { page } = await visitConsole(browser(), service);
		// A browser has no more than six connections to a host.
		for (let window = 0; window < 7; window += 1) {
			const other = await page.context().newPage();
			await other.goto('/console/');
			await other.getByRole('heading', { name: 'Tasks' }).waitFor();
		}
		const last = page.context().pages().at(-1);
		await last?.getByRole('button', { name: 'Start edited' }).click();
		await last?.waitForURL('**/console/batches/*');
		// All of them hear of it.
		for (const other of page.context().pages().slice(1, -1)) {
			await other.getByText('Successful').first().waitFor();
		}
	});
});

test('what many windows show is made once for all that wait for it, and anew for who asks later', async () => {
	let made = 0;
	const shared = sharedParts();
	const part = (key: string) =>
		shared(key, () => ({ content: html`${key} ${(made += 1)}`, isOver: false }));
	const windows = Array.from({ length: 300 }, (_, number) => part(number % 2 ? 'one' : 'other'));
	for (const times of [1, 2]) {
		const shown = await Promise.all(windows.map(async (each) => each()));
		const texts = new Set(shown.map(({ content }) => String(content)));
		expect([...texts]).toEqual([`other ${2 * times - 1}`, `one ${2 * times}`]);
	}
});
