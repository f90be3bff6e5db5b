import { join } from 'node:path';
import { readWorkflow } from '../../playground/demoWorkflows.ts';
import { textAt } from '../../playground/json.ts';
import type { JsonObject } from '../../playground/json.ts';
import { freePort } from '../../playground/ports.ts';
import { shopTask } from '../e2e/shopTask';
import { useStage } from '../e2e/stage';
import { chain, cloudScraping } from '../e2e/workflow';
import { readTemplate, withCredentials } from '../examples/template';
import { startService } from '../service/startService';
import type { Theme } from './browser';
import { openCredential } from './credentialForm';
import { canvasNode, executeWorkflow, openEditor, openWorkflow } from './editor';
import type { Editor } from './editor';
import { exampleFiles } from './exampleFiles';
import { chooseAction, openActions, openNodePanel, searchNode } from './nodePanel';
import { addEntry, choose, openBatches, openNode, typeInto } from './nodeView';
import { aroundCanvas, nodePanel, openForm, parameterPane, takePicture } from './picture';

const demo = join(__dirname, '..', '..', 'playground', 'workflows', 'start-wait-get.json');

describe('pictures of the documentation', () => {
	// The pictures show the address at which the local service usually is.
	const stage = useStage(async () =>
		startService({ env: { SERVICE_PORT: String(await freePort(8787)) } }),
	);
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
	});

	describe.each<Theme>(['light', 'dark'])('%s', (theme) => {
		let editor: Editor;

		beforeAll(async () => {
			editor = await openEditor(stage.n8n, { theme });
		});

		afterAll(async () => {
			await editor?.stop();
		});

		/** Stores a workflow of its own for each picture: n8n lets one page at a time change one. */
		async function open(workflow: JsonObject): Promise<void> {
			const stored = await stage.n8n.api.post('/rest/workflows', { ...workflow, id: undefined });
			await openWorkflow(editor.page, stage.n8n, textAt(stored, 'id'));
		}

		async function openOurNode(parameters: JsonObject): Promise<void> {
			const node = cloudScraping('Cloud Scraping', credential.id, parameters);
			await open(chain({ ...node, credentials: { cloudScrapingApi: credential } }));
			await openNode(editor.page, 'Cloud Scraping');
		}

		it('the demo workflow after a run', async () => {
			const { page } = editor;
			await open(readWorkflow(demo, credential));
			await executeWorkflow(page);
			await page.getByTestId('logs-overview-header').click();
			await page.getByTestId('log-details-output').getByText('Oak Chair').waitFor();
			await canvasNode(page, 'Get Data').waitFor();
			await page.getByTestId('zoom-to-fit').click();
			await takePicture(page, `workflow-${theme}`, aroundCanvas);
		});

		it('the parameters of a run, with a step value', async () => {
			const { page } = editor;
			await openOurNode({ operation: 'runAndGetData', taskId: shopTask.id });
			await addEntry(page, 'Add Step Value', 'Navigate: URL');
			await typeInto(page, 'id', shopTask.steps.open);
			await typeInto(page, 'url', 'https://example.com/products?page=1');
			await takePicture(page, `parameters-${theme}`, await parameterPane(page));
		});

		it('the dropdown of batches', async () => {
			await openOurNode({ operation: 'getData', taskId: shopTask.id });
			await choose(editor.page, 'batch', 'By ID');
			await openBatches(editor.page);
			await takePicture(editor.page, `batches-${theme}`, await parameterPane(editor.page));
		});

		it('the credential after a test', async () => {
			await openOurNode({ operation: 'getData', taskId: shopTask.id });
			await openCredential(editor.page);
			await takePicture(editor.page, `credential-${theme}`, await openForm(editor.page));
		});

		it('the search of the node panel, and the trigger found in it', async () => {
			const { page } = editor;
			await openWorkflow(page, stage.n8n);
			await openNodePanel(page);
			await searchNode(page, 'web scraping', 'Cloud Scraping');
			await takePicture(page, `search-${theme}`, nodePanel);
			await openActions(page, 'Cloud Scraping');
			await chooseAction(page, 'On batch finished');
			await typeInto(page, 'taskId', shopTask.id);
			await takePicture(page, `trigger-${theme}`, await parameterPane(page));
		});

		if (theme === 'light') {
			it.each(exampleFiles)('the example %s', async (file) => {
				const { page } = editor;
				const template = readTemplate(file);
				await open(withCredentials(template, { cloudScrapingApi: credential.id }));
				await page.getByTestId('zoom-to-fit').click();
				await takePicture(page, `example-${file.replace('.json', '')}`, aroundCanvas);
			});
		}
	});
});
