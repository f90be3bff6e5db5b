import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import {
	brotliCompressSync,
	deflateRawSync,
	deflateSync,
	gzipSync,
	zstdCompressSync,
} from 'node:zlib';
import { describeOnBothPagesAtLength } from '../support/service/browser';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { TestClock } from '../support/inProcess/testClock';
import { listen } from '../support/service/startSite';
import { extract, onBothPages, step, task, uuidOf } from '../support/service/taskFiles';

// Bodies that end before they are whole, as a broken connection or a server that was stopped leaves them:
// half a page has half of the rows.

const numbers = Array.from({ length: 500 }, (_, index) => String((index * 7919) % 10007));
const html = Buffer.from(`<ul>${numbers.map((number) => `<li>${number}</li>`).join('')}</ul>`);

const encodings = {
	gzip: gzipSync(html),
	'x-gzip': gzipSync(html),
	deflate: deflateSync(html),
	'deflate without its header': deflateRawSync(html),
	br: brotliCompressSync(html),
	zstd: zstdCompressSync(html),
	'deflate, gzip': gzipSync(deflateSync(html)),
	'identity, GZIP': gzipSync(html),
};
const coding = (name: string) => (name.startsWith('deflate without') ? 'deflate' : name);

const halfOf = (whole: Buffer) => whole.subarray(0, whole.length / 2);

type Framing = (body: Buffer) => Buffer[];

