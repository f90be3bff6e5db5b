import type { Browser, Page } from 'playwright-core';
import { newContext } from '../../support/inProcess/chromium';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { describeWithBrowser } from '../../support/service/browser';
import { launchChromium } from '../../support/service/chromium';
import { copiedWorkflows } from '../../support/service/copiedWorkflows';
import { extract, step, task, uuidOf } from '../../support/service/taskFiles';
import { expectUsable } from '../../support/service/usable';

const host = 'box.test';
const long = `http://127.0.0.1/?q=${'long'.repeat(2_250)}`;

let service: RunningService;
let browser: Browser;

describeWithBrowser('copying from another machine, without https', () => {
	beforeAll(async () => {
		browser = await launchChromium([`--host-resolver-rules=MAP ${host} 127.0.0.1`]);
		service = await startService({
			env: { SERVICE_ALLOWED_HOSTS: host },
			tasks: { long: task('long', [step('navigate', { url: long }), extract({ Text: 'h1' })]) },
		});
	});
	afterAll(async () => {
		await browser?.close();
		await service?.stop();
	});

	/** The page of the task, as another machine sees it. */
	async function openTask(): Promise<Page> {
		const context = await newContext(browser, { viewport: { width: 1400, height: 900 } });
		const page = await context.newPage();
		const { port } = new URL(service.baseUrl);
		await page.goto(`http://${host}:${port}/console/tasks/${uuidOf('long')}`);
		await page.getByLabel('API key').fill(service.apiKey);
		await page.getByRole('button', { name: 'Sign in' }).click();
		await page.getByRole('group', { name: 'Copy for n8n' }).waitFor();
		expect(await page.evaluate('isSecureContext')).toBe(false);
		return page;
	}

	const copyButton = (page: Page) =>
		page.getByRole('group', { name: 'Copy for n8n' }).getByRole('button').first();

	async function workflow() {
		const [first] = await copiedWorkflows(service, uuidOf('long'));
		return first?.[1];
	}

	test('all of a long text goes to the clipboard', async () => {
		const page = await openTask();
		await copyButton(page).click();
		await page.getByRole('button', { name: 'Copied' }).waitFor();
		expect(await page.getByRole('dialog').count()).toBe(0);
		const field = page.getByRole('textbox', { name: 'Page to open' });
		await field.fill('');
		await field.press('ControlOrMeta+v');
		const pasted = await field.inputValue();
		expect(pasted.length).toBeGreaterThan(9_000);
		expect(JSON.parse(pasted)).toEqual(await workflow());
	});

	test('a browser that lets no page copy shows all of it, selected', async () => {
		const page = await openTask();
		const complaints: string[] = [];
		page.on('pageerror', (error) => complaints.push(error.message));
		await page.evaluate('document.execCommand = () => false');
		await copyButton(page).click();
		const area = page.getByRole('dialog').getByRole('textbox', { name: /^Copy this/ });
		const shown = await area.inputValue();
		expect(JSON.parse(shown)).toEqual(await workflow());
		expect(await page.evaluate('String(getSelection())')).toBe(shown);
		await expectUsable({ page, complaints });
		await page.keyboard.press('Escape');
		await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
		await expect.poll(() => copyButton(page).evaluate((one) => one.matches(':focus'))).toBe(true);
	});
});
