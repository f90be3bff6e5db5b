import type { INodeParameters } from 'n8n-workflow';

import { runOn } from '../support/engine/runNode';
import { html, page, refusal, success } from '../support/scriptedService/scriptedAnswers';
import type { WrittenAnswer } from '../support/scriptedService/scriptedAnswers';
import { startScriptedService } from '../support/scriptedService/scriptedService';
import type { ScriptedService } from '../support/scriptedService/scriptedService';
import { onTheWire } from '../support/scriptedService/scriptedStore';

let service: ScriptedService;

beforeEach(async () => {
	service = await startScriptedService();
	// No jitter: the tries follow one another at once.
	jest.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

const run = async (operation: string, parameters: INodeParameters = {}) =>
	await runOn(service, { operation, ...parameters });

describe('a service that writes integers as strings of digits', () => {
	const envelope = (data: unknown): WrittenAnswer => ({
		status: 200,
		body: JSON.stringify({ code: '0', msg: '', data }),
	});
	const batch = { batchID: '1001', taskID: 'a', status: '3', endTime: '5', lineCount: '2' };
	const pagination = { page: '1', size: '100', total: '2' };

	test('has its batches listed', async () => {
		service.script(
			'batches',
			envelope({ list: [batch], pagination: { ...pagination, total: '1' } }),
		);
		const { rows } = await run('listBatches', { options: { status: [3] } });
		expect(rows).toEqual([{ ...batch, status: 3, statusName: 'successful' }]);
	});

	test('has a task started and waited for, and its rows read', async () => {
		service.script('start', envelope({ ...batch, status: '1', endTime: '0' }));
		service.script(
			'batches',
			envelope({ list: [batch], pagination: { ...pagination, total: '1' } }),
		);
		service.script('data', envelope({ list: ['{"n":1}', '{"n":2}'], pagination }));
		const { rows, error } = await run('runAndGetData', { options: { pollInterval: 1 } });
		expect(error).toBeUndefined();
		expect(rows).toEqual([{ n: 1 }, { n: 2 }]);
	});

	test('has its error codes understood', async () => {
		service.script('start', { status: 200, body: '{"code":"9000004","msg":"who?"}' });
		const { error } = await run('start');
		expect(error).toMatchObject({ message: 'Task or batch not found', context: { code: 9000004 } });
	});
});

describe('a batch', () => {
	test('needs nothing but its ID after a start', async () => {
		service.script('start', success({ batchID: 7 }));
		const { rows } = await run('start');
		expect(rows).toEqual([{ batchID: 7, statusName: 'unknown' }]);
	});

	test.each([null, 'x', true, 17])(
		'of the status %j is unknown, and the others are listed',
		async (status) => {
			const others = [{ batchID: 2, status: 3 }, { batchID: 3 }];
			const list = [{ batchID: 1, status, fields: null }, null, { note: 'no batch' }, ...others];
			service.script('batches', page(list, { total: list.length }), { times: 1 });
			service.script('batches', page([], { total: list.length }));
			const { rows, error } = await run('listBatches');
			expect(error).toBeUndefined();
			expect(rows.map(({ batchID, statusName }) => [batchID, statusName])).toEqual([
				[1, 'unknown'],
				[2, 'successful'],
				[3, 'unknown'],
			]);
		},
	);

	test('without fields and task ID has rows all the same', async () => {
		service.script('batches', page([{ batchID: 5, status: 3 }], { total: 1 }));
		service.script('data', page(['{"a":1}'], { total: 1 }));
		const { rows } = await run('getData', { options: { includeBatch: true } });
		expect(rows).toEqual([{ a: 1, _batchId: 5, _taskId: service.taskID }]);
	});
});

describe('an API key', () => {
	test.each([401, 403])('that a gateway rejects with HTTP %i is rejected', async (status) => {
		service.addBatch({ rows: ['{}'] });
		for (const endpoint of ['start', 'data'] as const) {
			service.script(endpoint, html(status, 'Who are you?'));
			const { error } = await run(endpoint === 'start' ? 'start' : 'getData');
			expect(error).toMatchObject({ message: 'API key rejected', httpCode: String(status) });
			expect(error?.description).toContain('Who are you?');
			expect(error?.description).toContain('Check the API key and the base URL of the credential.');
			expect(error?.description).not.toContain('all the same');
			// Batches were listed with this key before: the page may pass.
			expect(service.sentTo(endpoint)).toHaveLength(endpoint === 'start' ? 1 : 4);
		}
	});

	test('is sent without the white space around it, and hidden like that', async () => {
		const credential = { ...service.credential, apiKey: `\t${service.credential.apiKey}\r\n` };
		service.script('stop', refusal(9000002, `You sent ${service.credential.apiKey}.`));
		const { error } = await runOn({ ...service, credential }, { operation: 'stop' });
		expect(service.requests[0].headers.authorization).toBe(`Bearer ${service.credential.apiKey}`);
		expect(error?.description).toContain('You sent [API key].');
	});
});

describe('an answer that is not the API’s', () => {
	const foreign: Array<[string, WrittenAnswer]> = [
		['cut JSON', { status: 200, body: '{"code":0,"data":{"list":["{' }],
		['a web page of a proxy', html(200, 'One moment')],
		['a web page with HTTP 404', html(404, 'No backend')],
		['nothing', { status: 200 }],
	];

	test.each(foreign)(
		'is asked for again where the service has answered before: %s',
		async (_kind, answer) => {
			service.addBatch({ rows: ['{"n":1}', '{"n":2}', '{"n":3}'] });
			service.script('data', answer, { skip: 1, times: 3 });
			const { rows, error } = await run('getData', { options: { pageSize: 1, concurrency: 1 } });
			expect(error).toBeUndefined();
			expect(rows).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
			expect(service.sentTo('data')).toHaveLength(6);
		},
	);

	test.each(foreign)('is an error after four tries: %s', async (_kind, answer) => {
		service.addBatch({ rows: ['{"n":1}'] });
		service.script('data', answer);
		const { error } = await run('getData');
		expect(error?.message).toBe('The address answered, but not as a Cloud Scraping service');
		expect(error?.description).toContain('Tried 4 times.');
		expect(error?.description).toContain('It has answered as one before');
		expect(service.sentTo('data')).toHaveLength(4);
	});

	test.each(foreign)(
		'is an error at once where nothing else has come: %s',
		async (_kind, answer) => {
			service.script('batches', answer);
			const { error } = await run('getData');
			expect(error?.description).toContain('Check the base URL of the credential.');
			expect(service.requests).toHaveLength(1);
		},
	);

	test('passes for a later item, whichever item the service has answered for', async () => {
		service.addBatch({ rows: ['{"n":1}'] });
		service.script('batches', html(200, 'One moment'), { skip: 1, times: 1 });
		const { rows } = await runOn(service, { operation: 'getData' }, { input: [{}, {}] });
		expect(rows).toEqual([{ n: 1 }, { n: 1 }]);
	});

	test('ends a read with deduplication by the service, whose rows would not come again', async () => {
		service.addBatch({ rows: ['{"n":1}'] });
		service.script('data', html(200, 'One moment'), { times: 1 });
		const options = { deduplication: 'service', deduplicationId: 'x' };
		const { error } = await run('getData', { options });
		expect(error?.description).toContain('Read once more with a new deduplication ID.');
		expect(service.sentTo('data')).toHaveLength(1);
	});

	test('does not start or stop a task again', async () => {
		service.script('start', () => success(onTheWire(service.addBatch({ status: 2 }))), {
			times: 1,
		});
		service.script('start', html(200, 'One moment'));
		const { error } = await runOn(service, { operation: 'start' }, { input: [{}, {}] });
		expect(error?.description).toContain('The task may have been started all the same.');
		expect(service.sentTo('start')).toHaveLength(2);
	});
});
