import { setTimeout as wait } from 'node:timers/promises';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { vi } from 'vitest';

import { ActiveTrigger } from '../../support/engine/activeTrigger';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { html, page, refusal, reset } from '../../support/scriptedService/scriptedAnswers';
import { startScriptedService } from '../../support/scriptedService/scriptedService';
import type { SeenRequest } from '../../support/scriptedService/scriptedService';
import { onTheWire } from '../../support/scriptedService/scriptedStore';
import type { ScriptedBatch } from '../../support/scriptedService/scriptedStore';

const idsOf = (items: INodeExecutionData[] | null) => items?.map(({ json }) => json.batchID) ?? [];

describe('the trigger', () => {
	const service = useScriptedService();

	const activate = (parameters: INodeParameters = {}) =>
		new ActiveTrigger({ taskId: service.taskID, ...parameters }, service.credential);

	/** An active trigger whose baseline is set: what ends from now on fires. */
	const watching = async (parameters: INodeParameters = {}) => {
		const trigger = activate(parameters);
		expect(await trigger.poll()).toBeNull();
		return trigger;
	};

	const end = (batch: ScriptedBatch, status = 3, endTime = Date.now()) =>
		Object.assign(batch, { status, endTime });

	test('the first poll sets the baseline and fires nothing', async () => {
		service.addBatch();
		service.addBatch({ status: 2 });
		const trigger = await watching();
		expect(await trigger.poll()).toBeNull();
	});

	test('fires a batch that has ended, once, as the service sent it', async () => {
		const trigger = await watching();
		const batch = service.addBatch({ status: 2, batchID: 9007199254740993n });
		expect(await trigger.poll()).toBeNull();
		end(batch);
		const items = await trigger.poll();
		expect(items).toEqual([
			{
				json: expect.objectContaining({
					batchID: '9007199254740993',
					taskID: service.taskID,
					status: 3,
					statusName: 'successful',
					fields: [],
				}) as unknown,
			},
		]);
		expect(await trigger.poll()).toBeNull();
	});

	test('fires a batch that was started before the baseline and ends after it', async () => {
		const early = service.addBatch({ status: 2 });
		for (let n = 0; n < 120; n++) service.addBatch();
		const trigger = await watching();
		end(early);
		expect(idsOf(await trigger.poll())).toEqual([1001]);
		expect(await trigger.poll()).toBeNull();
	});

	test.each(['batch', 'rows'])(
		'fires each batch of a service that was restored from a backup, and gives IDs again (%s)',
		async (output) => {
			service.addBatch();
			const trigger = await watching({ output });
			const runs = (...names: string[]) => {
				for (const [n, name] of names.entries()) {
					const createTime = Date.UTC(2026, 10, 20, 1, service.requests.length, n);
					service.addBatch({
						batchID: 1002 + n,
						createTime,
						endTime: createTime + 30_001 + service.requests.length * 7 + n,
						rows: [`{"name":"${name}"}`],
						...(output === 'batch' && { region: name }),
					});
				}
			};
			const fired = async () =>
				(await trigger.poll())?.map(({ json }) => (output === 'rows' ? json.name : json.region));
			runs('a', 'b');
			expect(await fired()).toEqual(['a', 'b']);
			service.batches.splice(1);
			runs('c', 'd', 'e');
			expect(await fired()).toEqual(['c', 'd', 'e']);
			expect(await trigger.poll()).toBeNull();
		},
	);

	test('fires a batch that a clock which was set back lists on a later page', async () => {
		for (let n = 0; n < 250; n++) service.addBatch();
		const trigger = await watching();
		const late = service.addBatch();
		service.batches.splice(40, 0, ...service.batches.splice(-1));
		const asked = service.requests.length;
		expect(idsOf(await trigger.poll())).toEqual([late.batchID]);
		expect(service.requests.length - asked).toBe(3);
		expect(await trigger.poll()).toBeNull();
		expect(service.requests.length - asked).toBe(4);
	});

	test('fires all that ended while n8n was down, also more than fit on a page', async () => {
		service.addBatch();
		const trigger = await watching();
		const ended = Array.from({ length: 230 }, () => service.addBatch().batchID);
		expect(idsOf(await trigger.poll())).toEqual(ended);
		expect(await trigger.poll()).toBeNull();
	});

	test('fires batches in the order of their ends, of equal ends the older one first', async () => {
		const trigger = await watching();
		const [a, b, c] = [1, 2, 3].map(() => service.addBatch({ status: 2 }));
		end(c, 3, 5_000);
		end(b, 4, 7_000);
		end(a, 3, 7_000);
		expect(idsOf(await trigger.poll())).toEqual([c.batchID, a.batchID, b.batchID]);
	});

	test.each<[string, string[]]>([
		['finished', ['successful', 'stopped', 'unknown']],
		['successful', ['successful']],
		['stopped', ['stopped']],
	])('the event "%s" fires batches that are %j', async (event, expected) => {
		const trigger = await watching({ event });
		for (const status of [3, 4, 9]) service.addBatch({ status, endTime: 1_000 });
		service.addBatch({ status: 9, endTime: 0 });
		const items = await trigger.poll();
		expect(items?.map(({ json }) => json.statusName)).toEqual(expected);
		expect(await trigger.poll()).toBeNull();
	});

	test.each([
		['successful', 3],
		['stopped', 4],
	])(
		'the event "%s" waits for a batch that has an end time and an unknown status',
		async (event, status) => {
			const batch = service.addBatch({ status: 2 });
			const trigger = await watching({ event });
			end(batch, 9);
			expect(await trigger.poll()).toBeNull();
			end(batch, status);
			expect(idsOf(await trigger.poll())).toEqual([batch.batchID]);
			expect(await trigger.poll()).toBeNull();
		},
	);

	test('an answer without any batch makes none fire again', async () => {
		service.addBatch();
		const trigger = await watching();
		service.addBatch();
		expect(idsOf(await trigger.poll())).toEqual([1002]);
		service.script('batches', page([], { total: 0 }), { times: 1 });
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.poll()).toBeNull();
	});

	test('another task or another service begins anew', async () => {
		const other = await startScriptedService({ taskIDs: [service.taskID, 'other'] });
		other.addBatch();
		other.addBatch({ taskID: 'other' });
		const trigger = await watching();
		service.addBatch();
		for (const taskId of [service.taskID, 'other']) {
			const changed = new ActiveTrigger({ taskId }, other.credential);
			changed.staticData = trigger.staticData;
			expect(await changed.poll()).toBeNull();
		}
		await other.stop();
		expect(idsOf(await trigger.poll())).toEqual([1001]);
	});

	test('a slash at the end of the base URL makes no other service, also not for older memories', async () => {
		const isBelowApi = ({ path }: SeenRequest) => path === '/api/cloud/batches';
		service.script(isBelowApi, () => {
			const list = service.batches.map(onTheWire).reverse();
			return page(list, { total: list.length });
		});
		let staticData = '{}';
		const pollAt = async (path: string) => {
			const baseUrl = service.baseUrl + path;
			const trigger = new ActiveTrigger(
				{ taskId: service.taskID },
				{ ...service.credential, baseUrl },
			);
			trigger.staticData = staticData;
			const items = await trigger.poll();
			staticData = trigger.staticData;
			return idsOf(items);
		};
		await pollAt('/api');
		for (const path of ['/api/', '/api', '/api//']) {
			const batch = service.addBatch();
			expect(await pollAt(path)).toEqual([batch.batchID]);
		}
		// Earlier versions kept the slash, and counted nothing.
		staticData = staticData.replace('/api ', '/api/ ').replace(/,"stalled":{}/, '');
		expect(staticData).not.toContain('stalled');
		const batch = service.addBatch();
		expect(await pollAt('/api/')).toEqual([batch.batchID]);
	});

	test('keeps its memory small', async () => {
		for (let n = 0; n < 3_000; n++) service.addBatch();
		const trigger = await watching();
		expect(trigger.staticData.length).toBeLessThan(40_000);
		expect(await trigger.poll()).toBeNull();
	});

	test.each([
		['a cut connection', 4, reset, 'Could not reach '],
		[
			'a web page',
			1,
			html(200, 'Welcome'),
			'The address answered, but not as a Cloud Scraping service',
		],
		['a rejected key', 1, refusal(9000003, ''), 'API key rejected'],
		['an unknown task', 1, refusal(9000004, ''), 'Task or batch not found'],
	])('%s fails the poll and loses no batch', async (_kind, times, answer, message) => {
		const random = vi.spyOn(Math, 'random').mockReturnValue(0);
		const trigger = await watching();
		service.addBatch();
		service.script('batches', answer, { times });
		await expect(trigger.poll()).rejects.toThrow(message);
		random.mockRestore();
		expect(idsOf(await trigger.poll())).toEqual([1001]);
	});

	test('a poll that is still under way makes the next one wait for its turn', async () => {
		const trigger = await watching();
		service.addBatch();
		service.script('batches', async () => {
			await wait(200);
			return undefined;
		});
		const [first, second] = await Promise.all([trigger.poll(), trigger.poll()]);
		expect([...idsOf(first), ...idsOf(second)]).toEqual([1001]);
	});

	describe('in a manual test', () => {
		test('shows the newest batch that fires, and remembers nothing', async () => {
			const trigger = activate({ event: 'successful' });
			service.addBatch();
			service.addBatch();
			service.addBatch({ status: 4 });
			service.addBatch({ status: 2 });
			expect(idsOf(await trigger.test())).toEqual([1002]);
			expect(idsOf(await trigger.test())).toEqual([1002]);
			expect(await trigger.poll()).toBeNull();
		});

		test('shows its rows where rows are wanted', async () => {
			service.addBatch({ rows: ['{"a":1}'] });
			const items = await activate({ output: 'rows' }).test();
			expect(items?.map(({ json }) => json)).toEqual([{ a: 1 }]);
		});

		test('says that there is nothing to show yet', async () => {
			service.addBatch({ status: 2 });
			await expect(activate().test()).rejects.toThrow('There is no batch to show yet');
		});
	});

	test.each<[string, INodeParameters, string]>([
		['no task', { taskId: ' ' }, 'The task ID is empty'],
		['another event', { event: 'failed' }, 'Event must be one of finished, stopped, successful'],
		['another output', { output: 'file' }, 'Output must be one of batch, rows'],
		[
			'a history, which n8n gives to no trigger',
			{ output: 'rows', options: { deduplication: 'history' } },
			'A trigger cannot remember rows across executions',
		],
		[
			'page size 0',
			{ output: 'rows', options: { pageSize: 0 } },
			'Rows per Request must be a whole number of at least 1',
		],
	])('bad input costs nothing: %s', async (_kind, parameters, message) => {
		await expect(activate(parameters).poll()).rejects.toThrow(message);
		expect(service.requests).toEqual([]);
	});
});
