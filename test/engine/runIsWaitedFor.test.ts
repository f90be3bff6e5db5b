import type { INodeParameters } from 'n8n-workflow';

import { runOn } from './runNode';
import { page } from './scriptedAnswers';
import { startScriptedService } from './scriptedService';
import type { ScriptedService } from './scriptedService';
import type { ScriptedBatch } from './scriptedStore';

describe('a run that is waited for', () => {
	let service: ScriptedService;

	beforeEach(async () => {
		service = await startScriptedService();
	});

	afterEach(async () => {
		await service.stop();
	});

	const run = async (parameters: INodeParameters = {}, options: INodeParameters = {}) =>
		await runOn(service, {
			operation: 'runAndGetData',
			...parameters,
			options: { pollInterval: 1, ...options },
		});

	const change = (changes: Partial<ScriptedBatch>) =>
		Object.assign(service.batches[service.batches.length - 1], changes);

	/** The run has ended when somebody asks for it. */
	const endWhenAsked = () => {
		service.script('batches', () => {
			change({ status: 3, endTime: Date.now(), rows: ['{"n":1}', '{"n":2}'] });
			return undefined;
		});
	};

	test('may be counted before it is listed', async () => {
		service.script('batches', page([], { total: 1 }), { times: 2 });
		endWhenAsked();
		const { rows, error } = await run();
		expect(error).toBeUndefined();
		expect(rows).toHaveLength(2);
	});
});
