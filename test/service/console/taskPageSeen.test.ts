import { testAtLength } from '../../support/length';
import type { Page } from 'playwright-core';
import { describeWithBrowser } from '../../support/service/browser';
import { useChromium } from '../../support/inProcess/chromium';
import { cloudClient, type CloudClient } from '../../support/service/cloudClient';
import { visitConsole } from '../../support/service/console';
import { copiedWorkflows } from '../../support/service/copiedWorkflows';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { startSite, type Site } from '../../support/service/startSite';
import { extract, loop, step, task, uuidOf } from '../../support/service/taskFiles';
import { axeFindings, expectUsable, views } from '../../support/service/usable';

let site: Site;
let service: RunningService;
let client: CloudClient;
let letGo: () => void;

const long = 'w'.repeat(400);

describeWithBrowser('the page of a task', () => {
	const browser = useChromium();
	beforeAll(async () => {
		const held = new Promise<void>((resolve) => (letGo = resolve));
		site = await startSite(async ({ url }) => {
			if (url.pathname === '/slow') await held;
			return `<h1>${url.searchParams.get('q') ?? 'none'}</h1>`;
		});
		const at = (path: string) => ({ url: `${site.baseUrl}${path}` });
		const words = task(`words <i> ${long}`, [
			step('navigate', at('/'), 'open'),
			loop({ loopType: 'list', listType: 'textList', texts: ['a', 'b'] }, [
				step('inputText', { selector: `input[name="${long}"]`, useLoopItem: true }),
				loop({ loopType: 'list', listType: 'elements', selector: 'h1' }, [
					extract({ Word: 'b', [long]: 'i' }),
				]),
			]),
			extract({ Text: 'h1' }),
		]);
		const asked = task('asked', [step('navigate', at('/?q=own'), 'ask'), extract({ Text: 'h1' })]);
		const slow = task('slow', [step('navigate', at('/slow')), extract({ Text: 'h1' })]);
		service = await startService({ tasks: { words, asked, slow } });
		client = cloudClient(service);
		for (let run = 0; run < 3; run += 1) await client.run(words.taskID);
	});
	afterAll(async () => {
		await service?.stop();
		await site?.stop();
	});

	const words = () => `/console/tasks/${uuidOf(`words <i> ${long}`)}`;

	test.each(views(3))(
		'%s, %i pixels wide: no finding of axe, nothing too wide, no error',
		async (colorScheme, width) => {
			const { page, complaints } = await visitConsole(browser(), service, { colorScheme, width });
			await page.goto(words());
			for (const summary of await page.locator('summary').all()) await summary.click();
			await expectUsable({ page, complaints });
		},
	);

	/** The rows of the newest batch of "asked". */
	async function newestRows() {
		const { list } = await client.batches(uuidOf('asked'));
		const [newest] = list;
		if (!newest) throw new Error('There is no batch.');
		return client.rowsOf(await client.waitFor(newest, ({ status }) => status >= 3));
	}

	const total = async () => (await client.batches(uuidOf('asked'))).pagination.total;
	const isAtBatch = (page: Page) => page.waitForURL(/\/console\/batches\/\d+$/);

	test('with the mouse: a changed value is what the batch takes, and a double click starts one', async () => {
		const before = await total();
		const { page } = await visitConsole(browser(), service);
		await page.goto(`/console/tasks/${uuidOf('asked')}`);
		await page.getByRole('textbox', { name: 'Page to open' }).fill(`${site.baseUrl}/?q=clicked`);
		await page.getByRole('button', { name: 'Start' }).dblclick();
		await isAtBatch(page);
		expect(await newestRows()).toEqual([{ Text: 'clicked' }]);
		expect(await total()).toBe(before + 1);
	});

	testAtLength(
		'with the keyboard: a mistake is corrected where the cursor is, and Enter starts',
		async () => {
			const { page } = await visitConsole(browser(), service);
			await page.goto(`/console/tasks/${uuidOf('asked')}`);
			const field = page.getByRole('textbox', { name: 'Page to open' });
			await reach(page, 'value.');
			await page.keyboard.press('ControlOrMeta+a');
			await page.keyboard.type('nowhere');
			await page.keyboard.press('Enter');
			await page.getByRole('alert').waitFor();
			expect(await field.inputValue()).toBe('nowhere');
			expect(await axeFindings(page)).toEqual([]);
			// The cursor is in the field that is wrong.
			await page.keyboard.press('ControlOrMeta+a');
			await page.keyboard.type(`${site.baseUrl}/?q=typed`);
			await page.keyboard.press('Tab');
			await page.keyboard.press('Enter');
			await page.locator('details[open] #nodeCount').waitFor();
			await reach(page, 'nodeCount');
			await page.keyboard.type('3');
			await page.keyboard.press('Enter');
			await isAtBatch(page);
			expect(await newestRows()).toEqual([{ Text: 'typed' }]);
			const { list } = await client.batches(uuidOf('asked'));
			expect(list[0]?.nodeCount).toBe(3);
		},
	);

	test('with the keyboard: a workflow for n8n goes to the clipboard, and is said to be there', async () => {
		const { page, complaints } = await visitConsole(browser(), service);
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		await page.goto(`/console/tasks/${uuidOf('asked')}`);
		const copied = await copiedWorkflows(service, uuidOf('asked'));
		const group = page.getByRole('group', { name: 'Copy for n8n' });
		await group.getByRole('button').first().focus();
		for (const [name, workflow] of copied) {
			const button = group.getByRole('button', { name });
			await expect.poll(() => button.evaluate((element) => element.matches(':focus'))).toBe(true);
			await page.keyboard.press('Enter');
			await group.getByRole('button', { name: 'Copied' }).first().waitFor();
			await page.locator('#announcement').getByText('Copied').waitFor({ state: 'attached' });
			const text = await page.evaluate<string>('navigator.clipboard.readText()');
			expect(JSON.parse(text)).toEqual(workflow);
			await page.keyboard.press('Tab');
		}
		await expectUsable({ page, complaints });
	});

	/** Presses Tab until the focus is on a field of this name. */
	async function reach(page: Page, name: string): Promise<void> {
		for (let press = 0; press < 40; press += 1) {
			await page.keyboard.press('Tab');
			const focused = await page.evaluate<string | null>(
				'document.activeElement.getAttribute("name")',
			);
			if (focused?.startsWith(name)) return;
		}
		throw new Error(`Tab does not reach ${name}.`);
	}

	testAtLength(
		'the batches are live: one that starts elsewhere comes up, and ends, without a reload',
		async () => {
			const { page, complaints } = await visitConsole(browser(), service);
			await page.goto(`/console/tasks/${uuidOf('slow')}`);
			await page.getByText('Nothing has run yet.').waitFor();
			const batch = await client.start(uuidOf('slow'));
			await page.getByRole('cell', { name: 'Running' }).waitFor();
			letGo();
			await page.getByRole('cell', { name: 'Successful' }).waitFor();
			await client.run(uuidOf('slow'));
			// The chart comes with the second batch; each bar leads to its own.
			const bar = page.locator(`figure a[href$="/${batch.batchID}"]`).first();
			await bar.waitFor({ state: 'attached' });
			expect(await bar.locator('title').textContent()).toContain('1 row – today');
			await bar.locator('.reach').click({ force: true });
			await page.waitForURL(`**/console/batches/${batch.batchID}`);
			expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
		},
	);
});
