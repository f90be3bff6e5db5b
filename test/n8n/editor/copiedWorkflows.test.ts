import type { Page } from 'playwright-core';
import { useStage } from '../../support/n8n/stage';
import { copiedNames } from '../../support/service/copiedWorkflows';
import { readShop } from '../../support/shop/shopRows';
import { shopTask } from '../../support/shop/shopTask';
import { canvasNode, executeWorkflow, openEditor, openWorkflow } from './editor';
import type { Editor } from './editor';
import { eventually } from './eventually';
import { openNode, outputTable } from './nodeView';

const [byHand, eachMorning, inTwoParts] = copiedNames;
const run = 'Run Task and Get Data';
const manual = 'When clicking ‘Execute workflow’';

/** The names of all nodes in each. */
const workflows: [string, string[]][] = [
	[byHand, [manual, run]],
	[eachMorning, ['Every Morning', run]],
	[inTwoParts, [manual, 'Start Task', 'When a Batch Has Ended']],
];

describe('what the console copies for n8n, in the editor of a real n8n', () => {
	const stage = useStage();
	let editor: Editor;
	let console: Page;

	beforeAll(async () => {
		editor = await openEditor(stage.n8n);
		const context = editor.page.context();
		const { baseUrl, apiKey } = stage.service;
		await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: baseUrl });
		const form = { apiKey };
		await context.request.post(`${baseUrl}/console/sign-in`, { form, maxRedirects: 0 });
		console = await context.newPage();
		await console.goto(`${baseUrl}/console/tasks/${shopTask.id}`);
	});

	afterAll(async () => {
		await editor?.stop();
	});

	/** Copies a workflow in the console, and pastes it on an empty canvas. */
	async function copyAndPaste(name: string): Promise<void> {
		await console.bringToFront();
		await console.reload();
		await console.getByRole('button', { name }).click();
		await console.getByText('Copied', { exact: true }).first().waitFor();
		await paste();
	}

	async function paste(): Promise<void> {
		const { page } = editor;
		await page.bringToFront();
		await openWorkflow(page, stage.n8n);
		await page.keyboard.press('ControlOrMeta+v');
		await page.getByTestId('canvas-node').first().waitFor();
	}

	const namesOnCanvas = async () => {
		const nodes = await editor.page.getByTestId('canvas-node').all();
		return (await Promise.all(nodes.map((node) => node.getAttribute('data-node-name')))).sort();
	};

	/** Nodes on the canvas of which n8n says that they lack something. */
	const issues = () => editor.page.getByTestId('node-issues').count();

	it.each(workflows)('"%s" is pasted, and lacks nothing', async (name, nodes) => {
		await copyAndPaste(name);
		await eventually(namesOnCanvas, [...nodes].sort());
		expect(await canvasNode(editor.page, nodes[1]).innerText()).toContain('Small shop');
		// n8n has set the only credential that there is.
		expect(await issues()).toBe(0);
	});

	it('n8n would say what a pasted node lacks', async () => {
		await copyAndPaste(byHand);
		await console.bringToFront();
		await console.evaluate(withoutTaskId);
		await paste();
		await eventually(issues, 1);
	});

	it(`"${byHand}" is run to its rows`, async () => {
		const { page } = editor;
		await copyAndPaste(byHand);
		await executeWorkflow(page);
		await openNode(page, run);
		const { columns, rows } = await outputTable(page);
		expect(columns.slice(0, 4)).toEqual(['Name', 'Category', 'Price', 'Link']);
		const shop = await readShop(stage.service);
		expect(rows[0].slice(0, 4)).toEqual(Object.values(shop[0]));
	});
});

/** In the console: takes the task's ID out of the workflow on the clipboard. */
const withoutTaskId = `navigator.clipboard.readText().then((text) =>
	navigator.clipboard.writeText(text.replace(/"taskId":"[^"]+"/, '"taskId":""')))`;
