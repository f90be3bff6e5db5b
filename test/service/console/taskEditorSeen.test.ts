import { testAtLength } from '../../support/length';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { cloudClient } from '../../support/service/cloudClient';
import { visitConsole } from '../../support/service/console';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { startSite, type Site } from '../../support/service/startSite';
import { step, task, uuidOf } from '../../support/service/taskFiles';
import { axeFindings, expectUsable, views } from '../../support/service/usable';

let site: Site;
let service: RunningService;

describeWithBrowser('the editor of a task file', () => {
	const browser = useChromium();
	beforeAll(async () => {
		site = await startSite(async ({ url, closed }) => {
			if (url.pathname === '/never') await closed;
			return `<h1>One</h1><h2>Two</h2>`;
		});
		service = await startService({
			tasks: {
				edited: textOf('edited', 'h1'),
				typed: textOf('typed', 'h1'),
				shared: textOf('shared', 'h1'),
				hanging: textOf('hanging', 'h1', '/never'),
				broken: textOf('broken', 'h1').replace('"page": "http"', '"page": "paper"'),
			},
		});
	});
	afterAll(async () => {
		await service?.stop();
		await site?.stop();
	});

	function textOf(name: string, selector: string, path = '/'): string {
		const steps = [
			step('navigate', { url: `${site.baseUrl}${path}` }),
			step('extractData', { fields: [{ id: uuidOf('text'), name: 'Text', selector }] }, 'reading'),
		];
		return `${JSON.stringify(task(name, steps), null, 2)}\n`;
	}

	const file = (name: string) => join(service.folder, 'tasks', `${name}.json`);

	/** A person with the editor of a file open. What the browser asks on leaving is answered with yes. */
	async function open(name: string, view = {}) {
		const visitor = await visitConsole(browser(), service, view);
		visitor.page.on('dialog', (dialog) => void dialog.accept());
		await visitor.page.goto(`/console/files/edit/${name}.json`);
		return { ...visitor, text: visitor.page.getByLabel('Task, as JSON') };
	}

	const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

	test.each(views(3))(
		'%s, %i pixels wide: no finding of axe, nothing too wide, no error',
		async (colorScheme, width) => {
			const { page, text, complaints } = await open('edited', { colorScheme, width });
			expect(await text.inputValue()).toBe(await readFile(file('edited'), 'utf8'));
			await press(page, 'Try');
			await page.getByRole('cell', { name: 'One' }).waitFor();
			expect(await axeFindings(page)).toEqual([]);
			await text.fill('{');
			await page.getByText('Line 1:').waitFor();
			await expectUsable({ page, complaints });
			await press(page, 'Save');
			await page.getByRole('alert').waitFor();
			expect(await axeFindings(page)).toEqual([]);
		},
	);

	test('with the mouse: edit, message, there, try, save, start', async () => {
		const { page, text } = await open('edited');
		await text.fill((await text.inputValue()).replace('"selector": "h1"', '"selector": 5'));
		await page.getByText('/steps/1/config/fields/0/selector must be a text, but is 5.').waitFor();
		await press(page, 'Go there');
		const chosen = await page.evaluate<string>('window.getSelection().toString()');
		expect(chosen).toBe('5');
		await page.keyboard.type('"h2"');
		await page.getByText('No mistakes in this task.').waitFor();
		await press(page, 'Try');
		await page.getByRole('cell', { name: 'Two' }).waitFor();
		expect(await readFile(file('edited'), 'utf8')).toBe(textOf('edited', 'h1'));
		await press(page, 'Save');
		await page.getByText('The task is saved.').waitFor();
		expect(await readFile(file('edited'), 'utf8')).toBe(textOf('edited', 'h2'));
		await press(page, 'Start');
		await page.waitForURL(/\/console\/batches\//);
		const { list } = await cloudClient(service).batches(uuidOf('edited'));
		expect(list).toHaveLength(1);
	});

	testAtLength('with the keyboard: Tab leaves the text, and everything is to be had', async () => {
		const { page, text } = await open('typed');
		await text.focus();
		await page.keyboard.press('ControlOrMeta+a');
		await page.keyboard.insertText(textOf('typed', 'h2'));
		await page.getByText('No mistakes in this task.').waitFor();
		await page.keyboard.press('Tab');
		expect(await focused(page)).toBe('Save');
		await page.keyboard.press('Tab');
		expect(await focused(page)).toBe('Try');
		await page.keyboard.press('Enter');
		await page.getByRole('cell', { name: 'Two' }).waitFor();
		expect(await focused(page)).toBe('Try');
		await page.keyboard.press('Shift+Tab');
		await page.keyboard.press('Enter');
		await page.getByText('The task is saved.').waitFor();
		expect(await readFile(file('typed'), 'utf8')).toBe(textOf('typed', 'h2'));
	});

	const focused = (page: Page) =>
		page.evaluate<string>('document.activeElement.textContent.trim()');

	testAtLength('a try is cancelled, and another one can be made', async () => {
		const { page, text, complaints } = await open('hanging');
		const before = site.requests.length;
		await press(page, 'Try');
		await page.getByText('Trying…').waitFor();
		while (site.requests.length === before) await page.waitForTimeout(20);
		await page.keyboard.press('Tab');
		await page.keyboard.press('Enter');
		await page.getByText('The try was cancelled.').waitFor();
		await page.getByText('Trying…').waitFor({ state: 'hidden' });
		expect(await focused(page)).toBe('Try');
		// The service does not go on with it.
		await site.requests[before]?.closed;
		await text.fill(textOf('hanging', 'h1'));
		await press(page, 'Try');
		await page.getByRole('cell', { name: 'One' }).waitFor();
		expect(complaints).toEqual([]);
	});

	testAtLength('leaving the page ends its try', async () => {
		const { page } = await open('hanging');
		const before = site.requests.length;
		await press(page, 'Try');
		while (site.requests.length === before) await page.waitForTimeout(20);
		await page.goto('/console/');
		await site.requests[before]?.closed;
	});

	testAtLength(
		'of two who edit one file the second is asked, and can load or overwrite',
		async () => {
			const { page, text } = await open('shared');
			await writeFile(file('shared'), textOf('shared', 'h2'));
			const mine = textOf('shared', 'h1, h2');
			await text.fill(mine);
			await press(page, 'Save');
			await page.getByText('Nothing was saved: the file has been changed').waitFor();
			expect(await text.inputValue()).toBe(mine);
			expect(await axeFindings(page)).toEqual([]);
			expect(await readFile(file('shared'), 'utf8')).toBe(textOf('shared', 'h2'));
			await page.getByRole('link', { name: 'Load the file as it is now' }).click();
			await page.getByRole('alert').waitFor({ state: 'detached' });
			expect(await text.inputValue()).toBe(textOf('shared', 'h2'));
			await writeFile(file('shared'), textOf('shared', 'h3'));
			await text.fill(mine);
			await press(page, 'Save');
			await press(page, 'Overwrite it with my text');
			await page.getByText('The task is saved.').waitFor();
			expect(await readFile(file('shared'), 'utf8')).toBe(mine);
		},
	);

	testAtLength('a bad file is opened from the list of bad files, and mended', async () => {
		const { page } = await visitConsole(browser(), service);
		await page.goto('/console/');
		await page.getByRole('link', { name: 'broken.json' }).click();
		await page.getByText('must be "http" or "browser", but is "paper".').waitFor();
		await press(page, 'Go there');
		await page.keyboard.type('"http"');
		await page.getByText('No mistakes in this task.').waitFor();
		await press(page, 'Save');
		await page.getByText('The task is saved.').waitFor();
		await page.goto('/console/');
		expect(await page.getByText('could not be loaded').count()).toBe(0);
	});
});
