import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { packageName, startBareN8n } from '../../support/n8n/n8n';
import type { OwnN8n } from '../../support/n8n/n8n';
import { copiedNames } from '../../support/service/copiedWorkflows';
import { startService } from '../../support/service/startService';
import type { RunningService } from '../../support/service/startService';
import { shopTask } from '../../support/shop/shopTask';
import { comesWithinMs } from './browser';
import {
	closeCredential,
	credentialAccepted,
	openCredential,
	openFirstCredential,
	saveCredential,
} from './credentialForm';
import { openEditor, openWorkflow } from './editor';
import type { Editor } from './editor';
import { filmFolder, npmFolder } from './filmFolders';
import { closeNode, executeNode, openNode, outputTable } from './nodeView';

const [byHand, , inTwoParts] = copiedNames;

/** Milliseconds for which a viewer looks at what has come. */
const look = 2_500;

describe('a film', () => {
	let service: RunningService;
	let n8n: OwnN8n;
	let editor: Editor;
	/** Milliseconds at the beginning in which there is nothing to see. */
	let blank = 0;

	beforeAll(async () => {
		service = await startService();
		n8n = await startBareN8n({ PATH: `${npmFolder}:${process.env.PATH ?? ''}` });
	}, 240_000);

	afterAll(async () => {
		const film = await editor?.page.video()?.path();
		await editor?.stop();
		await n8n?.stop();
		await service?.stop();
		if (film !== undefined) cut(film);
	}, 240_000);

	it('from installing the package over the test of a credential to rows, and to a trigger', async () => {
		editor = await openEditor(n8n, { film: filmFolder, width: 1600, height: 900 });
		const { page } = editor;
		const begun = Date.now();
		await letIntoConsole(page);
		await page.goto(`${n8n.url}/settings/community-nodes`);
		const install = page.getByRole('button', { name: /^Install/ }).first();
		await install.waitFor();
		blank = Date.now() - begun;
		await page.waitForTimeout(look);
		await install.click();
		const name = page.locator('input[name=packageNameInput]');
		await name.pressSequentially(packageName, { delay: 60 });
		await page.getByTestId('user-agreement-checkbox').click();
		await page.waitForTimeout(look);
		await page.getByTestId('install-community-package-button').click();
		await page.getByText('Package installed').waitFor({ timeout: comesWithinMs });
		await page.waitForTimeout(look);

		await copyAndPaste(page, byHand);
		await openNode(page, 'Run Task and Get Data');
		await page.waitForTimeout(look);
		await openFirstCredential(page);
		await page.waitForTimeout(look);
		await saveCredential(page, service);
		await credentialAccepted(page);
		// n8n closes the form when its test has passed, and says so in the form of one that is stored.
		await openCredential(page);
		await page.waitForTimeout(look);
		await closeCredential(page);
		await executeNode(page);
		expect((await outputTable(page)).rows.length).toBeGreaterThan(0);
		await page.waitForTimeout(look);
		await closeNode(page);

		await copyAndPaste(page, inTwoParts);
		await openNode(page, 'When a Batch Has Ended');
		await page.waitForTimeout(look);
		await executeNode(page);
		expect((await outputTable(page)).rows.length).toBeGreaterThan(0);
		await page.waitForTimeout(look);
	});

	async function letIntoConsole(page: Page): Promise<void> {
		const { baseUrl, apiKey } = service;
		const context = page.context();
		await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: baseUrl });
		const form = { apiKey };
		await context.request.post(`${baseUrl}/console/sign-in`, { form, maxRedirects: 0 });
	}

	/** Copies a workflow in the console, and pastes it on an empty canvas. */
	async function copyAndPaste(page: Page, name: string): Promise<void> {
		await page.goto(`${service.baseUrl}/console/tasks/${shopTask.id}`);
		await page.waitForTimeout(look);
		await page.getByRole('button', { name }).click();
		await page.getByText('Copied', { exact: true }).first().waitFor();
		await page.waitForTimeout(look);
		await openWorkflow(page, n8n);
		await page.keyboard.press('ControlOrMeta+v');
		await page.getByTestId('canvas-node').first().waitFor();
		await page.waitForTimeout(look);
	}

	/** The film without its blank beginning. */
	function cut(film: string): void {
		const quality = ['-c:v', 'libvpx', '-b:v', '2M', '-deadline', 'realtime', '-cpu-used', '8'];
		// The recorder leaves out what stands still: a picture from before the cut has to stand after it, too.
		const from = ['-i', film, '-vf', 'fps=25', '-ss', `${blank}ms`];
		const to = join(filmFolder, 'tour.webm');
		execFileSync('ffmpeg', ['-y', '-loglevel', 'error', ...from, ...quality, to]);
		rmSync(film);
	}
});
