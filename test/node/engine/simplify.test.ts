import type { INodeParameters } from 'n8n-workflow';

import { ActiveTrigger } from '../../support/engine/activeTrigger';
import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { success } from '../../support/scriptedService/scriptedAnswers';

describe('Simplify', () => {
	const service = useScriptedService();

	const fields = [
		{ id: 'f1', name: 'Name' },
		{ id: 'f2', name: 'Price' },
		{ id: 'f3', name: 'Price' },
	];

	const times = { startTime: 1000, endTime: 5000, useTime: 4 };

	const simple = (batchID: number, statusName: string) => ({
		batchID,
		taskID: service.taskID,
		statusName,
		lineCount: 1,
		...times,
		fields: ['Name', 'Price', 'Price (2)'],
	});

	const rowsOf = async (parameters: INodeParameters) => {
		const { rows, error } = await runOn(service, parameters);
		expect(error).toBeUndefined();
		return rows;
	};

	const addBatch = (status: number) =>
		service.addBatch({ fields, rows: ['{"f1":"a"}'], ...times, status });

	test('leaves of a listed batch what most workflows use, with the names that its rows have', async () => {
		addBatch(3);
		const listed = { operation: 'listBatches', simplify: true };
		const [json] = await rowsOf(listed);
		expect(json).toEqual(simple(1001, 'successful'));
		expect(Object.keys(json)).toEqual(Object.keys(simple(1001, 'successful')));
		const [whole] = await rowsOf({ operation: 'listBatches' });
		expect(whole).toMatchObject({ ...simple(1001, 'successful'), fields, region: 'us' });
	});

	test('leaves the same of a batch that was started or stopped', async () => {
		addBatch(3);
		const [started] = await rowsOf({ operation: 'start', simplify: true });
		expect(Object.keys(started)).toEqual(Object.keys(simple(1002, 'waiting')));
		expect(started).toMatchObject({ batchID: 1002, fields: ['Name', 'Price', 'Price (2)'] });
		const [stopped] = await rowsOf({ operation: 'stop', simplify: true });
		expect(stopped).toMatchObject({ batchID: 1002, statusName: 'stopped' });
		expect(stopped).not.toHaveProperty('region');
	});

	test('makes up nothing that the service does not say', async () => {
		service.script('start', () => success({ batchID: 7 }));
		const [started] = await rowsOf({ operation: 'start', simplify: true });
		expect(started).toEqual({ batchID: 7, statusName: 'unknown', fields: [] });
	});

	test('starts nothing where it is neither true nor false', async () => {
		const { error } = await runOn(service, { operation: 'start', simplify: '={{ "maybe" }}' });
		expect(error?.message).toBe('Simplify must be true or false, not "maybe"');
		expect(service.requests).toEqual([]);
	});

	test('holds for the batches of the trigger', async () => {
		const parameters = { taskId: service.taskID, simplify: true };
		const trigger = new ActiveTrigger(parameters, service.credential);
		expect(await trigger.poll()).toBeNull();
		addBatch(3);
		const items = await trigger.poll();
		expect(items?.map(({ json }) => json)).toEqual([simple(1001, 'successful')]);
	});
});