const chunk = (body: Buffer) =>
	body.length === 0
		? []
		: [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')];
const chunked = Buffer.from('Transfer-Encoding: chunked\r\n\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

/** How an answer says where its body ends. */
const framings = {
	'that ends with its connection': (body) => [Buffer.from('\r\n'), body],
	'in chunks, with a last one': (body) => [chunked, ...chunk(body), lastChunk],
	'with its length': (body) => [Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body],
} satisfies Record<string, Framing>;
const closed = framings['that ends with its connection'];

/** The bytes of an answer. */
const answer = (encoding: string, parts: Buffer[]) => [
	Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n'),
	Buffer.from(encoding === '' ? '' : `Content-Encoding: ${coding(encoding)}\r\n`),
	...parts,
];

const clock = new TestClock();
/** What the site answers with, by path, one request after the other. */
const answers = new Map<string, Buffer[][]>();
/** Stands for a connection that is reset, once what was sent before has been taken. */
const reset = Buffer.from('reset');
const site = createServer((socket) => {
	// Chromium resets a connection when it has seen enough.
	socket.on('error', () => socket.destroy());
	void respond(socket).catch(() => socket.destroy());
});

async function respond(socket: Socket): Promise<void> {
	const head = String(await once(socket, 'data'));
	const [, path = ''] = /^GET (\S+)/.exec(head) ?? [];
	clock.stir();
	const parts = answers.get(path)?.shift() ?? [Buffer.from('HTTP/1.1 404 Not Found\r\n\r\n')];
	// Part by part, as they come over a network.
	for (const part of parts) {
		if (part === reset) return void setTimeout(() => socket.resetAndDestroy(), 100);
		if (!socket.write(part)) await once(socket, 'drain');
	}
	socket.end();
}

let base = '';
let service: RunningService;
let client: CloudClient;

beforeAll(async () => {
	base = `http://127.0.0.1:${await listen(site)}`;
	const read = task('read', [step('navigate', { url: base }, 'open'), extract({ N: {} }, 'li')]);
	const obey = { ...read, taskID: uuidOf('obey'), respectRobots: true };
	service = await startService({ tasks: { ...onBothPages({ read }, base), obey }, clock });
	client = cloudClient(service);
});

afterAll(async () => {
	await service?.stop();
	site.close();
});

let pages = 0;

/** Runs a task on a page that gets these answers, one after the other. */
function read(kind: string, ...given: Buffer[][]) {
	return run(`read ${kind}`, given);
}

async function run(name: string, given: Buffer[][]) {
	const path = `/${(pages += 1)}`;
	answers.set(path, given);
	const { batch, rows } = await client.run(uuidOf(name), {
		actionParams: [{ id: uuidOf('open'), value: `${base}${path}` }],
	});
	await service.logged({ batchID: batch.batchID, msg: 'batch successful' });
	const reasons = service.log
		.filter((line) => line.batchID === batch.batchID && line.reason !== undefined)
		.map(({ msg, reason }) => `${String(msg)}: ${String(reason).replace(`${base}${path}`, '')}`);
	return { rows: rows.map(({ N: number }) => number), reasons };
}

describe.each(Object.entries<Framing>(framings))('a compressed body %s', (_, frame) => {
	test.each(Object.entries(encodings))('that is cut is no page: %s', async (encoding, whole) => {
		const cut = answer(encoding, frame(halfOf(whole)));
		const { rows, reasons } = await read('http', cut, answer(encoding, frame(whole)));
		expect(reasons).toEqual([
			expect.stringMatching(
				/^page failed, trying again: {2}could not be read: its body ends in the middle \([a-z-]+: unexpected end of file\)$/,
			),
		]);
		expect(rows).toEqual(numbers);
	});

	test.each(Object.keys(encodings))('may be empty: %s', async (encoding) => {
		const empty = answer(encoding, frame(Buffer.alloc(0)));
		expect(await read('http', empty)).toEqual({ rows: [], reasons: [] });
	});
});

describe('a body that comes in several parts', () => {
	const [first, second] = [html.subarray(0, 900), html.subarray(900)];

	test('is read with all of them', async () => {
		const body = Buffer.concat([gzipSync(first), gzipSync(second)]);
		expect(await read('http', answer('gzip', closed(body)))).toEqual({
			rows: numbers,
			reasons: [],
		});
	});

	test('is no page where not all of them are read', async () => {
		const body = Buffer.concat([zstdCompressSync(first), zstdCompressSync(second)]);
		const whole = answer('zstd', closed(encodings.zstd));
		const { rows, reasons } = await read('http', answer('zstd', closed(body)), whole);
		expect(reasons).toEqual([
			'page failed, trying again:  could not be read: its body goes on behind its first part (zstd)',
		]);
		expect(rows).toEqual(numbers);
	});
});

test('a body that gets too large when it is decoded is no page', async () => {
	const body = brotliCompressSync(Buffer.alloc(10 * 1024 * 1024 + 1));
	expect(await read('http', answer('br', closed(body)))).toEqual({
		rows: [],
		reasons: ['page failed, skipped:  has more than 10485760 bytes.'],
	});
});

test('a robots.txt is asked for again where it is cut, and read up to its limit where it is long', async () => {
	const robots = gzipSync(`User-agent: *\nDisallow: /\n${'# nothing\n'.repeat(100_000)}`);
	answers.set('/robots.txt', [
		answer('gzip', closed(halfOf(robots))),
		answer('gzip', closed(robots)),
	]);
	const { rows, reasons } = await run('obey', [answer('', closed(html))]);
	expect(rows).toEqual([]);
	expect(reasons).toEqual([
		expect.stringMatching(
			/^page failed, trying again: .*robots\.txt could not be read: its body ends/,
		),
		expect.stringMatching(/^page failed, skipped: .*robots\.txt forbids /),
	]);
});

test('answers that only say that another one comes are no page, and not taken without end', async () => {
	const hint = Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n');
	const behind = (count: number) => [
		...Array<Buffer>(count).fill(hint),
		...answer('', closed(html)),
	];
	expect(await read('http', behind(20))).toEqual({ rows: numbers, reasons: [] });
	const { rows, reasons } = await read('http', behind(21));
	expect(rows).toEqual([]);
	expect(reasons).toEqual([expect.stringContaining('more than 20 answers with status 1xx')]);
});

test('a body in an encoding that nobody knows is read as it is', async () => {
	const body = answer('klingon', closed(html));
	expect(await read('http', body)).toEqual({ rows: numbers, reasons: [] });
});

describeOnBothPagesAtLength('on pages of kind', (kind) => {
	test.each<[string, Buffer[]]>([
		['than its length', [Buffer.from(`Content-Length: ${html.length}\r\n\r\n`), halfOf(html)]],
		['than its last chunk', [chunked, ...chunk(halfOf(html))]],
		['because its connection is reset, without a length', [...closed(halfOf(html)), reset]],
	])('a body that ends sooner %s is no page', async (_, parts) => {
		const { rows, reasons } = await read(kind, answer('', parts), answer('', closed(html)));
		expect(reasons).toEqual([expect.stringMatching(/^page failed, trying again: /)]);
		expect(rows).toEqual(numbers);
	});

	test('a body that is not in the encoding that its answer names is asked for again', async () => {
		const broken = answer('gzip', closed(html));
		const { rows, reasons } = await read(kind, broken, answer('', closed(html)));
		expect(reasons).toEqual([
			expect.stringMatching(/trying again: .*(cannot be decoded|DECODING_FAILED)/),
		]);
		expect(rows).toEqual(numbers);
	});
});
