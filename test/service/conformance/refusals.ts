import type { Call } from '../../support/service/cloudClient';
import { uuidOf } from '../../support/service/taskFiles';

const unreadable = 9000000;
const invalid = 9000001;
const badRequest = 9000002;
const unauthorized = 9000003;
const notFound = 9000004;

const ids = { navigate: uuidOf('navigate'), input: uuidOf('input'), unknown: uuidOf('unknown') };

const page = { page: 1, size: 10 };
const listing = { ...page, taskID: uuidOf('rows'), orderBy: 0 };
const reading = { ...page, batchID: '1', preview: false };
const taskID = uuidOf('rows');
const starting = { taskID, nodeCount: 1, jobCount: 1 };
const withParams = (name: string, actionParams: unknown) => ({
	body: { ...starting, taskID: uuidOf(name), actionParams: JSON.stringify(actionParams) },
});
const withParam = (name: string, param: object) => withParams(name, [param]);

/** Rule (with its section), path, request, and what it is answered with. */
export const refusals: [string, string, Call, { httpStatus: number; code: number }][] = [];
const refuse = (rule: string, path: string, call: Call, code: number, httpStatus = 400) =>
	refusals.push([rule, path, call, { code, httpStatus }]);

const { page: _page, ...withoutPage } = listing;
const { size: _size, ...withoutSize } = listing;
refuse('2.2 page is required', '/cloud/batches', { query: withoutPage }, unreadable);
refuse('2.2 size is required', '/cloud/batches', { query: withoutSize }, unreadable);
for (const [value, code] of [
	['x', unreadable],
	['', unreadable],
	['1.5', unreadable],
	['0x1', unreadable],
	['1e0', unreadable],
	[' 1', unreadable],
	['0', invalid],
	['-1', invalid],
	['99999999999999999999', invalid],
] as const) {
	refuse(`2.2 page "${value}"`, '/cloud/batches', { query: { ...listing, page: value } }, code);
	refuse(`2.2 page "${value}"`, '/cloud/data', { query: { ...reading, page: value } }, code);
	refuse(`2.2 size "${value}"`, '/cloud/batches', { query: { ...listing, size: value } }, code);
}
refuse('2.2 size over 1000', '/cloud/batches', { query: { ...listing, size: 1001 } }, invalid);
refuse('2.2 size over 1000', '/cloud/data', { query: { ...reading, size: 1001 } }, invalid);

for (const [path, call] of [
	['/cloud/start', { body: starting }],
	['/cloud/stop', { body: { taskID } }],
	['/cloud/batches', { query: listing }],
	['/cloud/data', { query: reading }],
] as const) {
	for (const [rule, authorization] of [
		['no Authorization', undefined],
		['another API key', 'Bearer wrong'],
		['another scheme', 'Basic test-key'],
		['an API key without Bearer', 'test-key'],
	] as const) {
		refuse(`5.2 ${rule}`, path, { ...call, headers: { authorization } }, unauthorized, 401);
	}
	for (const id of [undefined, 'x', '', '7b2f2f5e4a3c4b0e9a570d4f5f1d7c11']) {
		const headers = { 'x-cp-request-id': id };
		refuse(`5.3 request id ${id}`, path, { ...call, headers }, badRequest);
	}
}
refuse(
	'5.4 authorization comes before anything else',
	'/cloud/start',
	{ body: '{', headers: { authorization: undefined, 'x-cp-request-id': undefined } },
	unauthorized,
	401,
);

refuse('4 there are no other endpoints', '/cloud/tasks', {}, notFound, 404);
refuse('4 there are no other endpoints', '/', {}, notFound, 404);
refuse('4 other methods are other endpoints', '/cloud/start', {}, notFound, 404);
refuse('4 other methods', '/cloud/batches', { method: 'DELETE', query: listing }, notFound, 404);
refuse('4 bodies are JSON', '/cloud/start', { body: '{"taskID":' }, unreadable);
refuse('4 bodies are JSON objects', '/cloud/start', { body: [] }, unreadable);
refuse('4 bodies are JSON objects', '/cloud/start', { body: 'null' }, unreadable);
refuse('4 bodies are not empty', '/cloud/start', { body: '' }, unreadable);
const form = { 'content-type': 'application/x-www-form-urlencoded' };
refuse('4 content-type', '/cloud/start', { body: 'taskID=x', headers: form }, unreadable);
const plain = { 'content-type': 'text/plain' };
refuse('4 content-type', '/cloud/stop', { body: '{}', headers: plain }, unreadable);

