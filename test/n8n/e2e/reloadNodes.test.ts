import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installBuild } from '../../../playground/communityPackage.ts';
import { listAt, objectAt } from '../../../playground/json.ts';
import { reloadNodes } from '../../../playground/n8n.ts';
import { packageName, startTestN8n } from '../../support/n8n/n8n';
import type { OwnN8n } from '../../support/n8n/n8n';

describe('npm run dev', () => {
	let n8n: OwnN8n;
	const dist = mkdtempSync(join(tmpdir(), 'cloud-scraping-dist-'));

	beforeAll(async () => {
		n8n = await startTestN8n(reloadNodes);
	}, 240_000);

	afterAll(async () => {
		await n8n.stop();
		rmSync(dist, { recursive: true, force: true });
	});

	it('gives a running n8n what was built', async () => {
		const installed = join(n8n.userFolder, '.n8n', 'nodes', 'node_modules', packageName, 'dist');
		cpSync(installed, dist, { recursive: true });
		const node = join(dist, 'nodes', 'CloudScraping', 'CloudScraping.node.js');
		const compiled = readFileSync(node, 'utf8');
		writeFileSync(
			node,
			compiled.replace("displayName: 'Cloud Scraping'", "displayName: 'Renamed'"),
		);
		expect(await displayName()).toBe('Cloud Scraping');

		// n8n begins to watch after it has said that it is ready.
		while ((await displayName()) !== 'Renamed') {
			installBuild(dist, n8n.userFolder, packageName);
			await new Promise((resolve) => setTimeout(resolve, 1_000));
		}
	});

	async function displayName(): Promise<unknown> {
		const types = listAt(await n8n.api.getFile('/types/nodes.json')).map((type) => objectAt(type));
		return types.find(({ name }) => name === `${packageName}.cloudScraping`)?.displayName;
	}
});
