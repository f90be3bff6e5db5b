import type { JsonObject } from '../../../playground/json.ts';
import type { Stage } from '../../support/n8n/stage';
import { chain, cloudScraping } from '../../support/n8n/workflow';
import { shopTask, slowTask } from '../../support/shop/shopTask';

/** The step that takes the URLs of the slow task. */
const urlLoop = '55555555-0000-4000-8000-100000000001';

/** Runs the shop task, and the slow one three times: on a few URLs, stopped, and to its end. */
export async function leaveBatches({ n8n, service, credential }: Stage): Promise<void> {
	const run = async (parameters: JsonObject) => {
		const node = cloudScraping('Node', credential, { taskId: slowTask, ...parameters });
		const { runs } = await n8n.runWorkflow(chain(node));
		return runs.Node[0].items;
	};
	const options = { pollInterval: 1 };
	const urls = ['P003', 'P001', 'P002'].map((id) => `${service.baseUrl}/shop/products/${id}`);
	const actionParams = { urlList: [{ id: urlLoop, urls: urls.join('\n') }] };
	await run({ operation: 'runAndGetData', taskId: shopTask.id, options });
	await run({ operation: 'runAndGetData', actionParams, options });
	await run({ operation: 'start' });
	for (let rows = 0; rows === 0;) {
		const [newest] = await run({ operation: 'listBatches', limit: 1 });
		rows = Number(newest.lineCount);
	}
	await run({ operation: 'stop' });
	await run({ operation: 'runAndGetData', options });
}