for (const name of ['taskID', 'nodeCount', 'jobCount'] as const) {
	const { [name]: _left, ...rest } = starting;
	refuse(`4.1 ${name} is required`, '/cloud/start', { body: rest }, unreadable);
	refuse(`4.1 ${name} null`, '/cloud/start', { body: { ...starting, [name]: null } }, unreadable);
}
refuse('4.1 taskID is text', '/cloud/start', { body: { ...starting, taskID: 5 } }, unreadable);
refuse(
	'4.1 unknown task',
	'/cloud/start',
	{ body: { ...starting, taskID: ids.unknown } },
	notFound,
	404,
);
refuse(
	'4.1 task that is no UUID',
	'/cloud/start',
	{ body: { ...starting, taskID: 'x' } },
	notFound,
	404,
);
for (const name of ['nodeCount', 'jobCount']) {
	for (const [value, code] of [
		['1', unreadable],
		[1.5, unreadable],
		[true, unreadable],
		[0, invalid],
		[-1, invalid],
		[2 ** 31, invalid],
	] as const) {
		const body = { ...starting, [name]: value };
		refuse(`4.1 ${name} ${JSON.stringify(value)}`, '/cloud/start', { body }, code);
	}
}
refuse('4.1 region is text', '/cloud/start', { body: { ...starting, region: 1 } }, unreadable);
refuse('4.1 unknown region', '/cloud/start', { body: { ...starting, region: 'de' } }, invalid);
refuse('4.1 unknown region', '/cloud/start', { body: { ...starting, region: 'US' } }, invalid);

const params = (value: unknown): Call => ({ body: { ...starting, actionParams: value } });
refuse('4.1 actionParams is a string', '/cloud/start', params([]), unreadable);
for (const text of ['x', '{}', '"x"', 'null', '[1]', '[null]', '[[]]', '[{}]']) {
	refuse(`4.1 actionParams "${text}"`, '/cloud/start', params(text), unreadable);
}
for (const [rule, param, code] of [
	['2.6 id is required', { value: 'x' }, unreadable],
	['2.6 id is text', { id: 1, value: 'x' }, unreadable],
	['2.6 value is required', { id: ids.navigate }, unreadable],
	['2.6 path is text', { id: ids.navigate, path: 1, value: 'x' }, unreadable],
	['2.6 unknown step', { id: ids.unknown, value: 'x' }, notFound],
	['4.1 URL: other path', { id: ids.navigate, path: 'config.text', value: 'http://x/' }, invalid],
	['4.1 URL: a number', { id: ids.navigate, value: 1 }, invalid],
	['4.1 URL: no URL', { id: ids.navigate, value: 'x' }, invalid],
	['4.1 URL: neither http nor https', { id: ids.navigate, value: 'file:///etc/passwd' }, invalid],
	['4.1 input content: a number', { id: ids.input, value: 1 }, invalid],
	[
		'4.1 input content: other path',
		{ id: ids.input, path: 'config.selector', value: 'x' },
		invalid,
	],
	['4.1 click has no field', { id: uuidOf('click'), value: 'x' }, invalid],
	['4.1 loop times: text', { id: uuidOf('count'), value: '2' }, invalid],
	['4.1 loop times: 0', { id: uuidOf('count'), value: 0 }, invalid],
	['4.1 loop times: 1.5', { id: uuidOf('count'), value: 1.5 }, invalid],
	['4.1 loop times: other path', { id: uuidOf('count'), path: 'config.urls', value: 2 }, invalid],
	['4.1 custom page times: text', { id: uuidOf('page'), value: '2' }, invalid],
	['4.1 page times only if custom', { id: uuidOf('all pages'), value: 2 }, invalid],
	['4.1 elements have no field', { id: uuidOf('elements'), value: ['x'] }, invalid],
] as const) {
	refuse(rule, '/cloud/start', withParam('steps', param), code, code === notFound ? 404 : 400);
}
for (const [name, good] of [
	['urls', 'http://127.0.0.1/'],
	['texts', 'x'],
] as const) {
	for (const value of [good, [], [1], [good, 1], null]) {
		const rule = `4.1 ${name}: ${JSON.stringify(value)}`;
		refuse(rule, '/cloud/start', withParam(name, { id: uuidOf(name), value }), invalid);
	}
}
refuse(
	'4.1 urls: no URL',
	'/cloud/start',
	withParam('urls', { id: uuidOf('urls'), value: ['x'] }),
	invalid,
);
refuse(
	'2.6 two values for one step',
	'/cloud/start',
	withParams('steps', [
		{ id: ids.input, value: 'a' },
		{ id: ids.input, value: 'b' },
	]),
	invalid,
);

