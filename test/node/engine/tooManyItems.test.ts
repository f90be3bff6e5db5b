import { runOn } from '../../support/engine/runNode';
import { page } from '../../support/scriptedService/scriptedAnswers';
import { startScriptedService } from '../../support/scriptedService/scriptedService';

const rows = page(['{}', '{}'], { page: 1, size: 2, total: 500_001 });

test('more rows than n8n can hold are refused after the first page', async () => {
	const service = await startScriptedService();
	service.addBatch({ rows: ['{}'] });
	service.script('data', rows);
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

test('where duplicates are dropped, items count, not the rows of the batch', async () => {
	const service = await startScriptedService();
	service.addBatch({ rows: ['{}'] });
	service.script('data', rows);
	const { error, items } = await runOn(service, {
		operation: 'getData',
		limit: 1,
		options: { pageSize: 2, deduplication: 'read', onMissingRows: 'return' },
	});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	await service.stop();
});
