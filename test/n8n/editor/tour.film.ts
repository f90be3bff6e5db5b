import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { useStage } from '../../support/n8n/stage';
import { copiedNames } from '../../support/service/copiedWorkflows';
import { shopTask } from '../../support/shop/shopTask';
import {
	chooseCredential,
	credentialAccepted,
	openNewCredential,
	saveCredential,
} from './credentialForm';
import { openEditor, openWorkflow } from './editor';
import type { Editor } from './editor';
import { closeNode, executeNode, openNode, outputTable } from './nodeView';

const folder = join(__dirname, '..', '..', '..', '.tmp', 'film');
const [byHand, , inTwoParts] = copiedNames;

/** Milliseconds for which a viewer looks at what has come. */
const look = 2_500;

describe('a film', () => {
	const stage = useStage();
	let editor: Editor;

	beforeAll(async () => {
		editor = await openEditor(stage.n8n, { film: folder });
		const { baseUrl, apiKey } = stage.service;
		const context = editor.page.context();
		await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: baseUrl });
		const form = { apiKey };
		await context.request.post(`${baseUrl}/console/sign-in`, { form, maxRedirects: 0 });
	});

	afterAll(async () => {
		const film = await editor?.page.video()?.path();
		await editor?.stop();
		if (film !== undefined) renameSync(film, join(folder, 'tour.webm'));
	});

	it('from the installed package to rows, and to a trigger', async () => {
		const { page } = editor;
		await page.goto(`${stage.n8n.url}/settings/community-nodes`);
		await page.getByText('n8n-nodes-cloud-scraping').first().waitFor();
		await page.waitForTimeout(look);

		await copyAndPaste(page, byHand);
		await openNode(page, 'Run Task and Get Data');
		await page.waitForTimeout(look);
		await openNewCredential(page);
		await page.waitForTimeout(look);
		await saveCredential(page, stage.service);
		await credentialAccepted(page);
		await page.waitForTimeout(look);
		await executeNode(page);
		expect((await outputTable(page)).rows.length).toBeGreaterThan(0);
		await page.waitForTimeout(look);
		await closeNode(page);

		await copyAndPaste(page, inTwoParts);
		await openNode(page, 'When a Batch Has Ended');
		await chooseCredential(page, `Service at ${stage.service.baseUrl}`);
		await executeNode(page);
		expect((await outputTable(page)).rows.length).toBeGreaterThan(0);
		await page.waitForTimeout(look);
	});

	/** Copies a workflow in the console, and pastes it on an empty canvas. */
	async function copyAndPaste(page: Page, name: string): Promise<void> {
		await page.goto(`${stage.service.baseUrl}/console/tasks/${shopTask.id}`);
		await page.waitForTimeout(look);
		await page.getByRole('button', { name }).click();
		await page.getByText('Copied', { exact: true }).first().waitFor();
		await page.waitForTimeout(look);
		await openWorkflow(page, stage.n8n);
		await page.keyboard.press('ControlOrMeta+v');
		await page.getByTestId('canvas-node').first().waitFor();
		await page.waitForTimeout(look);
	}
});
