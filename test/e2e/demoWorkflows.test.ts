import { join } from 'node:path';
import { demoWorkflowId, readWorkflow, workflowFiles } from '../../playground/demoWorkflows.ts';
import { listAt, objectAt } from '../../playground/json.ts';
import { readShop } from './shopRows';
import { useStage } from './stage';

const files = workflowFiles(join(__dirname, '..', '..', 'playground', 'workflows'));

describe('the workflows of the playground', () => {
	const stage = useStage();
	const credential = () => ({ id: stage.credential, name: 'Test' });

	it('come out of the demo as the rows of the shop, in its order', async () => {
		const workflow = files
			.map((file) => readWorkflow(file, credential()))
			.find(({ id }) => id === demoWorkflowId);
		const { status, runs } = await stage.n8n.runWorkflow(objectAt(workflow));
		expect(status).toBe('success');
		const rows = runs['Get Data'].at(-1)?.items;
		const shop = await readShop(stage.service);
		expect(shop.length).toBeGreaterThan(60);
		expect(rows).toEqual(shop);
	}, 120_000);

	it.each(files)('are ready to open in the editor: %s', (file) => {
		const workflow = readWorkflow(file, credential());
		const nodes = listAt(workflow, 'nodes').map((node) => objectAt(node));
		const ours = nodes.filter(({ type }) => String(type).startsWith('n8n-nodes-cloud-scraping.'));
		expect(ours.length).toBeGreaterThan(0);
		for (const node of ours) {
			expect(node.credentials).toEqual({ cloudScrapingApi: credential() });
		}
	});
});
