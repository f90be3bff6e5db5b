import type { INodeParameters } from 'n8n-workflow';
import { vi } from 'vitest';

import { runOn } from '../../support/engine/runNode';
import { useScriptedService } from '../../support/engine/useScriptedService';
import { html, page, refusal, success } from '../../support/scriptedService/scriptedAnswers';
import type { WrittenAnswer } from '../../support/scriptedService/scriptedAnswers';
import { onTheWire } from '../../support/scriptedService/scriptedStore';

const service = useScriptedService();

beforeEach(() => {
	// No jitter: the tries follow one another at once.
	vi.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(() => {
	vi.restoreAllMocks();
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
		service.script('start', envelope({ ...batch, status: '1', endTime: '0', lineCount: '0' }));
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
	test.each([401, 403])(
		'that a gateway rejects with HTTP %i is told with the other possibility',
		async (status) => {
			service.addBatch({ rows: ['{}'] });
			for (const endpoint of ['start', 'data'] as const) {
				service.script(endpoint, html(status, 'Who are you?'));
				const { error } = await run(endpoint === 'start' ? 'start' : 'getData');
				expect(error).toMatchObject({
					message: 'API key rejected, or the base URL does not lead to the service',
					httpCode: String(status),
				});
				expect(error?.description).toContain('Who are you?');
				expect(error?.description).toContain('Check the base URL of the credential.');
				expect(error?.description).toContain('Then check its API key.');
				// It may have kept back the answer of a start that it has let pass.
				expect(error?.description.includes('may have been started anyway')).toBe(
					endpoint === 'start',
				);
				// Batches were listed with this key before: the page may pass.
				expect(service.sentTo(endpoint)).toHaveLength(endpoint === 'start' ? 1 : 4);
			}
		},
	);

	test('is sent without the white space around it, and hidden like that', async () => {
		const credential = { ...service.credential, apiKey: `\t${service.credential.apiKey}\r\n` };
		service.script('stop', refusal(9000002, `You sent ${service.credential.apiKey}.`));
		const { error } = await runOn({ ...service, credential }, { operation: 'stop' });
		expect(service.requests[0].headers.authorization).toBe(`Bearer ${service.credential.apiKey}`);
		expect(error?.description).toContain('You sent [API key].');
	});
});

describe('values', () => {
	/** One row, as the service writes it, and the type of the answer. */
	const sendRow = (row: string, encoding: 'latin1' | 'utf8' | 'utf16le', contentType: string) => {
		service.addBatch({ fields: [{ id: 'f', name: 'Größe' }], rows: [row] });
		const body = `{"code":0,"msg":"","data":{"list":[${JSON.stringify(row)}],"pagination":{"total":1}}}`;
		service.script('data', {
			headers: { 'content-type': contentType },
			body: Buffer.from(body, encoding),
		});
	};

	test.each([
		['latin1', 'application/json; charset=ISO-8859-1'],
		['latin1', 'application/json;charset="windows-1252"'],
		['utf16le', 'application/json; charset=utf-16le'],
		['utf8', 'application/json; charset=UTF-8'],
		['utf8', 'application/json'],
		['utf8', ''],
		['utf8', 'application/json; charset=shift_jis-2004'],
		['utf8', 'application/json; charset=euc-jp'],
	] as const)('in %s come as they are under the type "%s"', async (encoding, type) => {
		sendRow('{"f":"Größe 42"}', encoding, type);
		const { rows, error } = await run('getData');
		expect(error).toBeUndefined();
		expect(rows).toEqual([{ Größe: 'Größe 42' }]);
	});

	test('that are no text in the charset of the header, nor in UTF-8, are an error', async () => {
		sendRow('{"f":"Größe"}', 'latin1', 'application/json; charset=euc-jp');
		const { error } = await run('getData');
		expect(error?.message).toBe('The address answered, but not as a Cloud Scraping service');
		expect(error?.description).toContain('(bytes that are not text in euc-jp or UTF-8)');
	});

	test('that are no UTF-8, where no header says what they are, are an error', async () => {
		sendRow('{"f":"Größe"}', 'latin1', 'application/json');
		const { error } = await run('getData');
		expect(error?.description).toContain('(bytes that are not text in UTF-8)');
	});

	test('of a start that cannot be decoded do not start it again', async () => {
		service.script('start', { body: Buffer.from('{"code":0,"msg":"ä"}', 'latin1') });
		const { error } = await run('start');
		expect(error?.description).toContain('may have been started');
		expect(service.sentTo('start')).toHaveLength(1);
	});

	test('that no number holds come as text, in items and files', async () => {
		const row =
			'{"id":9007199254740993,"price":123456789012345678.5,"huge":1e400,"tiny":1e-400,"n":1.50}';
		service.addBatch({ rows: [row] });
		const id = '9007199254740993';
		const price = '123456789012345678.5';
		const expected = { id, price, huge: '1e400', tiny: '1e-400', n: 1.5 };
		expect((await run('getData')).rows).toEqual([expected]);
		const fileOf = async (fileFormat: string) => {
			const { items } = await run('getData', { output: 'file', fileFormat });
			return Buffer.from(items[0].binary?.data.data ?? '', 'base64').toString();
		};
		expect(await fileOf('csv')).toBe(`id,price,huge,tiny,n\r\n${id},${price},1e400,1e-400,1.5\r\n`);
		expect(JSON.parse(await fileOf('jsonl'))).toEqual(expected);
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
		expect(error?.description).toContain('It worked earlier');
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
		expect(error?.description).toContain('The task may have been started anyway.');
		expect(service.sentTo('start')).toHaveLength(2);
	});
});
