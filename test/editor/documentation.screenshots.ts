import { join } from 'node:path';
import { demoWorkflowId, readWorkflow } from '../../playground/demoWorkflows.ts';
import { textAt } from '../../playground/json.ts';
import { freePort } from '../../playground/ports.ts';
import { useStage } from '../e2e/stage';
import { startService } from '../service/startService';
import type { Theme } from './browser';
import { canvasNode, executeWorkflow, openEditor, openWorkflow } from './editor';
import type { Editor } from './editor';
import { takePicture } from './picture';

const workflows = join(__dirname, '..', '..', 'playground', 'workflows');
/** Of no interest in a picture: n8n's own menu. */
const MENU_WIDTH = 42;

describe.each<Theme>(['light', 'dark'])('pictures of the documentation, %s', (theme) => {
	// The pictures show the address at which the local service usually is.
	const stage = useStage(async () =>
		startService({ env: { SERVICE_PORT: String(await freePort(8787)) } }),
	);
	let editor: Editor;
	let credential: { id: string; name: string };

	beforeAll(async () => {
		const { baseUrl, apiKey } = stage.service;
		const name = 'Local Cloud Scraping service';
		const stored = await stage.n8n.api.post('/rest/credentials', {
			name,
			type: 'cloudScrapingApi',
			data: { baseUrl, apiKey },
		});
		credential = { id: textAt(stored, 'id'), name };
		editor = await openEditor(stage.n8n, { theme });
	}, 120_000);

	afterAll(async () => {
		await editor.stop();
	});

	it('the demo workflow after a run', async () => {
		const { page } = editor;
		const demo = readWorkflow(join(workflows, 'start-wait-get.json'), credential);
		await stage.n8n.api.post('/rest/workflows', demo);
		await openWorkflow(page, stage.n8n, demoWorkflowId);
		await executeWorkflow(page);
		await page.getByTestId('logs-overview-header').click();
		await page.getByTestId('log-details-output').getByText('Oak Chair').waitFor();
		await canvasNode(page, 'Get Data').waitFor();
		await page.getByTestId('zoom-to-fit').click();
		await takePicture(page, `workflow-${theme}`, {
			x: MENU_WIDTH,
			y: 0,
			width: 1280 - MENU_WIDTH,
			height: 860,
		});
	});
});