refuse('4.2 taskID is required', '/cloud/stop', { body: {} }, unreadable);
refuse('4.2 taskID is text', '/cloud/stop', { body: { taskID: 1 } }, unreadable);
refuse('4.2 unknown task', '/cloud/stop', { body: { taskID: ids.unknown } }, notFound, 404);
refuse(
	'4.2 no running batch',
	'/cloud/stop',
	{ body: { taskID: uuidOf('idle') } },
	badRequest,
	409,
);
refuse('4.2 ended batches only', '/cloud/stop', { body: { taskID } }, badRequest, 409);

const { taskID: _taskID, ...withoutTask } = listing;
const { orderBy: _orderBy, ...withoutOrder } = listing;
refuse('4.3 taskID is required', '/cloud/batches', { query: withoutTask }, unreadable);
refuse('4.3 orderBy is required', '/cloud/batches', { query: withoutOrder }, unreadable);
const unknownListing = { ...listing, taskID: ids.unknown };
refuse('4.3 unknown task', '/cloud/batches', { query: unknownListing }, notFound, 404);
for (const [orderBy, code] of [
	['x', unreadable],
	['3', invalid],
	['-1', invalid],
] as const) {
	refuse(`4.3 orderBy "${orderBy}"`, '/cloud/batches', { query: { ...listing, orderBy } }, code);
}

for (const name of ['batchID', 'preview'] as const) {
	const { [name]: _left, ...rest } = reading;
	refuse(`4.4 ${name} is required`, '/cloud/data', { query: rest }, unreadable);
}
for (const [batchID, code, httpStatus] of [
	['x', unreadable, 400],
	['', unreadable, 400],
	['1.5', unreadable, 400],
	['1e3', unreadable, 400],
	['0', invalid, 400],
	['-1', invalid, 400],
	['9223372036854775808', invalid, 400],
	['9223372036854775807', notFound, 404],
	['1', notFound, 404],
] as const) {
	refuse(
		`4.4 batchID "${batchID}"`,
		'/cloud/data',
		{ query: { ...reading, batchID } },
		code,
		httpStatus,
	);
}
for (const preview of ['yes', '', '1']) {
	refuse(`4.4 preview "${preview}"`, '/cloud/data', { query: { ...reading, preview } }, unreadable);
}
for (const [rule, deduplication, code] of [
	['4.4 deduplication is a boolean', { deduplication: 'x' }, unreadable],
	['4.4 deduplicationID is required', { deduplication: true }, unreadable],
	['4.4 empty deduplicationID', { deduplication: true, deduplicationID: '' }, unreadable],
	['4.4 endless deduplicationID', { deduplicationID: 'x'.repeat(257) }, invalid],
] as const) {
	refuse(rule, '/cloud/data', { query: { ...reading, ...deduplication } }, code);
}
