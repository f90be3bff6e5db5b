import { join } from 'node:path';
import { demoWorkflowId, readWorkflow, workflowFiles } from '../../playground/demoWorkflows.ts';
import { listAt, objectAt } from '../../playground/json.ts';
import { startService } from '../service/startService';
import type { RunningService } from '../service/startService';
import { startTestN8n } from './n8n';
import type { TestN8n } from './n8n';
import { readShop } from './shopRows';

const files = workflowFiles(join(__dirname, '..', '..', 'playground', 'workflows'));

describe('the workflows of the playground', () => {
	let service: RunningService;
	let n8n: TestN8n;
	let credential: { id: string; name: string };

	beforeAll(async () => {
		service = await startService();
		n8n = await startTestN8n();
		credential = { id: await n8n.storeCredential(service), name: 'Test' };
	}, 180_000);

	afterAll(async () => {
		await n8n.stop();
		await service.stop();
	});

	it('come out of the demo as the rows of the shop, in its order', async () => {
		const workflow = files
			.map((file) => readWorkflow(file, credential))
			.find(({ id }) => id === demoWorkflowId);
		const { status, runs } = await n8n.runWorkflow(objectAt(workflow));
		expect(status).toBe('success');
		const rows = runs['Get Data'].at(-1)?.items;
		const shop = await readShop(service);
		expect(shop.length).toBeGreaterThan(60);
		expect(rows).toEqual(shop);
	}, 120_000);

	it.each(files)('are ready to open in the editor: %s', (file) => {
		const workflow = readWorkflow(file, credential);
		const nodes = listAt(workflow, 'nodes').map((node) => objectAt(node));
		const ours = nodes.filter(({ type }) => String(type).startsWith('n8n-nodes-cloud-scraping.'));
		expect(ours.length).toBeGreaterThan(0);
		for (const node of ours) {
			expect(node.credentials).toEqual({ cloudScrapingApi: credential });
		}
	});
});
