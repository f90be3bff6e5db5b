import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWorkflow } from '../../../playground/demoWorkflows.ts';
import type { JsonObject } from '../../../playground/json.ts';
import { chain, cloudScraping } from '../../support/n8n/workflow';
import { shopTask, slowTask } from '../../support/shop/shopTask';
import type { Theme } from './browser';
import { aroundCanvas, nodePanel, openForm, parameterPane } from './clips';
import {
	chooseCredential,
	credentialRefused,
	openCredential,
	openNewCredential,
	saveCredential,
} from './credentialForm';
import { canvasNode, closeNotices, executeWorkflow, openEditor, openWorkflow } from './editor';
import type { Editor } from './editor';
import { leaveBatches } from './finishedBatches';
import { chooseAction, openActions, openNodePanel, searchNode } from './nodePanel';
import {
	addEntry,
	choose,
	executeNode,
	openBatches,
	openNode,
	openOptions,
	outputTable,
	typeInto,
} from './nodeView';
import { takeNodePicture, takePicture } from './picture';
import { usePictureStage } from './pictureStage';

const demo = join(__dirname, '..', '..', '..', 'playground', 'workflows', 'run-and-get.json');
const leftWithinMs = 120_000;

describe('pictures of the documentation', () => {
	const { stage, credential, open } = usePictureStage();

	beforeAll(async () => {
		await leaveBatches(stage);
	}, leftWithinMs);

	describe.each<Theme>(['light', 'dark'])('%s', (theme) => {
		let editor: Editor;

		beforeAll(async () => {
			editor = await openEditor(stage.n8n, { theme });
		});

		afterAll(async () => {
			await editor?.stop();
		});

		async function openOurNode(parameters: JsonObject): Promise<void> {
			const node = cloudScraping('Cloud Scraping', credential().id, parameters);
			await open(editor, chain({ ...node, credentials: { cloudScrapingApi: credential() } }));
			await openNode(editor.page, 'Cloud Scraping');
		}

		it('the demo workflow after a run', async () => {
			const { page } = editor;
			await open(editor, readWorkflow(readFileSync(demo, 'utf8'), credential()));
			await executeWorkflow(page);
			await page.getByTestId('logs-overview-header').click();
			await page.getByTestId('log-details-output').getByText('Oak Chair').waitFor();
			await canvasNode(page, 'Run Task and Get Data').waitFor();
			await page.getByTestId('zoom-to-fit').click();
			await takePicture(page, `workflow-${theme}`, aroundCanvas);
		});

		it('the operations', async () => {
			await openOurNode({ operation: 'getData', taskId: shopTask.id });
			await openOptions(editor.page, 'operation');
			// The dropdown is a little wider than the pane.
			const { width, ...clip } = await parameterPane(editor.page);
			await takePicture(editor.page, `operations-${theme}`, { ...clip, width: width + 20 });
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
			await openOurNode({ operation: 'getData', taskId: slowTask });
			await choose(editor.page, 'batch', 'Specific Batch');
			await openBatches(editor.page);
			await takePicture(editor.page, `batches-${theme}`, await parameterPane(editor.page));
		});

		it('the rows that a node returns', async () => {
			await openOurNode({ operation: 'runAndGetData', taskId: shopTask.id });
			await executeNode(editor.page);
			await outputTable(editor.page);
			await closeNotices(editor.page);
			await takeNodePicture(editor.page, `rows-${theme}`);
		});

		it('the credential after its test, with a good key and with a wrong one', async () => {
			const { page } = editor;
			await openOurNode({ operation: 'getData', taskId: shopTask.id });
			await openCredential(page);
			await takePicture(page, `credential-${theme}`, await openForm(page));
			await openOurNode({ operation: 'getData', taskId: shopTask.id });
			await openNewCredential(page);
			await saveCredential(page, { baseUrl: stage.service.baseUrl, apiKey: 'wrong' });
			await credentialRefused(page);
			await closeNotices(page);
			await takePicture(page, `credential-rejected-${theme}`, await openForm(page));
		});

		it('the search of the node panel, and the trigger found in it', async () => {
			const { page } = editor;
			await openWorkflow(page, stage.n8n);
			await openNodePanel(page);
			await searchNode(page, 'web scraping', 'Cloud Scraping');
			await takePicture(page, `search-${theme}`, nodePanel);
			await openActions(page, 'Cloud Scraping');
			await chooseAction(page, 'On batch finished');
			await chooseCredential(page, credential().name);
			await typeInto(page, 'taskId', shopTask.id);
			await takePicture(page, `trigger-${theme}`, await parameterPane(page));
		});
	});
});
