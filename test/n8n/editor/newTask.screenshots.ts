import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textAt } from '../../../playground/json.ts';
import { chain, cloudScraping } from '../../support/n8n/workflow';
import { visitConsole } from '../../support/service/console';
import { openToPoint } from '../../support/service/pointing';
import { startBrowser } from './browser';
import { closeNotices, openEditor } from './editor';
import { executeNode, openNode, outputTable } from './nodeView';
import { takeNodePicture, takePicture } from './picture';
import { usePictureStage } from './pictureStage';

const size = { width: 1180, height: 760 };

describe('the film strip of a task that is pointed together', () => {
	const { credential, stage, open } = usePictureStage({});

	it('from an address to rows in n8n', async () => {
		const own = await startBrowser({ theme: 'light', ...size });
		const browser = own.context.browser();
		if (!browser) throw new Error('The browser is gone.');
		const { page } = await visitConsole(browser, stage.service, { width: size.width });
		await page.setViewportSize(size);
		const clip = { x: 0, y: 0, ...size };
		const { frame, said, pointAtNext, pointAtLink } = await openToPoint(
			page,
			'{site}/shop/products',
		);
		await frame.getByText('Oak Chair').click();
		await said('the same thing in another entry');
		await frame.getByText('Oak Lamp').hover();
		await takePicture(page, 'new-task-1', clip);
		await frame.getByText('Oak Lamp').click();
		await page.getByText('12 entries').waitFor();
		await frame.getByText('€ 46.13').click();
		await page.getByLabel('Name of column 2').waitFor();
		await page.getByRole('cell', { name: '€ 157.52' }).waitFor();
		await takePicture(page, 'new-task-2', clip);
		await pointAtNext('Next');
		await pointAtLink('Oak Chair');
		await frame.getByText('Oak Chair for every day').click();
		await page.getByRole('cell').filter({ hasText: 'Oak Table for every day' }).waitFor();
		await page.evaluate('scrollTo(0, 0)');
		await takePicture(page, 'new-task-3', clip);
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		await page.getByText('The task is saved').waitFor();
		await own.stop();

		const tasks = join(stage.service.folder, 'tasks');
		const [file = ''] = await readdir(tasks);
		const task: unknown = JSON.parse(await readFile(join(tasks, file), 'utf8'));
		const editor = await openEditor(stage.n8n, { theme: 'light' });
		const node = cloudScraping('Cloud Scraping', credential().id, {
			operation: 'runAndGetData',
			taskId: textAt(task, 'taskID'),
			limit: 20,
			options: { pollInterval: 1, metadata: false },
		});
		await open(editor, chain({ ...node, credentials: { cloudScrapingApi: credential() } }));
		await openNode(editor.page, 'Cloud Scraping');
		await executeNode(editor.page);
		await outputTable(editor.page);
		await closeNotices(editor.page);
		await takeNodePicture(editor.page, 'new-task-4');
		await editor.stop();
	});
});
