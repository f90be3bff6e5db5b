import { installService } from '../../support/service/packedService';
import { startService } from '../../support/service/startService';
import type { RunningService } from '../../support/service/startService';
import { useStage } from '../../support/n8n/stage';
import { chain, cloudScraping } from '../../support/n8n/workflow';
import { readShop } from '../../support/shop/shopRows';
import { shopTask } from '../../support/shop/shopTask';

/** The packed service as npm installs it, with the tasks that it brings. */
async function startPackedService(): Promise<RunningService> {
	const installed = await installService();
	const service = await startService({
		program: [installed.program],
		env: { SERVICE_TASKS: '' },
	});
	return {
		...service,
		async stop() {
			await service.stop();
			await installed.remove();
		},
	};
}

describe('both packages, each installed from its tarball', () => {
	const stage = useStage(startPackedService);

	it('a real n8n gets the rows of a demo task', async () => {
		const node = cloudScraping('Node', stage.credential, {
			operation: 'runAndGetData',
			taskId: shopTask.id,
			returnAll: true,
			options: { pollInterval: 1 },
		});
		const { error, runs } = await stage.n8n.runWorkflow(chain(node));
		expect(error).toBeUndefined();
		expect(runs.Node[0].items).toEqual(await readShop(stage.service));
		expect(runs.Node[0].items).toHaveLength(72);
	});
});
