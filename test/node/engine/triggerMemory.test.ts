import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { ActiveTrigger } from '../../support/engine/activeTrigger';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { refusal } from '../../support/scriptedService/scriptedAnswers';

const idsOf = (items: INodeExecutionData[] | null) => items?.map(({ json }) => json.batchID) ?? [];

describe('what the trigger remembers where n8n hands it something older', () => {
	const service = useScriptedService(() => ({ taskIDs: ['one', 'other'] }));

	beforeEach(() => {
		service.addBatch();
	});

	const watching = async (parameters: INodeParameters = {}) => {
		const trigger = new ActiveTrigger(
			{ taskId: service.taskID, ...parameters },
			service.credential,
		);
		expect(await trigger.poll()).toBeNull();
		return trigger;
	};

	test('a trigger that is renamed fires what has ended since its last poll', async () => {
		const trigger = await watching();
		const fired = service.addBatch();
		expect(idsOf(await trigger.poll())).toEqual([fired.batchID]);
		expect(await trigger.poll()).toBeNull();
		const batch = service.addBatch();
		trigger.name = 'New batch';
		expect(idsOf(await trigger.poll())).toEqual([batch.batchID]);
		expect(await trigger.poll()).toBeNull();
	});

	test('a workflow whose memory is gone begins anew', async () => {
		const trigger = await watching();
		service.addBatch();
		trigger.staticData = '{}';
		expect(await trigger.poll()).toBeNull();
		const batch = service.addBatch();
		expect(idsOf(await trigger.poll())).toEqual([batch.batchID]);
	});

	test('an execution that stores older static data makes no batch fire again', async () => {
		const trigger = await watching();
		const before = [trigger.staticData];
		for (let n = 0; n < 3; n++) {
			const batch = service.addBatch();
			expect(idsOf(await trigger.poll())).toEqual([batch.batchID]);
			before.push(trigger.staticData);
		}
		expect(await trigger.poll()).toBeNull();
		for (const staticData of before) {
			trigger.staticData = staticData;
			expect(await trigger.poll()).toBeNull();
		}
		const batch = service.addBatch();
		trigger.staticData = before[1];
		expect(idsOf(await trigger.poll())).toEqual([batch.batchID]);
	});

	test('batches whose items n8n has dropped fire again: it has not stored that they fired', async () => {
		const trigger = await watching();
		expect(await trigger.poll()).toBeNull();
		const { staticData } = trigger;
		const batch = service.addBatch();
		for (let n = 0; n < 2; n++) {
			trigger.staticData = staticData;
			expect(idsOf(await trigger.poll())).toEqual([batch.batchID]);
		}
		expect(await trigger.poll()).toBeNull();
	});

	test('what another process has fired since is not fired here', async () => {
		const here = await watching();
		const there = new ActiveTrigger({ taskId: service.taskID }, service.credential);
		there.staticData = here.staticData;
		const batch = service.addBatch();
		expect(idsOf(await there.poll())).toEqual([batch.batchID]);
		here.staticData = there.staticData;
		expect(await here.poll()).toBeNull();
	});

	test('rows are given up after five polls, also where none of them is stored', async () => {
		service.script('data', refusal(9000001, 'no'));
		const trigger = await watching({ output: 'rows' });
		service.addBatch({ rows: ['{"a":1}'] });
		const { staticData } = trigger;
		for (let n = 0; n < 4; n++) {
			expect(await trigger.poll()).toBeNull();
			trigger.staticData = staticData;
		}
		const items = await trigger.poll();
		expect(items?.map(({ json }) => json.error)).toEqual(['A parameter is out of range']);
		expect(await trigger.poll()).toBeNull();
	});

	test('two nodes of one ID, in a workflow that was written by hand, fire each batch both', async () => {
		const nodes = await watching();
		const stored = [nodes.staticData, '{}'];
		const pollBoth = async () => {
			const fired: unknown[] = [];
			for (const [n, staticData] of stored.entries()) {
				nodes.staticData = staticData;
				fired.push(idsOf(await nodes.poll()));
				stored[n] = nodes.staticData;
			}
			return fired;
		};
		expect(await pollBoth()).toEqual([[], []]);
		for (let n = 0; n < 3; n++) {
			const { batchID } = service.addBatch();
			expect(await pollBoth()).toEqual([[batchID], [batchID]]);
			expect(await pollBoth()).toEqual([[], []]);
		}
	});

	test('another task begins anew, and so does the first one after it', async () => {
		const trigger = await watching();
		const other = new ActiveTrigger({ taskId: 'other' }, service.credential);
		other.staticData = trigger.staticData;
		expect(await other.poll()).toBeNull();
		trigger.staticData = other.staticData;
		service.addBatch();
		expect(await trigger.poll()).toBeNull();
		const batch = service.addBatch();
		expect(idsOf(await trigger.poll())).toEqual([batch.batchID]);
	});
});
