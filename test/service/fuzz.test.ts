import { connect } from 'node:net';
import { request, type RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fc, seed } from '../support/fastCheck';
import { cloudClient } from '../support/service/cloudClient';
import { length } from '../support/length';
import { startService, type RunningService } from '../support/service/startService';
import { measurable, memoryOf } from './memory';

/** Twice as many requests, and so many connections. */
const requests = length({ full: 4_000, short: 400 });
const connections = length({ full: 2_000, short: 200 });
const taskID = '11111111-1111-4111-8111-111111111111';

let service: RunningService;

beforeAll(async () => {
	service = await startService({ env: measurable });
	await cloudClient(service).run(taskID);
});

afterAll(() => service?.stop());

interface Malformed {
	method: string;
	path: string;
	headers: Record<string, string>;
	body: string;
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

const endpoint = fc.constantFrom('/cloud/start', '/cloud/stop', '/cloud/batches', '/cloud/data');

const path = fc.oneof(
	{ weight: 3, arbitrary: endpoint },
	{ weight: 1, arbitrary: fc.webPath().map((name) => name || '/') },
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			'//',
			'/%',
			'/%zz',
			'/cloud',
			'/cloud/start/',
			'/CLOUD/START',
			'*',
			'/..%2f..%2fetc',
		),
	},
);

const value = fc.oneof(
	fc.constantFrom(
		'',
		'0',
		'-1',
		'1',
		'1.5',
		'NaN',
		'1e400',
		'true',
		'null',
		'[]',
		'{}',
		'%00',
		taskID,
	),
	fc.constantFrom('9223372036854775808', '9'.repeat(500), "' OR 1=1 --", 'x'.repeat(5000)),
	fc.string({ unit: 'binary' }),
);

const query = fc
	.array(
		fc.tuple(
			fc.constantFrom(
				'page',
				'size',
				'batchID',
				'taskID',
				'orderBy',
				'preview',
				'deduplication',
				'__proto__',
			),
			value,
		),
		{ maxLength: 8 },
	)
	.map((pairs) =>
		pairs
			.map(([name, text]) => `${name}=${new URLSearchParams({ '': text }).toString().slice(1)}`)
			.join('&'),
	);

const anyJson = fc.oneof(
	fc.json(),
	fc
		.record(
			{
				taskID: fc.oneof(fc.constant<unknown>(taskID), fc.jsonValue()),
				nodeCount: fc.oneof(fc.integer(), fc.jsonValue()),
				jobCount: fc.oneof(fc.integer(), fc.jsonValue()),
				region: fc.jsonValue(),
				// Never a run that starts: each of these is refused.
				actionParams: fc.oneof(fc.constantFrom<unknown>('[{}]', '{', nested(1000)), fc.jsonValue()),
			},
			{ requiredKeys: ['actionParams'] },
		)
		.map((body) => JSON.stringify(body)),
);

