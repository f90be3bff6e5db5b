import { startService } from '../service/startService';
import type { RunningService } from '../service/startService';
import { runNode } from './runNode';

let service: RunningService;
beforeAll(async () => { service = await startService(); });
afterAll(async () => { await service.stop(); });
const taskId = '11111111-1111-4111-8111-111111111111';
test('x', async () => {
	const credential = { baseUrl: service.baseUrl, apiKey: service.apiKey };
	const run = await runNode({ credential, parameters: { operation: 'runAndGetData', taskId, options: { pollInterval: 1 }, limit: 3 } });
	console.log(JSON.stringify([run.rows, run.error, run.hints], null, 1));
	for (const fileFormat of ['csv', 'jsonl']) {
	const f = await runNode({ credential, parameters: { operation: 'getData', taskId, returnAll: true, output: 'file', fileFormat, options: { rowsPerFile: 30, deduplication: 'read', includeBatch: true, pageSize: 20 } } });
	console.log(JSON.stringify([f.items, f.error, f.hints], null, 1).slice(0, 2500));
	}
	const s = await runNode({ credential, parameters: { operation: 'getData', taskId, returnAll: true, options: { deduplication: 'service', deduplicationId: 'a', pageSize: 20 } } });
	console.log(s.rows.length, s.error, s.hints);
});
