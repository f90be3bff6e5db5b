import { textAt } from '../../../playground/json.ts';
import type { JsonObject } from '../../../playground/json.ts';
import { freePort } from '../../../playground/ports.ts';
import type { ServiceAccess } from '../../support/n8n/n8n';
import { runShopTask } from '../../support/n8n/runShopTask';
import { useStage } from '../../support/n8n/stage';
import { chain, cloudScraping } from '../../support/n8n/workflow';
import { startSite } from '../../support/service/startSite';
import { readShop } from '../../support/shop/shopRows';
import { shopTask } from '../../support/shop/shopTask';
import {
	closeCredential,
	credentialAccepted,
	credentialRefused,
	openCredential,
	openNewCredential,
	saveCredential,
} from './credentialForm';
import { openEditor, openWorkflow } from './editor';
import type { Editor } from './editor';
import { eventually } from './eventually';
import {
	chooseAction,
	descriptionOf,
	entries,
	openActions,
	openNodePanel,
	searchNode,
} from './nodePanel';
import {
	addEntry,
	choose,
	closeNode,
	executeNode,
	openBatches,
	openNode,
	outputTable,
	parameterNames,
	pickBatch,
	switchOver,
	typeInto,
} from './nodeView';

const everyOperation = ['Credential', 'Operation', 'Task ID'];
const runSettings = [
	'Specify Step Values',
	'Step Values',
	'Max Concurrent Agents',
	'Jobs',
	'Region',
];
const rowOutput = ['Output', 'Return All', 'Limit', 'Only New Rows', 'Options'];

