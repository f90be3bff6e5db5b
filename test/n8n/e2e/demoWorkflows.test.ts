import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoWorkflowId, readWorkflow, workflowFiles } from '../../../playground/demoWorkflows.ts';
import { listAt, objectAt } from '../../../playground/json.ts';
import { useStage } from '../../support/n8n/stage';
import { readShop } from '../../support/shop/shopRows';

const files = workflowFiles(join(__dirname, '..', '..', '..', 'playground', 'workflows'));

describe('the workflows of the playground', () => {
	const stage = useStage();
	const credential = () => ({ id: stage.credential, name: 'Test' });

	async function rowsOf(id: string, lastNode: string): Promise<unknown> {
		const workflow = files
			.map((file) => readWorkflow(readFileSync(file, 'utf8'), credential()))
			.find((candidate) => candidate.id === id);
		const { status, runs } = await stage.n8n.runWorkflow(objectAt(workflow));
		expect(status).toBe('success');
		return runs[lastNode].at(-1)?.items;
	}

	it('start, wait and get: all rows of the shop, in its order', async () => {
		const shop = await readShop(stage.service);
		expect(shop.length).toBeGreaterThan(60);
		expect(await rowsOf(demoWorkflowId, 'Get Data')).toEqual(shop);
	});

	it('run and get: every row of the shop once', async () => {
		const once = new Map((await readShop(stage.service)).map((row) => [JSON.stringify(row), row]));
		expect(await rowsOf('cloudScrapeDemo2', 'Run Task and Get Data')).toEqual([...once.values()]);
	});

	it.each(files)('are ready to open in the editor: %s', (file) => {
		const workflow = readWorkflow(readFileSync(file, 'utf8'), credential());
		const nodes = listAt(workflow, 'nodes').map((node) => objectAt(node));
		const ours = nodes.filter(({ type }) => String(type).startsWith('n8n-nodes-cloud-scraping.'));
		expect(ours.length).toBeGreaterThan(0);
		for (const node of ours) {
			expect(node.credentials).toEqual({ cloudScrapingApi: credential() });
		}
	});
});
