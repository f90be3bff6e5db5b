import { readFileSync } from 'node:fs';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { ActiveTrigger } from './activeTrigger';
import { logFile } from './engineEnvironment';
import { logLine } from './logLine';
import { page, refusal, reset } from './scriptedAnswers';
import type { Answer } from './scriptedAnswers';
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

	test('are logged with the batch while others fire', async () => {
		const trigger = await watching();
		service.addBatch({ batchID: 4711 });
		service.addBatch({ rows: rowsNamed('c') });
		const { apiKey } = service.credential;
		service.script(ofBatch(4711), refusal(9000002, `not now, ${apiKey}`));
		expect(namesOf(await trigger.poll())).toEqual(['c']);
		const line = await logLine('Batch 4711 is read again at the next poll');
		expect(line).toContain('The service refused the request');
		expect(line).toContain('not now, [API key]');
		expect(readFileSync(logFile, 'utf8')).not.toContain(apiKey);
	});

	describe('while the service deduplicates', () => {
		const deduplicated = { deduplication: 'service', deduplicationId: 'watch', pageSize: 2 };

		const isPage = (page: number) => (request: SeenRequest) =>
			request.endpoint === 'data' && request.query.page === String(page);

		const readsOf = (batchID: number) => service.requests.filter(ofBatch(batchID)).length;

		/** The error of a poll that must fail. */
		const failure = async (trigger: ActiveTrigger) => {
			const error: unknown = await trigger.poll().catch((thrown: unknown) => thrown);
			if (!(error instanceof NodeOperationError)) throw new Error(`Not expected: ${String(error)}`);
			return error;
		};

		test.each<[string, number, Answer, string]>([
			['page 1 is cut', 1, reset, 'Could not reach '],
			['page 2 is cut', 2, reset, 'Could not reach '],
			['page 2 is refused', 2, refusal(9000002, 'not now'), 'The service refused the request'],
			['page 2 is too early', 2, { status: 429 }, 'The service is busy'],
			['page 2 is no row', 2, page(['-'], { page: 2, total: 3 }), 'Row 1 on page 2'],
		])(
			'are not read again when %s: the rest would look whole',
			async (_when, number, answer, said) => {
				const trigger = await watching(deduplicated);
				service.addBatch({ rows: rowsNamed('a', 'b', 'c') });
				service.script(isPage(number), answer, { times: 1 });
				const { message, description } = await failure(trigger);
				expect(message).toBe('Rows of batch 1001 may be lost');
				expect(description).toContain(said);
				expect(description?.match(/lost for the deduplication ID "watch"/g)).toHaveLength(1);
				expect(description).toContain('read it by its ID, with Get Data');
				const reads = readsOf(1001);
				expect(await trigger.poll()).toBeNull();
				expect(await trigger.poll()).toBeNull();
				expect(readsOf(1001)).toBe(reads);
			},
		);

		test('are read again when surely none was sent', async () => {
			const trigger = await watching(deduplicated);
			service.addBatch({ rows: rowsNamed('a', 'b', 'c') });
			service.script('data', refusal(9000002, 'not now'), { times: 1 });
			await expect(trigger.poll()).rejects.toThrow('The service refused the request');
			expect(namesOf(await trigger.poll())).toEqual(['a', 'b', 'c']);
		});

		test('hold back no batch that was read well, and are told by the next poll', async () => {
			const trigger = await watching(deduplicated);
			service.addBatch({ rows: rowsNamed('a') });
			service.addBatch({ rows: rowsNamed('b', 'c', 'd') });
			service.script(isPage(2), reset, { times: 1 });
			expect(namesOf(await trigger.poll())).toEqual(['a']);
			expect(await logLine('Rows of batch 1002 may be lost')).toContain('Get Data');
			service.addBatch({ rows: rowsNamed('e') });
			expect((await failure(trigger)).message).toBe('Rows of batch 1002 may be lost');
			expect(namesOf(await trigger.poll())).toEqual(['e']);
			expect(await trigger.poll()).toBeNull();
		});

		test('are lost of one batch only while the service cannot be reached', async () => {
			const trigger = await watching(deduplicated);
			for (const name of ['a', 'b', 'c']) service.addBatch({ rows: rowsNamed(name) });
			service.script(ofBatch(1002), reset, { times: 1 });
			expect(namesOf(await trigger.poll())).toEqual(['a']);
			expect((await failure(trigger)).message).toBe('Rows of batch 1002 may be lost');
			expect(namesOf(await trigger.poll())).toEqual(['c']);
			expect(await trigger.poll()).toBeNull();
		});
	});
});
