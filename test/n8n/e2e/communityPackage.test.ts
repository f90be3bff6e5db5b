import { listAt, objectAt } from '../../../playground/json.ts';
import { packageName } from '../../support/n8n/n8n';
import { useStage } from '../../support/n8n/stage';

describe('the packed package in a real n8n', () => {
	const stage = useStage();

	it('is among the installed community packages, and its nodes are loaded', async () => {
		const installed = listAt(await stage.n8n.api.get('/rest/community-packages'));
		expect(installed).toEqual([expect.objectContaining({ packageName, failedLoading: false })]);
		const nodes = listAt(installed[0], 'installedNodes').map((node) => objectAt(node).type);
		expect(nodes).toContain(`${packageName}.cloudScraping`);
	});

	it('brings the credential with a base URL and a hidden API key', async () => {
		const types = listAt(await stage.n8n.api.getFile('/types/credentials.json')).map((type) =>
			objectAt(type),
		);
		const type = types.find(({ name }) => name === 'cloudScrapingApi');
		expect(type).toMatchObject({ displayName: 'Cloud Scraping API' });
		expect(listAt(type, 'supportedNodes')).toContain(`${packageName}.cloudScraping`);
		const properties = listAt(type, 'properties');
		expect(properties).toContainEqual(expect.objectContaining({ name: 'baseUrl', required: true }));
		expect(properties).toContainEqual(
			expect.objectContaining({ name: 'apiKey', typeOptions: { password: true } }),
		);
	});

	it('can be used as a tool by an AI agent', async () => {
		const types = listAt(await stage.n8n.api.getFile('/types/nodes.json')).map((type) =>
			objectAt(type),
		);
		expect(types.map(({ name }) => name)).toContain(`${packageName}.cloudScrapingTool`);
	});
});
