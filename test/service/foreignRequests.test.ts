import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { createServer } from '../../service/src/api/server.ts';
import { refuseForeignRequests } from '../../service/src/api/foreignRequests.ts';
import { readSettings } from '../../service/src/settings/settings.ts';
import { cloudClient } from '../support/service/cloudClient';
import { startService, type RunningService } from '../support/inProcess/startService';
import { startSite } from '../support/service/startSite';
import { extract, step, task, uuidOf } from '../support/service/taskFiles';

let site: Awaited<ReturnType<typeof startSite>>;
let service: RunningService;

beforeAll(async () => {
	site = await startSite(() => ({ body: '<p>One</p>' }));
	const read = task('read', [step('navigate', { url: site.baseUrl }), extract({ Text: {} }, 'p')]);
	service = await startService({
		tasks: { read },
		env: { SERVICE_ALLOWED_HOSTS: 'scraper, Box.localhost, https://Scraper.Example' },
	});
});

afterAll(async () => {
	await service.stop();
	await site.stop();
});

/** A request with headers that `fetch` would not send; resolves to status and text of the answer. */
async function send(
	headers: Record<string, string | undefined>,
	{ path = '/cloud/start', baseUrl = service.baseUrl } = {},
) {
	const isStart = path === '/cloud/start';
	const given: [string, string | undefined][] = Object.entries({
		authorization: `Bearer ${service.apiKey}`,
		'x-cp-request-id': randomUUID(),
		...(isStart && { 'content-type': 'application/json' }),
		...headers,
	});
	const sent = request(`${baseUrl}${path}`, {
		method: isStart ? 'POST' : 'GET',
		headers: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
		setHost: 'host' in headers ? false : true,
	});
	sent.end(isStart ? JSON.stringify({ taskID: uuidOf('read'), nodeCount: 1, jobCount: 1 }) : '');
	return new Promise<{ status?: number; said: string }>((resolve, reject) => {
		sent.on('error', reject);
		sent.on('response', (answer) => {
			void text(answer).then((said) => resolve({ status: answer.statusCode, said }));
		});
	});
}

const countBatches = async () =>
	(await cloudClient(service).batches(uuidOf('read'))).pagination.total;

const batches = `/cloud/batches?taskID=${uuidOf('read')}&page=1&size=10&orderBy=0`;

describe('the host that is asked', () => {
	test.each([
		['its own address', '127.0.0.1'],
		['its own address with another port, as behind a forwarded one', '127.0.0.1:1234'],
		['localhost', 'localhost:8787'],
		['a name that is allowed', 'scraper'],
		['a name that is allowed, in another case', 'SCRAPER.example:80'],
	])('may be %s', async (_name, host) => {
		expect(await send({ host }, { path: batches })).toMatchObject({ status: 200 });
	});

	test.each([
		['a foreign name', 'rebound.example'],
		['a foreign name with our port', 'rebound.example:8787'],
		['another address', '192.168.1.5'],
		['another address of this machine', '[::1]'],
		['an allowed name with a user before it', 'user@box.localhost'],
		['a name that ends like an allowed one', 'evil-scraper'],
		['a name that begins like an allowed one', 'localhost.rebound.example'],
		['a name with a user before it', 'localhost@rebound.example'],
		['a name with more behind it', 'localhost/rebound.example'],
		['nothing', ''],
		['missing', undefined],
	])('is refused as %s, at the API and at the console', async (_name, host) => {
		for (const path of [batches, '/console/', '/console/sign-in', '/shop/', '/']) {
			const { status, said } = await send({ host }, { path });
			expect(status).toBe(403);
			expect(said).toContain('SERVICE_ALLOWED_HOSTS');
			// People get a page, programs an envelope.
			expect(said).toContain(path.startsWith('/console') ? '<h1>' : '"code":9000002');
		}
	});

	test.each([
		['in a second header', '', ['rebound.example']],
		['in a whole address', 'http://rebound.example', []],
	])('is refused as a foreign name %s', async (_name, origin, others) => {
		const { hostname, port, host } = new URL(service.baseUrl);
		const headers = ['Host', host, 'Authorization', `Bearer ${service.apiKey}`];
		for (const other of others) headers.push('Host', other);
		const sent = request({ hostname, port, path: origin + batches, headers }).end();
		expect(await once(sent, 'response')).toMatchObject([{ statusCode: 403 }]);
	});

	test('starts nothing when it is a foreign one', async () => {
		const before = await countBatches();
		expect(await send({ host: 'rebound.example' })).toMatchObject({ status: 403 });
		expect(await countBatches()).toBe(before);
	});

	test('may be any address of a service that listens on all, but no foreign name', async () => {
		const open = await startService({ env: { SERVICE_HOST: '0.0.0.0' } });
		const { port } = new URL(open.baseUrl);
		const options = { path: '/shop/', baseUrl: `http://127.0.0.1:${port}` };
		expect(await send({ host: `192.168.1.5:${port}` }, options)).toMatchObject({ status: 200 });
		expect(await send({ host: `rebound.example:${port}` }, options)).toMatchObject({ status: 403 });
		await open.stop();
	});
});

