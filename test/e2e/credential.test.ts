import { objectAt } from '../../playground/json.ts';
import { freePort } from '../../playground/ports.ts';
import { startService } from '../service/startService';
import type { RunningService } from '../service/startService';
import { startSite } from '../service/startSite';
import { startTestN8n } from './n8n';
import type { ServiceAccess, TestN8n } from './n8n';

describe('the test of the credential form', () => {
	let service: RunningService;
	let n8n: TestN8n;

	beforeAll(async () => {
		service = await startService();
		n8n = await startTestN8n();
	}, 180_000);

	afterAll(async () => {
		await n8n.stop();
		await service.stop();
	});

	async function verdictOn({
		baseUrl,
		apiKey,
	}: ServiceAccess): Promise<{ status: unknown; message: unknown }> {
		const verdict = await n8n.api.post('/rest/credentials/test', {
			credentials: { name: 'Cloud Scraping', type: 'cloudScrapingApi', data: { baseUrl, apiKey } },
		});
		const { status, message } = objectAt(verdict);
		return { status, message };
	}

	it('says that a good key works', async () => {
		expect(await verdictOn(service)).toMatchObject({ status: 'OK' });
	});

	it('tolerates a slash at the end of the base URL', async () => {
		const { status } = await verdictOn({ ...service, baseUrl: `${service.baseUrl}/` });
		expect(status).toBe('OK');
	});

	it('says that a wrong key is rejected', async () => {
		const { status, message } = await verdictOn({ ...service, apiKey: 'wrong-key' });
		expect(status).toBe('Error');
		expect(message).toMatch(/API key rejected/);
	});

	it('names the host that cannot be reached', async () => {
		const host = `127.0.0.1:${await freePort()}`;
		const { status, message } = await verdictOn({ ...service, baseUrl: `http://${host}` });
		expect(status).toBe('Error');
		expect(message).toContain(`Could not reach ${host}`);
	});

	it('tells a web page from a Cloud Scraping service', async () => {
		const page = await startSite(() => '<!doctype html><title>Garden Tools</title>');
		try {
			const { status, message } = await verdictOn({ ...service, baseUrl: page.baseUrl });
			expect(status).toBe('Error');
			expect(message).toContain('not as a Cloud Scraping service');
		} finally {
			await page.stop();
		}
	});

	it('refuses a base URL that is no web address', async () => {
		const { status, message } = await verdictOn({ ...service, baseUrl: 'file:///etc/passwd' });
		expect(status).toBe('Error');
		expect(message).toMatch(/http/);
	});
});
