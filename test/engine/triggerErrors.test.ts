import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { ActiveTrigger } from './activeTrigger';
import { logFile } from './engineEnvironment';
import { refusal } from './scriptedAnswers';
import { startScriptedService } from './scriptedService';
import type { ScriptedService, SeenRequest } from './scriptedService';

describe('rows that the trigger cannot read', () => {
	let service: ScriptedService;

	beforeEach(async () => {
		service = await startScriptedService();
	});

	afterEach(async () => {
		await service.stop();
	});

	const watching = async (options: INodeParameters = {}) => {
		const parameters = { taskId: service.taskID, output: 'rows', options };
		const trigger = new ActiveTrigger(parameters, service.credential);
		expect(await trigger.poll()).toBeNull();
		return trigger;
	};

	const rowsNamed = (...names: string[]) => names.map((name) => JSON.stringify({ name }));

	const namesOf = (items: INodeExecutionData[] | null) => items?.map(({ json }) => json.name);

	const ofBatch = (batchID: number) => (request: SeenRequest) =>
		request.query.batchID === String(batchID);

	/** The line of n8n's log that holds `text`: it is written a little later. */
	const logLine = async (text: string) => {
		for (let tries = 0; tries < 50; tries++) {
			const line = readFileSync(logFile, 'utf8')
				.split('\n')
				.find((line) => line.includes(text));
			if (line !== undefined) return line;
			await wait(20);
		}
		return undefined;
	};

	test('are logged with the batch while others fire', async () => {
		const trigger = await watching();
		service.addBatch({ batchID: 4711 });
		service.addBatch({ rows: rowsNamed('c') });
		const { apiKey } = service.credential;
		service.script(ofBatch(4711), refusal(9000002, `not now, ${apiKey}`));
		expect(namesOf(await trigger.poll())).toEqual(['c']);
		const line = await logLine('Batch 4711 could not be read');
		expect(line).toContain('is tried again at the next poll: The service refused the request');
		expect(line).toContain('not now, [API key]');
		expect(readFileSync(logFile, 'utf8')).not.toContain(apiKey);
	});
});
