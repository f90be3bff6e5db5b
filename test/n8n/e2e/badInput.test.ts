import { textAt } from '../../../playground/json.ts';
import type { JsonObject } from '../../../playground/json.ts';
import { freePort } from '../../../playground/ports.ts';
import { useStage } from '../../support/n8n/stage';
import { chain, cloudScraping } from '../../support/n8n/workflow';
import { startSite } from '../../support/service/startSite';
import { shopTask } from '../../support/shop/shopTask';

const unknownTask = '00000000-0000-4000-8000-000000000000';
const unknownStep = '00000000-0000-4000-8000-000000000001';
const start = { operation: 'start', taskId: shopTask.id };

describe('bad input in a real n8n', () => {
	const stage = useStage();

	/** What the user reads in the editor when the node fails with these parameters. */
	async function failureOf(
		parameters: JsonObject,
		credentialId = stage.credential,
	): Promise<{ message: string; description: string }> {
		const workflow = chain(cloudScraping('Cloud Scraping', credentialId, parameters));
		const { status, error } = await stage.n8n.runWorkflow(workflow);
		expect(status).toBe('error');
		return { message: textAt(error, 'message'), description: textAt(error, 'description') };
	}

	it('says that the API key was rejected', async () => {
		const wrongKey = await stage.n8n.storeCredential({
			baseUrl: stage.service.baseUrl,
			apiKey: 'wrong-key',
		});
		const { message, description } = await failureOf(start, wrongKey);
		expect(message).toBe('API key rejected');
		expect(description).toContain('Check the API key and the base URL of the credential.');
		expect(description).toMatch(/Request ID: [0-9a-f-]{36}/);
		expect(description).not.toContain('wrong-key');
	});

	it('names the host that cannot be reached, and says that nothing was started', async () => {
		const host = `127.0.0.1:${await freePort()}`;
		const nowhere = await stage.n8n.storeCredential({ baseUrl: `http://${host}`, apiKey: 'any' });
		const { message, description } = await failureOf(start, nowhere);
		expect(message).toBe(`Could not reach ${host}`);
		expect(description).toMatch(/not (been )?started/);
	});

	it('tells a web page from a Cloud Scraping service', async () => {
		const page = await startSite(() => '<!doctype html><title>Garden Tools</title>');
		try {
			const website = await stage.n8n.storeCredential({ baseUrl: page.baseUrl, apiKey: 'any' });
			const { message, description } = await failureOf(
				{ operation: 'listBatches', taskId: shopTask.id },
				website,
			);
			expect(message).toBe('The address answered, but not as a Cloud Scraping service');
			expect(description).toContain('HTTP 200');
			expect(description).toContain('Garden Tools');
		} finally {
			await page.stop();
		}
	});

	it('names the address below which the service has no API', async () => {
		const { baseUrl, apiKey } = stage.service;
		const shop = await stage.n8n.storeCredential({ baseUrl: `${baseUrl}/shop`, apiKey });
		const { description } = await failureOf(start, shop);
		expect(description).toContain('/shop/cloud/start');
	});

	it.each(['start', 'stop', 'listBatches', 'getData'])(
		'names the unknown task of operation "%s"',
		async (operation) => {
			const { message, description } = await failureOf({ operation, taskId: unknownTask });
			expect(message).toBe('Task or batch not found');
			expect(description).toContain(unknownTask);
		},
	);

	it('names the unknown batch', async () => {
		const { message, description } = await failureOf({
			operation: 'getData',
			taskId: shopTask.id,
			batch: 'id',
			batchId: { __rl: true, mode: 'id', value: '4711' },
		});
		expect(message).toBe('Task or batch not found');
		expect(description).toContain('4711');
	});

	it('refuses a task id of blanks before any request', async () => {
		const { message } = await failureOf({ operation: 'start', taskId: '   ' });
		expect(message).toMatch(/task id/i);
	});

	it('names the step value that is no whole number', async () => {
		const { message, description } = await failureOf({
			...start,
			actionParams: { loopTimes: [{ id: shopTask.steps.pages, times: 1.5 }] },
		});
		expect(`${message} ${description}`).toContain('1.5');
	});

	it('refuses step values that are no JSON array', async () => {
		const { message } = await failureOf({
			...start,
			specifyActionParams: 'json',
			actionParamsJson: '{"id": "x"}',
		});
		expect(message).toMatch(/array/i);
	});

	it("passes on the service's word on a step that the task does not have", async () => {
		const { message, description } = await failureOf({
			...start,
			actionParams: { navigate: [{ id: unknownStep, url: 'http://127.0.0.1/' }] },
		});
		expect(message).toBe('Navigate: URL 1: the service refused this step value');
		expect(description).toContain(unknownStep);
	});

	it("passes on the service's word on a value of the wrong type", async () => {
		const { message, description } = await failureOf({
			...start,
			specifyActionParams: 'json',
			actionParamsJson: JSON.stringify([{ id: shopTask.steps.open, value: 7 }]),
		});
		expect(message).toBe('Step value 1: the service refused this step value');
		expect(description).toContain('actionParams');
	});

	it('has started nothing by all of this', async () => {
		const list = cloudScraping('List', stage.credential, {
			operation: 'listBatches',
			taskId: shopTask.id,
			returnAll: true,
		});
		const { status, runs } = await stage.n8n.runWorkflow(chain(list));
		expect(status).toBe('success');
		expect(runs.List[0].items).toEqual([]);
	});

	it('goes on with the next item if the user asks for it', async () => {
		const list = cloudScraping('List', stage.credential, {
			operation: 'listBatches',
			taskId: unknownTask,
		});
		const { status, runs } = await stage.n8n.runWorkflow(
			chain({ ...list, onError: 'continueRegularOutput' }),
		);
		expect(status).toBe('success');
		expect(runs.List[0].items).toEqual([
			expect.objectContaining({ error: 'Task or batch not found', code: 9000004 }),
		]);
	});
});
