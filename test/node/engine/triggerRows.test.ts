import type { INodeParameters } from 'n8n-workflow';

import { ActiveTrigger } from '../../support/engine/activeTrigger';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { refusal } from '../../support/scriptedService/scriptedAnswers';

describe('the trigger with rows', () => {
	const service = useScriptedService();

	const watching = async (parameters: INodeParameters) => {
		const trigger = new ActiveTrigger(
			{ taskId: service.taskID, ...parameters },
			service.credential,
		);
		expect(await trigger.poll()).toBeNull();
		return trigger;
	};

	const rows = ['{"f1":"a"}', '{"f1":"b"}', '{"f1":"a"}'];
	const fields = [{ id: 'f1', name: 'Name' }];

	test('returns the rows of the batches that have ended', async () => {
		const trigger = await watching({ output: 'rows' });
		service.addBatch({ fields, rows });
		service.addBatch({ fields, rows: ['{"f1":"c"}'] });
		const items = await trigger.poll();
		expect(items?.map(({ json }) => json)).toEqual([
			{ Name: 'a' },
			{ Name: 'b' },
			{ Name: 'a' },
			{ Name: 'c' },
		]);
		expect(await trigger.poll()).toBeNull();
	});

	test('returns them as the options of Get Data say', async () => {
		const options = {
			fieldKeys: 'ids',
			fields: ['f1'],
			deduplication: 'read',
			includeBatch: true,
			pageSize: 2,
			concurrency: 2,
			preview: true,
		};
		const trigger = await watching({ output: 'rows', options });
		service.addBatch({ fields, rows });
		const items = await trigger.poll();
		expect(items?.map(({ json }) => json)).toEqual([
			{ f1: 'a', _batchId: 1001, _taskId: service.taskID },
			{ f1: 'b', _batchId: 1001, _taskId: service.taskID },
		]);
		expect(service.sentTo('data')[0].query).toMatchObject({ size: '2', preview: 'true' });
	});

	test('takes several columns in one field for those', async () => {
		const options = { fields: ['_batchId, Name'], includeBatch: true };
		const trigger = await watching({ output: 'rows', options });
		service.addBatch({ fields, rows: rows.slice(0, 1) });
		const [item] = (await trigger.poll()) ?? [];
		expect(Object.entries(item.json)).toEqual([
			['_batchId', 1001],
			['Name', 'a'],
			['_taskId', service.taskID],
		]);
	});

	test('lets the service deduplicate', async () => {
		const options = { deduplication: 'service', deduplicationId: 'watch' };
		const trigger = await watching({ output: 'rows', options });
		service.addBatch({ fields, rows });
		expect(await trigger.poll()).toHaveLength(2);
		service.addBatch({ fields, rows: [...rows, '{"f1":"new"}'] });
		expect((await trigger.poll())?.map(({ json }) => json)).toEqual([{ Name: 'new' }]);
	});

	test('fires nothing for a batch without rows', async () => {
		const trigger = await watching({ output: 'rows' });
		service.addBatch();
		expect(await trigger.poll()).toBeNull();
	});

	test('a batch whose rows cannot be read holds up no other one, and is tried again', async () => {
		const trigger = await watching({ output: 'rows' });
		service.addBatch({ fields, rows: ['{"f1":"late"}'] });
		service.addBatch({ fields, rows: ['{"f1":"c"}'] });
		const isFirst = ({ query }: { query: Record<string, string> }) => query.batchID === '1001';
		service.script(isFirst, refusal(9000004, 'not here yet'), { times: 2 });
		expect((await trigger.poll())?.map(({ json }) => json)).toEqual([{ Name: 'c' }]);
		expect(await trigger.poll()).toBeNull();
		expect((await trigger.poll())?.map(({ json }) => json)).toEqual([{ Name: 'late' }]);
		expect(await trigger.poll()).toBeNull();
	});

	test('fires no more batches at once than fit into 100,000 rows, but each of them', async () => {
		const trigger = await watching({ output: 'rows' });
		const names = ['a', 'b', 'c', 'd', 'e'];
		const lineCounts = [60_000, 40_000, 1, 900_000, 100];
		for (const [n, lineCount] of lineCounts.entries()) {
			service.addBatch({
				lineCount,
				duplicatedCount: lineCount - 1,
				rows: [`{"name":"${names[n]}"}`],
			});
		}
		const polls: unknown[] = [];
		for (let n = 0; n < 5; n++) {
			polls.push(((await trigger.poll()) ?? []).map(({ json }) => json.name));
		}
		expect(polls).toEqual([['a', 'b'], ['c'], ['d'], ['e'], []]);
		expect(service.sentTo('data')).toHaveLength(5);
	});

	test('leaves batches to the next poll when the time that n8n gives is up', async () => {
		const trigger = await watching({ output: 'rows' });
		for (const name of ['a', 'b', 'c']) service.addBatch({ rows: [`{"name":"${name}"}`] });
		const polls = [await trigger.poll(0), await trigger.poll(0), await trigger.poll(0)];
		const expected = trigger.hasBudget ? [['a'], ['b'], ['c']] : [['a', 'b', 'c'], [], []];
		const names = polls.map((items) => (items ?? []).map(({ json }) => json.name));
		expect(names).toEqual(expected);
		expect(await trigger.poll(0)).toBeNull();
	});
});
