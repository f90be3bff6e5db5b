import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { textAt } from '../../../playground/json.ts';
import { useStage } from '../../support/n8n/stage';
import { chain, cloudScraping } from '../../support/n8n/workflow';
import { launchChromium } from '../../support/service/chromium';
import { visitConsole } from '../../support/service/console';
import { plainText } from '../../support/service/plainText';
import { openToPoint } from '../../support/service/pointing';
import { startService } from '../../support/service/startService';
import { readShop } from '../../support/shop/shopRows';

// The whole way of somebody who writes no selector: an address, things pointed at, rows in n8n.

describe('a task that is pointed together', () => {
	let tasksFolder: string;
	const stage = useStage(async () => {
		tasksFolder = await mkdtemp(join(tmpdir(), 'cloud-scraping-tasks-'));
		return await startService({ tasksFolder });
	});

	let browser: Browser;
	beforeAll(async () => {
		browser = await launchChromium();
	});
	afterAll(async () => {
		await browser?.close();
		await rm(tasksFolder, { recursive: true });
	});

	/** Runs the only task of the service in n8n, and resolves to its items. */
	async function itemsInN8n(): Promise<unknown[]> {
		const [file = ''] = await readdir(tasksFolder);
		const task: unknown = JSON.parse(await readFile(join(tasksFolder, file), 'utf8'));
		const run = cloudScraping('Run', stage.credential, {
			operation: 'runAndGetData',
			taskId: textAt(task, 'taskID'),
			returnAll: true,
			options: { pollInterval: 1 },
		});
		const execution = await stage.n8n.runWorkflow(chain(run));
		expect(execution.error).toBeUndefined();
		return execution.runs.Run?.at(-1)?.items ?? [];
	}

	it('is run from its list, over all pages, into each entry, to items in n8n', async () => {
		const { page, complaints } = await visitConsole(browser, stage.service);
		const { frame, pointAtList, pointAtNext, pointAtLink } = await openToPoint(
			page,
			'{site}/shop/products',
		);
		await pointAtList('Oak Chair', 'Oak Lamp');
		await page.getByText('12 entries').waitFor();
		await page.getByLabel('Name of column 1').fill('Name');
		await page.getByLabel('Name of column 1').press('Tab');
		await page.getByRole('columnheader', { name: 'Name' }).waitFor();
		await frame.getByText('€ 46.13').click();
		await page.getByLabel('Name of column 2').waitFor();
		await pointAtNext('Next');
		await pointAtLink('Oak Chair');
		await frame.getByText('Oak Chair for every day').click();
		await page.getByRole('cell').filter({ hasText: 'Oak Table for every day' }).waitFor();
		await page.getByRole('button', { name: 'Save and run' }).click();
		await page.getByText('Successful', { exact: true }).waitFor();
		expect(complaints).toEqual([]);

		const shop = await readShop(stage.service);
		const expected = await Promise.all(
			shop.map(async ({ Name, Price, Link }) => {
				const html = await (await fetch(Link)).text();
				const [, description = ''] = /class="description">(.*?)</s.exec(html) ?? [];
				return { Name, Price, Description: plainText(description) };
			}),
		);
		expect(expected).toHaveLength(72);
		const items = await itemsInN8n();
		expect(items.map((item) => ({ ...(item as object), _batchId: undefined }))).toEqual(
			expected.map((row) => ({ ...row, _batchId: undefined })),
		);
	});
});
