import { freePort } from '../../../playground/ports.ts';
import { cloudClient } from '../../support/service/cloudClient';
import { consoleLink } from '../../support/service/console';
import { startService, type RunningService } from '../../support/service/startService';
import { shopTask, slowTask } from '../../support/shop/shopTask';
import { startBrowser, type Theme } from './browser';
import { takePicture } from './picture';

const width = 1180;

describe.each(['light', 'dark'] as const)('pictures of the console, %s', (theme: Theme) => {
	let service: RunningService;

	beforeAll(async () => {
		service = await startService({ env: { SERVICE_PORT: String(await freePort(8787)) } });
	});
	afterAll(() => service.stop());

	/** A window of the console, of this height. */
	async function visit(height: number) {
		const browser = await startBrowser({ theme, width, height });
		const page = await browser.context.newPage();
		return { page, clip: { x: 0, y: 0, width, height }, stop: () => browser.stop() };
	}

	it('a batch on its way', async () => {
		const { page, clip, stop } = await visit(720);
		await page.goto(await consoleLink(service));
		const start = { name: 'Start Small shop: product pages, one every half second' };
		await page.getByRole('button', start).click();
		await page.getByRole('cell', { name: 'P008', exact: true }).waitFor();
		// From here on nothing new comes: a picture is taken of what is at rest.
		await page.context().setOffline(true);
		await takePicture(page, `console-batch-${theme}`, clip);
		await stop();
	});

	it('a task, with its steps, its form and its batches', async () => {
		const client = cloudClient(service);
		await client.stop(slowTask).catch(() => undefined);
		for (let run = 0; run < 5; run += 1) await client.run(shopTask.id);
		const { page, clip, stop } = await visit(1180);
		await page.goto(`${service.baseUrl}/console/sign-in?to=/console/tasks/${shopTask.id}`);
		await page.getByLabel('API key').fill(service.apiKey);
		await page.getByRole('button', { name: 'Sign in' }).click();
		await page.getByRole('heading', { name: 'Batches' }).waitFor();
		await takePicture(page, `console-task-${theme}`, clip);
		await stop();
	});
});
