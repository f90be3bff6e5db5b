import { startService } from './startService';

test('starts, answers and stops', async () => {
	const service = await startService();
	const response = await fetch(`${service.baseUrl}/shop/`);
	expect(response.status).toBe(200);
	await service.stop();
});
