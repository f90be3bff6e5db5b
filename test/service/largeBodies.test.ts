import querystring from 'node:querystring';
import { pino } from 'pino';
import { createServer } from '../../service/src/api/server.ts';
import { formIn } from '../../service/src/console/formBody.ts';
import { valueFrom } from '../../service/src/console/task/stepValues.ts';
import { structureOf } from '../../service/src/text/jsonStructure.ts';
import { readActionParams } from '../../service/src/tasks/actionParams.ts';
import { replaceableField } from '../../service/src/tasks/replaceableField.ts';
import { fc } from '../support/fastCheck';
import { longestTurn } from '../support/service/longestTurn';
import { uuidOf } from '../support/service/taskFiles';

// Whatever a body of 16 MiB holds, others wait for half a second at most.

const most = 500;
const size = 16 * 1024 * 1024 - 1_000;
const filled = (piece: string) => piece.repeat(Math.floor(size / piece.length));

const server = createServer({ log: pino({ enabled: false }), errorsAs200: false });
server.post('/', ({ body }) => ({ keys: Object.keys(body ?? {}) }));
afterAll(() => server.close());

async function answerTo(payload: string) {
	const headers = { 'content-type': 'application/json' };
	const { statusCode, body } = await server.inject({ method: 'POST', url: '/', headers, payload });
	return { statusCode, body };
}

test.each<[string, () => string]>([
	['lists in lists', () => filled('[')],
	['empty objects', () => `[${filled('{},')}0]`],
	['empty objects and a prototype', () => `[${filled('{},')}{"__proto__":1}]`],
	['numbers', () => `[${filled('1,')}0]`],
	[
		'texts',
		() => `["${Array.from({ length: 1_500_000 }, (_, index) => index.toString(36)).join('","')}"]`,
	],
	[
		'names',
		() =>
			`{"${Array.from({ length: 1_400_000 }, (_, index) => index.toString(36)).join('":0,"')}":0}`,
	],
])('a body of very many %s is refused', async (_what, body) => {
	const payload = body();
	let answer: Awaited<ReturnType<typeof answerTo>> | undefined;
	const turn = await longestTurn(async () => (answer = await answerTo(payload)));
	expect(answer?.statusCode).toBe(413);
	expect(answer?.body).toContain('The body has too many values; the API takes 20,000.');
	expect(turn).toBeLessThan(most);
});

test('a body of few values is read, however long they are', async () => {
	const value = Array.from({ length: 400_000 }, (_, index) => `http://127.0.0.1/${index}`);
	const actionParams = JSON.stringify([{ id: 'x', value }]);
	let answer: Awaited<ReturnType<typeof answerTo>> | undefined;
	const turn = await longestTurn(
		async () => (answer = await answerTo(JSON.stringify({ taskID: 'x', actionParams }))),
	);
	expect(answer).toEqual({ statusCode: 200, body: '{"keys":["taskID","actionParams"]}' });
	expect(turn).toBeLessThan(most);
	expect(readActionParams(actionParams)).toEqual([{ id: 'x', value }]);
	expect((await answerTo('{"__proto__":1}')).statusCode).toBe(400);
	expect((await answerTo('{')).statusCode).toBe(400);
});

test('actionParams of very many values are refused', async () => {
	const texts = [`[${filled('{},')}{}]`, `[{"id":"x","value":[${filled('"",')}""]}]`];
	for (const text of texts) {
		const turn = await longestTurn(() => {
			expect(() => readActionParams(text)).toThrow(
				'actionParams has more than 20,000 values, or 1,000,000 texts in its lists.',
			);
		});
		expect(turn).toBeLessThan(most);
	}
});

test.each(['+', '%41', '%0D%0A', '\r', '&', '=', '%', 'a=1&', '%E2%82%AC'])(
	'a form that is all "%s"',
	async (piece) => {
		const body = `text=${filled(piece)}`;
		const turn = await longestTurn(() => {
			formHolds(body, piece);
		});
		expect(turn).toBeLessThan(most);
	},
);

test('the lines of a list, and what is said of one, take no time that others would wait for', async () => {
	const lines = '\n'.repeat(8 * 1024 * 1024);
	const field = replaceableField({
		type: 'loop',
		id: uuidOf('list'),
		config: { loopType: 'list', listType: 'urlList', urls: ['http://a/'], steps: [] },
	});
	if (typeof field === 'string') throw new Error(field);
	const turn = await longestTurn(() => {
		expect(valueFrom(field, lines)).toEqual([]);
		expect(valueFrom(field, ` a.example/x \n\n${lines}http://b/`)).toEqual([
			'https://a.example/x',
			'http://b/',
		]);
		const long = '<'.repeat(8 * 1024 * 1024);
		expect(() => field.replace([long])).toThrow(
			`"${'<'.repeat(200)}…" is not an http or https URL, such as https://example.com/list.`,
		);
	});
	expect(turn).toBeLessThan(most);
});

test('a form is read as Node.js reads it, with single line breaks, and the last value of a name', () => {
	const piece = fc.constantFrom(
		...'ab+&=%',
		'%41',
		'%C3%A9',
		'%ff',
		'%0d%0A',
		'\r\n',
		'\r',
		'%0D',
		'%f',
	);
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
			const body = pieces.join('');
			const expected = Object.entries(querystring.parse(body)).map(([name, value]) => [
				withSingleBreaks(name),
				withSingleBreaks([value ?? ''].flat().at(-1) ?? ''),
			]);
			expect(formIn(body)).toEqual(Object.fromEntries(expected));
		}),
	);
});

test('a form may hold letters that are not encoded', () => {
	expect(formIn('n\u00e9e=%E2%82%AC+\u20ac&x')).toEqual({ 'n\u00e9e': '\u20ac \u20ac', x: '' });
});

/** Of what is a sign when it is decoded, as many bytes are too much. */
function formHolds(body: string, piece: string) {
	if (['+', '\r', '=', '%'].includes(piece)) expect(() => formIn(body)).toThrow('more than 6 MiB');
	else expect(Object.keys(formIn(body)).length).toBeLessThanOrEqual(1_000);
}

const withSingleBreaks = (text: string) => text.replace(/\r\n?/g, '\n');

test.each([
	['', 0, 0, 0],
	['"a"', 0, 0, 0],
	['["a", "b" , "c"]', 1, 3, 1],
	['[1, 2, [3]]', 3, 0, 2],
	['[[], [{}]]', 4, 0, 3],
	['{"a": "[{,:", "b\\"": {"c": ["x", 1]}}', 5, 2, 3],
])('the structure of %s', (json, parts, texts, depth) => {
	expect(structureOf(json)).toEqual({ parts, texts, depth });
});
