import { objectAt } from '../../../playground/json.ts';
import { freePort } from '../../../playground/ports.ts';
import type { ServiceAccess } from '../../support/n8n/n8n';
import { useStage } from '../../support/n8n/stage';
import { startSite } from '../../support/service/startSite';

describe('the test of the credential form', () => {
	const stage = useStage();

	async function verdictOn({
		baseUrl,
		apiKey,
	}: ServiceAccess): Promise<{ status: unknown; message: unknown }> {
		const id = await stage.n8n.storeCredential({ baseUrl, apiKey });
		const verdict = await stage.n8n.api.post('/rest/credentials/test', {
			credentials: { id, name: 'Test', type: 'cloudScrapingApi', data: { baseUrl, apiKey } },
		});
		const { status, message } = objectAt(verdict);
		return { status, message };
	}

	it('says that a good key works', async () => {
		expect(await verdictOn(stage.service)).toMatchObject({ status: 'OK' });
	});

	it('tolerates a slash at the end of the base URL', async () => {
		const { status } = await verdictOn({ ...stage.service, baseUrl: `${stage.service.baseUrl}/` });
		expect(status).toBe('OK');
	});

	it('says that a wrong key is rejected', async () => {
		const { status, message } = await verdictOn({ ...stage.service, apiKey: 'wrong-key' });
		expect(status).toBe('Error');
		expect(message).toMatch(/API key rejected/);
	});

	it('names the host that cannot be reached', async () => {
		const host = `127.0.0.1:${await freePort()}`;
		const { status, message } = await verdictOn({ ...stage.service, baseUrl: `http://${host}` });
		expect(status).toBe('Error');
		expect(message).toContain(`Could not reach ${host}`);
	});

	it('tells a path that the service does not know from the service', async () => {
		const { status, message } = await verdictOn({
			...stage.service,
			baseUrl: `${stage.service.baseUrl}/foo`,
		});
		expect(status).toBe('Error');
		expect(message).toMatch(/^The base URL does not lead to the service: .*\/foo\/cloud\/batches/);
	});

	it('tells a web page from a Cloud Scraping service', async () => {
		const page = await startSite(() => '<!doctype html><title>Garden Tools</title>');
		try {
			const { status, message } = await verdictOn({ ...stage.service, baseUrl: page.baseUrl });
			expect(status).toBe('Error');
			expect(message).toContain('is not a Cloud Scraping service');
		} finally {
			await page.stop();
		}
	});

	it('refuses a base URL that is no web address', async () => {
		const { status, message } = await verdictOn({
			...stage.service,
			baseUrl: 'file:///etc/passwd',
		});
		expect(status).toBe('Error');
		expect(message).toMatch(/http/);
	});
});
