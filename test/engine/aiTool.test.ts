import { CloudScraping } from '../../nodes/CloudScraping/CloudScraping.node';
import { runOn } from '../support/engine/runNode';
import { success } from '../support/scriptedService/scriptedAnswers';
import { startScriptedService } from '../support/scriptedService/scriptedService';
import type { ScriptedService } from '../support/scriptedService/scriptedService';
import { onTheWire } from '../support/scriptedService/scriptedStore';

describe('the node as the tool of an AI agent', () => {
	let service: ScriptedService;

	beforeEach(async () => {
		service = await startScriptedService();
	});

	afterEach(async () => {
		await service.stop();
	});

	const settings = { type: 'n8n-nodes-cloud-scraping.cloudScrapingTool' };

	const numbered = (count: number) => Array.from({ length: count }, (_row, n) => `{"n":${n}}`);

	test('may be used as one', () => {
		expect(new CloudScraping().description.usableAsTool).toBe(true);
	});

	test('returns 50 rows, and says that there are more', async () => {
		service.addBatch({ rows: numbered(120) });
		const { rows } = await runOn(service, { operation: 'getData' }, { settings });
		expect(rows).toHaveLength(51);
		expect(rows[49]).toEqual({ n: 49 });
		expect(rows[50]).toEqual({
			note: 'These are the first 50 of 120 rows of batch 1001. Set a higher limit, or Return All, to get more.',
		});
	});

	test('so does a run', async () => {
		service.script('start', () => success(onTheWire(service.addBatch({ rows: numbered(60) }))));
		const { rows } = await runOn(service, { operation: 'runAndGetData' }, { settings });
		expect(rows).toHaveLength(51);
		expect(rows[50].note).toContain('the first 50 of 60 rows');
	});

	test.each([
		['as many rows as the limit', 50, {}],
		['fewer', 3, {}],
		['none', 0, {}],
		['all that were wanted', 120, { returnAll: true }],
	])('says nothing when there are %s', async (_kind, count, parameters) => {
		service.addBatch({ rows: numbered(count) });
		const { rows } = await runOn(service, { operation: 'getData', ...parameters }, { settings });
		expect(rows).toHaveLength(count);
	});

	test('says nothing when all rows beyond the limit are duplicates', async () => {
		service.addBatch({ rows: [...numbered(10), ...numbered(50)] });
		const parameters = { operation: 'getData', options: { deduplication: 'read' } };
		const { rows } = await runOn(service, parameters, { settings });
		expect(rows).toHaveLength(50);
		expect(rows.at(-1)).toEqual({ n: 49 });
	});

	test('a workflow gets rows and nothing else', async () => {
		service.addBatch({ rows: numbered(120) });
		const { rows } = await runOn(service, { operation: 'getData' });
		expect(rows).toHaveLength(50);
		expect(rows.every((row) => 'n' in row)).toBe(true);
	});
});