describe('the editor of a real n8n', () => {
	const stage = useStage();
	let editor: Editor;

	beforeAll(async () => {
		editor = await openEditor(stage.n8n);
	});

	afterAll(async () => {
		await editor?.stop();
	});

	/** Opens a workflow whose one node has these parameters, and that node. */
	async function openOurNode(parameters: JsonObject): Promise<void> {
		const workflow = chain(cloudScraping('Cloud Scraping', stage.credential, parameters));
		const stored = await stage.n8n.api.post('/rest/workflows', workflow);
		await openWorkflow(editor.page, stage.n8n, textAt(stored, 'id'));
		await openNode(editor.page, 'Cloud Scraping');
	}

	describe('the node panel', () => {
		beforeAll(async () => {
			await openWorkflow(editor.page, stage.n8n);
			await openNodePanel(editor.page);
		});

		it.each(['Cloud Scraping', 'scrape', 'web scraping', 'crawler'])(
			'finds the node by "%s"',
			async (query) => {
				await searchNode(editor.page, query, 'Cloud Scraping');
			},
		);

		it('offers the triggers to start a workflow with, and adds the chosen one', async () => {
			await openActions(editor.page, 'Cloud Scraping');
			await eventually(
				() => entries(editor.page),
				['On batch finished', 'On batch stopped', 'On batch successful'],
			);
			await chooseAction(editor.page, 'On batch successful');
			await eventually(
				() => parameterNames(editor.page),
				['Credential', 'Poll Times', 'Mode', 'Task ID', 'Event', 'Output', 'Simplify'],
			);
			await closeNode(editor.page);
		});

		it('offers the operations behind a trigger, and adds the node with the chosen one', async () => {
			await openNodePanel(editor.page);
			await searchNode(editor.page, 'scrape', 'Cloud Scraping');
			expect(await descriptionOf(editor.page, 'Cloud Scraping')).toContain('get their rows');
			await openActions(editor.page, 'Cloud Scraping');
			await eventually(
				() => entries(editor.page),
				[
					'Get data of batch',
					'List batches of task',
					'Run task and get data',
					'Start task',
					'Stop task',
				],
			);
			await chooseAction(editor.page, 'Stop task');
			await eventually(
				() => parameterNames(editor.page),
				[...everyOperation, 'Simplify', 'Options'],
			);
		});
	});

	it('shows for each operation what belongs to it, and nothing else', async () => {
		await openOurNode({ operation: 'stop', taskId: shopTask.id });
		const shown: Record<string, string[]> = {
			'Get Data': [...everyOperation, 'Batch', ...rowOutput],
			'List Batches': [...everyOperation, 'Return All', 'Limit', 'Order By', 'Simplify', 'Options'],
			'Run Task and Get Data': [
				...everyOperation,
				...runSettings,
				'Timeout (Minutes)',
				...rowOutput,
			],
			'Start Task': [...everyOperation, ...runSettings, 'Simplify'],
			'Stop Task': [...everyOperation, 'Simplify', 'Options'],
		};
		for (const [operation, names] of Object.entries(shown)) {
			await choose(editor.page, 'operation', operation);
			await eventually(() => parameterNames(editor.page), names);
		}
	});

	it('returns all rows as a file unless a limit is chosen, and keeps that choice', async () => {
		await openOurNode({ operation: 'getData', taskId: shopTask.id });
		const asFile = [
			...everyOperation,
			'Batch',
			'Output',
			'File Format',
			'Put Output File in Field',
		];
		const behind = ['Only New Rows', 'Options'];
		await choose(editor.page, 'output', 'File');
		await eventually(() => parameterNames(editor.page), [...asFile, 'Return All', ...behind]);
		await switchOver(editor.page, 'returnAll');
		const limited = [...asFile, 'Return All', 'Limit', ...behind];
		await eventually(() => parameterNames(editor.page), limited);
		await closeNode(editor.page);
		await openNode(editor.page, 'Cloud Scraping');
		await eventually(() => parameterNames(editor.page), limited);
		await switchOver(editor.page, 'returnAll');
		await eventually(() => parameterNames(editor.page), [...asFile, 'Return All', ...behind]);
		// As a workflow is stored: without what is the default.
		const stored = { operation: 'getData', taskId: shopTask.id, output: 'file' };
		await openOurNode({ ...stored, returnAll: false });
		await eventually(() => parameterNames(editor.page), limited);
		await openOurNode(stored);
		await eventually(() => parameterNames(editor.page), [...asFile, 'Return All', ...behind]);
	});

	it('runs the node with a step value, and shows the rows', async () => {
		await openOurNode({ operation: 'runAndGetData', taskId: shopTask.id });
		await addEntry(editor.page, 'Add Step Value', 'Navigate: URL');
		await typeInto(editor.page, 'id', shopTask.steps.open);
		await typeInto(editor.page, 'url', `${stage.service.baseUrl}/shop/search?q=teapot`);
		await executeNode(editor.page);
		const { columns, rows } = await outputTable(editor.page);
		expect(columns.slice(0, 4)).toEqual(['Name', 'Category', 'Price', 'Link']);
		const teapots = (await readShop(stage.service)).filter(({ Name }) => /teapot/i.test(Name));
		expect(new Set(rows.map(([name]) => name))).toEqual(new Set(teapots.map(({ Name }) => Name)));
	});

	it('offers the batches in a dropdown, and shows the rows of the one that is picked', async () => {
		await runShopTask(stage);
		await openOurNode({ operation: 'getData', taskId: shopTask.id });
		await choose(editor.page, 'batch', 'Specific Batch');
		const [newest] = await openBatches(editor.page);
		expect(newest).toContain('successful · 72 rows');
		await pickBatch(editor.page, newest);
		await executeNode(editor.page);
		const { rows } = await outputTable(editor.page);
		const shop = await readShop(stage.service);
		expect(rows[0].slice(0, 4)).toEqual(Object.values(shop[0]));
	});

	it.each(['start', 'stop', 'listBatches'])(
		'offers the fields of the output of "%s" to the next node before anything has run',
		async (operation) => {
			const parameters = { operation, taskId: shopTask.id };
			const workflow = chain(cloudScraping('Before', stage.credential, parameters), {
				name: 'Next',
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: {},
			});
			const stored = await stage.n8n.api.post('/rest/workflows', workflow);
			await openWorkflow(editor.page, stage.n8n, textAt(stored, 'id'));
			await openNode(editor.page, 'Next');
			const input = editor.page.getByTestId('ndv-input-panel');
			for (const field of ['batchID', 'taskID', 'status', 'lineCount', 'fields', 'statusName']) {
				await input.getByText(field, { exact: true }).first().waitFor();
			}
		},
	);

	describe('the credential form', () => {
		beforeAll(async () => {
			await openOurNode({ operation: 'getData' });
		});

		/** Why n8n refuses a new credential. */
		async function refusalOf(access: ServiceAccess): Promise<string> {
			await openNewCredential(editor.page);
			await saveCredential(editor.page, access);
			const said = await credentialRefused(editor.page);
			await closeCredential(editor.page);
			return said;
		}

		it('takes a good key, and says that it works', async () => {
			await openNewCredential(editor.page);
			await saveCredential(editor.page, stage.service);
			await credentialAccepted(editor.page);
			await openCredential(editor.page);
			await closeCredential(editor.page);
		});

		it('says that a wrong key is rejected', async () => {
			const { baseUrl } = stage.service;
			expect(await refusalOf({ baseUrl, apiKey: 'wrong' })).toContain('API key rejected');
		});

		it('tells a web page from a service', async () => {
			const page = await startSite(() => '<!doctype html><title>Garden Tools</title>');
			try {
				const said = await refusalOf({ baseUrl: page.baseUrl, apiKey: 'any' });
				expect(said).toContain('is not a Cloud Scraping service (HTTP 200');
			} finally {
				await page.stop();
			}
		});

		it('names the host where nobody listens', async () => {
			const host = `127.0.0.1:${await freePort()}`;
			const said = await refusalOf({ baseUrl: `http://${host}`, apiKey: 'any' });
			expect(said).toContain(`Could not reach ${host}`);
		});
	});
});