const body = fc.oneof(
	{ weight: 6, arbitrary: anyJson },
	{ weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			nested(50_000),
			`{"taskID":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
			`{"__proto__":{"x":1},"taskID":"x"}`,
			'{"taskID":"\\ud800"}',
		),
	},
);

const header = fc.oneof(
	fc.constantFrom('application/json', 'text/plain', 'application/json; charset=x', 'a', ''),
	fc.string({ unit: 'grapheme-ascii', maxLength: 50 }),
);

const malformed: fc.Arbitrary<Malformed> = fc.record({
	method: fc.constantFrom(
		'GET',
		'POST',
		'PUT',
		'PATCH',
		'DELETE',
		'OPTIONS',
		'TRACE',
		'PROPFIND',
		'LINK',
	),
	path: fc.tuple(path, query).map(([name, pairs]) => (pairs === '' ? name : `${name}?${pairs}`)),
	headers: fc
		.record({
			authorization: fc.oneof(
				fc.constant('Bearer test-key'),
				fc.constant('Bearer test-key'),
				header,
			),
			'x-cp-request-id': fc.oneof(fc.constant(taskID), fc.constant(taskID), header),
			'content-type': fc.oneof(fc.constant('application/json'), header),
		})
		.map((headers) => headers),
	body,
});

/** Sends a request as it is; resolves to the status and body of the answer. */
function send({ method, path: target, headers, body: content }: Malformed) {
	const length = { 'content-length': Buffer.byteLength(content) };
	const options: RequestOptions = {
		method,
		path: target,
		headers: { ...headers, ...length },
		agent: false,
	};
	return new Promise<{ status: number; answer: string }>((resolve, reject) => {
		const sent = request(service.baseUrl, options, (response) => {
			void text(response).then(
				(answer) => resolve({ status: response.statusCode ?? 0, answer }),
				reject,
			);
		});
		sent.on('error', (error) =>
			reject(
				new Error(`${String(error)} for ${JSON.stringify({ method, target, headers, content })}`),
			),
		);
		sent.end(content);
	});
}

function expectEnvelope(answer: string, what: unknown): void {
	let envelope: unknown;
	try {
		envelope = JSON.parse(answer);
	} catch {
		throw new Error(`No envelope: ${answer.slice(0, 200)} for ${JSON.stringify(what)}`);
	}
	if (typeof envelope !== 'object' || envelope === null)
		throw new Error(`No envelope: ${answer.slice(0, 200)} for ${JSON.stringify(what)}`);
	expect(Object.keys(envelope).sort()).toEqual(['code', 'data', 'msg']);
	expect(envelope).toMatchObject({ msg: expect.any(String) as string });
}

async function sendAll(requests: Malformed[]): Promise<void> {
	const waiting = [...requests];
	const sender = async () => {
		for (let next = waiting.pop(); next; next = waiting.pop()) {
			const { status, answer } = await send(next);
			expect(status).toBeLessThan(500);
			expectEnvelope(answer, next);
		}
	};
	await Promise.all(Array.from({ length: 20 }, sender));
}

/** Bytes on a connection, in two halves, and whether it is then cut or left to the service. */
const raw = fc.record({
	bytes: fc.oneof(
		fc.string({ unit: 'binary', maxLength: 300 }),
		fc.constantFrom(
			'GET /cloud/data HTTP/9.9\r\n\r\n',
			'BREW /cloud/start HTTP/1.1\r\nHost: x\r\n\r\n',
			'GET /cloud/data HTTP/1.1\r\n\r\n',
			'GET /cloud/data HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nmore',
			`GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
			`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
			'POST /cloud/start HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n{}',
			'POST /cloud/start HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{}',
			'POST /cloud/stop HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
			'POST /cloud/stop HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
			'\0\0\0\0\r\n\r\n',
		),
	),
	cut: fc.boolean(),
	pause: fc.integer({ min: 0, max: 20 }),
});

type Raw = typeof raw extends fc.Arbitrary<infer Value> ? Value : never;

/** Resolves to what the service said until the connection was closed, by whomever. */
function sendRaw({ bytes, cut, pause }: Raw): Promise<string> {
	return new Promise((resolve) => {
		const { hostname, port } = new URL(service.baseUrl);
		const socket = connect(Number(port), hostname);
		let said = '';
		socket.on('data', (chunk) => (said += chunk.toString('latin1')));
		socket.on('error', () => undefined);
		socket.on('close', () => resolve(said));
		const middle = Math.floor(bytes.length / 2);
		socket.write(bytes.slice(0, middle));
		void sleep(pause).then(() => {
			if (cut) return socket.destroy();
			socket.end(bytes.slice(middle));
		});
	});
}

const sample = <Value>(arbitrary: fc.Arbitrary<Value>, count: number, part: number) =>
	fc.sample(arbitrary, { numRuns: count, seed: seed + part });

test(`${(2 * requests).toLocaleString('en')} malformed requests each get an envelope, and memory returns (seed ${seed})`, async () => {
	await sendAll(sample(malformed, requests, 1));
	const before = await memoryOf(service);
	await sendAll(sample(malformed, requests, 2));
	const after = await memoryOf(service);
	expect(after - before).toBeLessThan(2);
	expect(service.process.exitCode).toBeNull();
});

test(`${connections.toLocaleString('en')} broken, slow and cut connections each get an envelope or a close (seed ${seed})`, async () => {
	const waiting = sample(raw, connections, 3);
	const sender = async () => {
		for (let next = waiting.pop(); next; next = waiting.pop()) {
			const said = await sendRaw(next);
			if (said === '') continue;
			expect(said).toMatch(/^HTTP\/1\.1 [2-5]\d\d /);
			expectEnvelope(said.slice(said.indexOf('\r\n\r\n') + 4), next);
		}
	};
	await Promise.all(Array.from({ length: 20 }, sender));
});

test.each(['x', '200-ok', '100-continue'])(
	'an expectation gets an envelope: Expect: %s',
	async (expectation) => {
		const { status, answer } = await send({
			method: 'POST',
			path: '/cloud/stop',
			headers: {
				authorization: 'Bearer test-key',
				'x-cp-request-id': taskID,
				'content-type': 'application/json',
				expect: expectation,
			},
			body: '{"taskID":"x"}',
		});
		expectEnvelope(answer, expectation);
		expect(status).toBe(404);
	},
);

test('bodies over the limit are refused, however many come at once', async () => {
	const big = `{"taskID":"${'x'.repeat(17 * 1024 * 1024)}"}`;
	const { baseUrl, apiKey } = service;
	const answers = await Promise.all(
		Array.from({ length: 5 }, () =>
			cloudClient({ baseUrl, apiKey })
				.call('/cloud/stop', { body: big })
				// The service may close the connection while the rest is still being sent.
				.catch(() => ({ code: 9000000 })),
		),
	);
	expect(answers.map(({ code }) => code)).toEqual(Array(5).fill(9000000));
});

test('the service still does its work', async () => {
	const { batch } = await cloudClient(service).run(taskID);
	expect(batch).toMatchObject({ status: 3, lineCount: 72 });
	// Nothing malformed has started a run.
	expect((await cloudClient(service).batches(taskID)).pagination.total).toBe(2);
});
