import { runOn } from '../support/engine/runNode';
import { page } from '../support/scriptedService/scriptedAnswers';
import { startScriptedService } from '../support/scriptedService/scriptedService';

test('more rows than n8n can hold are refused after the first page', async () => {
	const service = await startScriptedService();
	service.addBatch({ rows: ['{}'] });
	service.script('data', page(['{}', '{}'], { page: 1, size: 2, total: 500_001 }));
	const { error } = await runOn(service, {
		operation: 'getData',
		returnAll: true,
		options: { pageSize: 2 },
	});
	expect(error?.message).toBe('The batch has 500,001 rows, too many for items');
	expect(error?.description).toContain('Output: File');
	expect(service.sentTo('data')).toHaveLength(1);
	await service.stop();
});
