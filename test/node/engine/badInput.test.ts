import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { runNode } from '../../support/engine/runNode';
import { useRefusals } from './refusals';

const regions = 'empty, gb, hk, jp, us';

const uuids = ['0b7e2f4a-3c1d-4e5f-8a9b-000000000001', '0b7e2f4a-3c1d-4e5f-8a9b-000000000002'];

describe('bad input costs nothing', () => {
	const { service, refused } = useRefusals();

	test.each(['start', 'stop', 'listBatches', 'getData'])(
		'an empty task ID (%s)',
		async (operation) => {
			expect(await refused({ operation, taskId: ' \n ' })).toBe('The task ID is empty');
		},
	);

	test.each<[string, INodeParameters, string]>([
		[
			'nodeCount 1.5',
			{ nodeCount: 1.5 },
			'Max Concurrent Agents must be a whole number of at least 1, not 1.5',
		],
		[
			'nodeCount 0',
			{ nodeCount: 0 },
			'Max Concurrent Agents must be a whole number of at least 1, not 0',
		],
		['jobCount -2', { jobCount: -2 }, 'Jobs must be a whole number of at least 1, not -2'],
		[
			'jobCount of an expression',
			{ jobCount: '={{ "two" }}' },
			'Jobs must be a whole number of at least 1, not "two"',
		],
		[
			'a step value without a step',
			{
				actionParams: {
					navigate: [
						{ id: 'a', url: 'https://u' },
						{ id: ' ', url: 'https://u' },
					],
				},
			},
			'Navigate: URL 2: Step ID is empty',
		],
		[
			'times of 1.5',
			{ actionParams: { loopTimes: [{ id: 'a', times: 1.5 }] } },
			'Loop: Times 1: Times must be a whole number of at least 1, not 1.5',
		],
		[
			'an empty list',
			{ actionParams: { urlList: [{ id: 'a', urls: ' \n' }] } },
			'Loop: URL List 1: the list is empty',
		],
		[
			'a URL that is a list',
			{ actionParams: { navigate: [{ id: 'a', url: '={{ ["x", "y"] }}' }] } },
			'Navigate: URL 1: URL must be text, not ["x","y"]',
		],
		[
			'a list that is an object',
			{ actionParams: { urlList: [{ id: 'a', urls: '={{ ({ a: 1 }) }}' }] } },
			'Loop: URL List 1 must be text, not {"a":1}',
		],
		[
			'another way to give step values',
			{ specifyActionParams: 'xml' },
			'Specify Step Values must be one of fields, json, not "xml"',
		],
		[
			'a region that is an object',
			{ region: '={{ ({ a: 1 }) }}' },
			'Region must be one of empty, gb, hk, jp, us, not {"a":1}',
		],
		[
			'a region of no list',
			{ region: '={{ "mars" }}' },
			`Region must be one of ${regions}, not "mars"`,
		],
		[
			'a region that is true',
			{ region: '={{ true }}' },
			`Region must be one of ${regions}, not true`,
		],
		[
			'a value type that does not exist',
			{ actionParams: { custom: [{ id: 'a', valueType: '={{ "lst" }}', value: 'x' }] } },
			'Custom Field 1: Value Type must be one of integer, list, string, not "lst"',
		],
		...[
			'example.com',
			'ftp://a',
			'https://a\nhttps://b',
			'https://a, https://b',
			'https://.example/',
			'https://shop..example/',
		].map((url): [string, INodeParameters, string] => [
			`${JSON.stringify(url)} as address`,
			{ actionParams: { navigate: [{ id: 'a', url }] } },
			`Navigate: URL 1: URL must be one web address like https://example.com, not ${url}`,
		]),
		[
			'two task IDs',
			{ taskId: `${uuids[0]}, ${uuids[1]}` },
			`The task ID must be one ID, not ${uuids[0]} and ${uuids[1]}`,
		],
		[
			'the address of a batch as task ID',
			{ taskId: 'http://a.test/console/batches/12' },
			'There is no task ID in http://a.test/console/batches/12',
		],
		[
			'two values for one step',
			{ actionParams: { inputText: [{ id: 'a', text: 'x' }], custom: [{ id: 'a', value: 'y' }] } },
			'Step a has two values for its default field',
		],
		[
			'JSON that is no array',
			{ specifyActionParams: 'json', actionParamsJson: '{"id":"a"}' },
			'The step values must be a JSON array like [{"id": "…", "value": "…"}], not {"id":"a"}',
		],
		[
			'JSON with an entry without a value',
			{ specifyActionParams: 'json', actionParamsJson: '[{"id":"a"}]' },
			'Step value 1: value must be text, a whole number or a list of texts, not missing',
		],
		[
			'JSON with a misspelt key',
			{ specifyActionParams: 'json', actionParamsJson: '[{"id":"a","Path":"p","value":"v"}]' },
			'Step value 1: "Path" is not one of id, path, value',
		],
		[
			'an address with nothing in it',
			{ actionParams: { navigate: [{ id: 'a', url: '={{ `https://u/${$json.none}/b` }}' }] } },
			'Navigate: URL 1: an expression in https://u/undefined/b returns nothing',
		],
		[
			'a list with an address with nothing in it',
			{
				actionParams: {
					urlList: [{ id: 'a', urls: '={{ ["https://u", "https://u/?q=" + $json.none] }}' }],
				},
			},
			'Loop: URL List 1: an expression in https://u/?q=undefined returns nothing',
		],
		[
			'a text with an object in it',
			{ actionParams: { inputText: [{ id: 'a', text: '={{ "for " + $json }}' }] } },
			'Input: Text 1: an expression in for [object Object] returns an object',
		],
		[
			'a value with an object in it',
			{ actionParams: { custom: [{ id: 'a', value: '={{ "" + $json }}' }] } },
			'Custom Field 1: an expression in [object Object] returns an object',
		],
	])('start: %s', async (_kind, parameters, message) => {
		expect(await refused({ operation: 'start', ...parameters })).toBe(message);
	});

	test('listBatches: a status that does not exist', async () => {
		const options = { status: '={{ "ended" }}' };
		expect(await refused({ operation: 'listBatches', options })).toBe(
			'Status must be one of 2 (Running), 4 (Stopped), 3 (Successful), 1 (Waiting), not "ended"',
		);
	});

	test.each<[string, INodeParameters, string]>([
		[
			'Return All as a number',
			{ returnAll: '={{ 1 }}' },
			'Return All must be true or false, not 1',
		],
		['limit 0', { limit: 0 }, 'Limit must be a whole number of at least 1, not 0'],
		['limit 2.5', { limit: 2.5 }, 'Limit must be a whole number of at least 1, not 2.5'],
	])('%s', async (_kind, parameters, message) => {
		for (const operation of ['listBatches', 'getData']) {
			expect(await refused({ operation, ...parameters })).toBe(message);
		}
	});

	test('listBatches: an order that does not exist', async () => {
		const message = await refused({ operation: 'listBatches', orderBy: 3 });
		expect(message).toBe(
			'Order By must be one of 0 (Newest First), 1 (Longest Running First), 2 (Most Rows First), not 3',
		);
	});

	const byId = (value: string) => ({ batch: 'id', batchId: { __rl: true, mode: 'id', value } });

	test.each<[string, INodeParameters, string]>([
		['batch ID abc', byId('abc'), 'The batch ID must be a whole number, not "abc"'],
		[
			'batch ID 12/../34',
			byId('={{ "12/../34" }}'),
			'The batch ID must be a whole number, not "12/../34"',
		],
		['no batch ID', byId('={{ "" }}'), 'The batch ID is empty'],
		[
			'deduplication by the service without an ID',
			{ options: { deduplication: 'service', deduplicationId: ' ' } },
			'The deduplication ID is empty',
		],
		['another batch', { batch: 'foo' }, 'Batch must be one of latest, id, not "foo"'],
		[
			'other column keys',
			{ options: { fieldKeys: 'foo' } },
			'Name Columns By must be one of names, ids, not "foo"',
		],
		[
			'Truncate Long Values as a text',
			{ options: { preview: '={{ "on" }}' } },
			'Truncate Long Values must be true or false, not "on"',
		],
		[
			'page size 0',
			{ options: { pageSize: 0 } },
			'Rows per Request must be a whole number of at least 1, not 0',
		],
		[
			'21 requests at once',
			{ options: { concurrency: 21 } },
			'Max Concurrent Requests must be a whole number from 1 to 20, not 21',
		],
		[
			'a column that an expression does not yield',
			{ options: { fields: ['Name', '={{ $json.none }}'] } },
			'Columns to Return must be a list of texts, not ["Name",null]',
		],
		[
			'columns that an expression does not yield',
			{ options: { fields: '={{ $json.none }}' } },
			'Columns to Return is empty: its expression returns nothing',
		],
		[
			'a column that is an object',
			{ options: { fields: ['={{ [{ name: "Price" }] }}'] } },
			'Columns to Return must be a list of texts, not [[{"name":"Price"}]]',
		],
		[
			'a key column that is null',
			{ options: { deduplication: 'history', keyFields: ['={{ null }}'] } },
			'Key Columns must be a list of texts, not [null]',
		],
		[
			'key columns that are an object',
			{ options: { deduplication: 'history', keyFields: '={{ ({ Link: true }) }}' } },
			'Key Columns must be a list of texts, not {"Link":true}',
		],
		[
			'a key column that is empty',
			{ onlyNew: true, keyFields: [''] },
			'Key Columns must name at least one column, not [""]',
		],
		[
			'key columns of commas and spaces',
			{ onlyNew: true, keyFields: [' ', ',\n'] },
			'Key Columns must name at least one column, not [" ",",\\n"]',
		],
		[
			'key columns of an expression that are empty',
			{ onlyNew: true, keyFields: '={{ "" }}' },
			'Key Columns must name at least one column, not empty',
		],
		[
			'an empty key column of an earlier workflow',
			{ options: { deduplication: 'history', keyFields: [''] } },
			'Key Columns must name at least one column, not [""]',
		],
	])('getData: %s', async (_kind, parameters, message) => {
		expect(await refused({ operation: 'getData', ...parameters })).toBe(message);
	});

	test('an operation that does not exist', async () => {
		expect(await refused({ operation: 'constructor' })).toContain('constructor');
	});

	test.each<[string, (address: string) => ICredentialDataDecryptedObject, string]>([
		['no base URL', () => ({ baseUrl: ' ' }), 'The base URL is empty'],
		['a base URL that is none', () => ({ baseUrl: 'an example' }), 'is not a web address'],
		['a host alone', () => ({ baseUrl: 'example' }), 'enter http://example or https://example'],
		['an ftp address', () => ({ baseUrl: 'ftp://127.0.0.1' }), 'must start with http://'],
		['a file', () => ({ baseUrl: 'file:///etc/hosts' }), 'must start with http://'],
		[
			'a user name in the address',
			(address) => ({ baseUrl: address.replace('//', '//user:word@') }),
			'must not contain a user name or password',
		],
		['a query', (address) => ({ baseUrl: `${address}/?a=b` }), 'must not contain "?" or "#"'],
		['a fragment', (address) => ({ baseUrl: `${address}/#a` }), 'must not contain "?" or "#"'],
		['no API key', () => ({ apiKey: '' }), 'The API key is empty'],
		['a key with a line break', () => ({ apiKey: 'key\r\nx-admin: 1' }), 'a line break'],
		[
			'a key with a letter that headers cannot hold',
			() => ({ apiKey: 'ключ' }),
			'another invalid character',
		],
	])('credential: %s', async (_kind, wrong, message) => {
		const { error } = await runNode({
			parameters: { operation: 'start', taskId: service.taskID },
			credential: { ...service.credential, ...wrong(service.baseUrl) },
		});
		expect(error?.name).toBe('NodeOperationError');
		expect(error?.message).toContain(message);
		expect(error?.description).toContain('credential');
		expect(service.requests).toEqual([]);
	});
});
