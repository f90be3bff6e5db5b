import type { Locator, Page } from 'playwright-core';
import { owner } from '../../support/n8n/n8n';
import type { TestN8n } from '../../support/n8n/n8n';
import { comesWithinMs, startBrowser } from './browser';
import type { BrowserOptions } from './browser';

/** The n8n editor in a browser, with its owner logged in. */
export interface Editor {
	page: Page;
	stop(): Promise<void>;
}

export async function openEditor({ url }: TestN8n, options?: BrowserOptions): Promise<Editor> {
	const browser = await startBrowser(options);
	const { context } = browser;
	try {
		const { email, password } = owner;
		const data = { emailOrLdapLoginId: email, password };
		const answer = await context.request.post(`${url}/rest/login`, { data });
		if (!answer.ok()) throw new Error(`n8n lets nobody in: ${await answer.text()}`);
		const page = context.pages()[0] ?? (await context.newPage());
		// n8n asks whether to leave a workflow that it has not saved yet.
		page.on('dialog', (dialog) => void dialog.accept());
		globalThis.pageOfTest = page;
		return { page, stop: () => browser.stop() };
	} catch (error) {
		await browser.stop();
		throw error;
	}
}

/** Opens a stored workflow, or an empty one without an id, and waits until it can be edited. */
export async function openWorkflow(page: Page, { url }: TestN8n, id = 'new'): Promise<void> {
	await page.goto(`${url}/workflow/${id}`);
	// Not the button that executes it: a workflow that starts with a chat has none.
	const ready = id === 'new' ? 'canvas-plus-button' : 'canvas-node';
	await page.getByTestId(ready).first().waitFor({ timeout: comesWithinMs });
}

export function canvasNode(page: Page, name: string): Locator {
	return page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
}

/** Runs the workflow on the canvas and waits until it has ended well. */
export async function executeWorkflow(page: Page): Promise<void> {
	await page.getByTestId('execute-workflow-button').click();
	// Beside other suites, a batch takes its time.
	await page.getByText('Workflow executed successfully').waitFor({ timeout: 30_000 });
	await closeNotices(page);
}

export async function closeNotices(page: Page): Promise<void> {
	const notices = page.locator('.el-notification');
	for (const close of await notices.locator('.el-notification__closeBtn').all()) {
		await close.click();
	}
	await notices.first().waitFor({ state: 'detached' });
}