describe('a service that listens on what SERVICE_HOST says', () => {
	// Not every machine has IPv6, or a name with capitals: nothing is sent over the network.
	test.each([
		['::', '192.168.1.5', true],
		['::', '[2001:db8::5]', true],
		['::', 'rebound.example', false],
		['My-Machine', 'my-machine', true],
		['My-Machine', 'your-machine', false],
	])('%s may be asked for %s: %s', async (host, asked, isAnswered) => {
		const server = createServer({ log: pino({ enabled: false }), errorsAs200: false });
		refuseForeignRequests(server, readSettings({ SERVICE_HOST: host }));
		server.get('/', (_request, reply) => reply.send('answered'));
		const { body } = await server.inject({ url: '/', headers: { host: `${asked}:8787` } });
		expect(body).toContain(isAnswered ? 'answered' : 'SERVICE_ALLOWED_HOSTS');
	});
});

describe('a write with an origin', () => {
	test.each([
		['of another site', { origin: 'http://evil.example' }],
		['of another port of this machine', { origin: 'http://127.0.0.1:5678' }],
		['that is hidden', { origin: 'null' }],
		['that is none', { origin: 'no address' }],
		['of another site, which the browser has told only so', { 'sec-fetch-site': 'cross-site' }],
		['of the same site on another port, told so', { 'sec-fetch-site': 'same-site' }],
		['of an address that somebody opened, told so', { 'sec-fetch-site': 'none' }],
		[
			'of another port of a host that is allowed',
			{ host: 'box.localhost:8787', origin: 'http://box.localhost:9999' },
		],
		[
			'of another scheme of a host that is allowed',
			{ host: 'box.localhost:8787', origin: 'https://box.localhost:8787' },
		],
		['of another port of an origin that is allowed', { origin: 'https://scraper.example:8443' }],
		['of another scheme of an origin that is allowed', { origin: 'http://scraper.example' }],
		[
			'of another scheme of an origin that is allowed, by its host',
			{ host: 'scraper.example', origin: 'http://scraper.example' },
		],
	])('%s is refused and starts nothing', async (_name, headers) => {
		const before = await countBatches();
		const { status, said } = await send(headers);
		expect(status).toBe(403);
		expect(said).toContain('"code":9000002');
		expect(await countBatches()).toBe(before);
	});

	test.each([
		['its own', () => ({ origin: service.baseUrl })],
		['none, as programs', () => ({})],
		['its own, told so', () => ({ origin: service.baseUrl, 'sec-fetch-site': 'same-origin' })],
		[
			'that of a host that is allowed',
			() => ({ host: 'box.localhost:8787', origin: 'http://box.localhost:8787' }),
		],
		['one that is allowed', () => ({ origin: 'https://scraper.example' })],
		[
			'one that is allowed, by its host',
			() => ({ host: 'scraper.example', origin: 'https://scraper.example' }),
		],
	])('%s starts a run', async (_name, headers) => {
		const before = await countBatches();
		expect(await send(headers())).toMatchObject({ status: 200 });
		expect(await countBatches()).toBe(before + 1);
	});

	test('reads are answered whatever their origin: a browser lets no foreign page have them', async () => {
		const { status } = await send({ origin: 'http://evil.example' }, { path: batches });
		expect(status).toBe(200);
	});
});

test('a cookie is kept from http where browsers know the service by https', async () => {
	const signIn = (headers: Record<string, string>) =>
		cookieOfSignIn(service, { 'content-type': 'application/x-www-form-urlencoded', ...headers });
	expect(await signIn({ host: 'scraper.example', origin: 'https://scraper.example' })).toMatch(
		/; Secure/,
	);
	// As a proxy may ask.
	expect(await signIn({ origin: 'https://scraper.example' })).toMatch(/; Secure/);
	expect(await signIn({ origin: service.baseUrl })).not.toMatch(/Secure/);
});

/** With headers that `fetch` would not send. */
function cookieOfSignIn(
	{ baseUrl, apiKey }: RunningService,
	headers: Record<string, string>,
): Promise<string> {
	const { promise, resolve, reject } = Promise.withResolvers<string>();
	const sent = request(`${baseUrl}/console/sign-in`, { method: 'POST', headers }, (answer) => {
		answer.resume();
		resolve(String(answer.headers['set-cookie']));
	});
	sent.on('error', reject);
	sent.end(new URLSearchParams({ apiKey }).toString());
	return promise;
}
