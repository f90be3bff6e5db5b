import { request } from 'node:http';
import { cloudClient } from '../support/service/cloudClient';
import { consoleClient } from '../support/service/console';
import { startFront, type Front } from '../support/service/startFront';
import { startService, type RunningService } from '../support/inProcess/startService';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';

let front: Front;
let behind: RunningService;

beforeAll(async () => {
	front = await startFront();
	const steps = [
		step('navigate', { url: '{site}/shop/' }),
		extract({ Page: { source: 'pageUrl' } }),
	];
	behind = await startService({
		tasks: { shop: task('shop', steps) },
		env: { SERVICE_ADDRESS: `${front.baseUrl}/` },
	});
	front.lead([behind.baseUrl]);
});
afterAll(async () => {
	await front.stop();
	await behind.stop();
});

describe('a service that is told under which address it is reached', () => {
	test('has {site} stand for it, so that what agents ask for goes there', async () => {
		const { rows } = await cloudClient(behind).run(uuidOf('shop'));
		expect(rows).toEqual([{ Page: `${front.baseUrl}/shop/` }]);
	});

	test('gives it to people and to n8n, whichever address they have asked', async () => {
		expect(behind.consoleLink).toContain(`${front.baseUrl}/console/?token=`);
		const ask = await consoleClient(behind);
		for (const path of ['/console/keys', `/console/tasks/${uuidOf('shop')}`, '/console/new']) {
			expect(await (await ask(path)).text()).toContain(front.baseUrl);
		}
	});
});

test('answers under it, and takes what browsers send from there', async () => {
	const address = 'https://scraping.example.com';
	const service = await startService({ env: { SERVICE_ADDRESS: address } });
	const signIn = (headers: Record<string, string>) =>
		new Promise<number | undefined>((resolve, reject) => {
			const sent = request(`${service.baseUrl}/console/sign-in`, { method: 'POST', headers });
			sent.on('error', reject);
			sent.on('response', (answer) => resolve(answer.resume().statusCode));
			sent.end(`apiKey=${service.apiKey}`);
		});
	const form = { 'content-type': 'application/x-www-form-urlencoded' };
	const { host } = new URL(address);
	expect(await signIn({ ...form, host, origin: address })).toBe(303);
	expect(await signIn({ ...form, host, origin: 'https://other.example.com' })).toBe(403);
	expect(await signIn({ ...form, host: 'other.example.com', origin: address })).toBe(403);
	await service.stop();
});
