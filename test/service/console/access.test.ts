import { join } from 'node:path';
import { OneTimeLink } from '../../../service/src/keys/oneTimeLink.ts';
import { cloudClient } from '../../support/service/cloudClient';
import { DatabaseSync } from 'node:sqlite';
import { consoleClient, consoleLink } from '../../support/service/console';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { startService as startProcess } from '../../support/service/startService';

const listID = '11111111-1111-4111-8111-111111111111';
let service: RunningService;

beforeAll(async () => {
	service = await startService();
});
afterAll(() => service?.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
	fetch(new URL(path, service.baseUrl), {
		redirect: 'manual',
		headers: { accept: 'text/html', ...headers },
	});

const post = (path: string, fields: Record<string, string> = {}, headers = {}) =>
	fetch(new URL(path, service.baseUrl), {
		method: 'POST',
		redirect: 'manual',
		body: new URLSearchParams(fields),
		headers,
	});

/** The name and value of the cookie that an answer sets. */
const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';

describe('the link of the start', () => {
	test('works once, sets a cookie that scripts and other sites cannot use, and is not logged', async () => {
		const own = await startProcess();
		const link = await consoleLink(own);
		const entered = await fetch(link, { redirect: 'manual' });
		expect(entered.status).toBe(303);
		expect(entered.headers.get('location')).toBe('/console/');
		const [setCookie = ''] = entered.headers.getSetCookie();
		expect(setCookie).toContain('HttpOnly');
		expect(setCookie).toContain('SameSite=Strict');
		expect(setCookie).toContain('Path=/console/');
		expect(setCookie).toContain(`Max-Age=${30 * 24 * 60 * 60};`);
		const cookie = cookieOf(entered);
		const page = await fetch(`${own.baseUrl}/console/`, { headers: { cookie } });
		expect(await page.text()).toContain('Small shop');

		const again = await fetch(link, { redirect: 'manual' });
		expect(again.status).toBe(401);
		expect(again.headers.getSetCookie()).toEqual([]);
		expect(await again.text()).toContain('This link has been used');

		await own.logged({ url: '/console/?token=***', statusCode: 401 });
		const token = new URL(link).searchParams.get('token') ?? '';
		expect(token.length).toBeGreaterThanOrEqual(32);
		expect(JSON.stringify(own.log)).not.toContain(token);
		await own.stop();
	});

	test('is another one at each start, while a session lasts beyond it', async () => {
		const first = await startService();
		const link = first.consoleLink;
		const cookie = cookieOf(await fetch(link, { redirect: 'manual' }));
		const { port } = new URL(first.baseUrl);
		await first.end();
		const second = await startService({ folder: first.folder, env: { SERVICE_PORT: port } });
		expect(second.consoleLink).not.toBe(link);
		const page = await fetch(`${second.baseUrl}/console/`, { headers: { cookie } });
		expect(await page.text()).toContain('Small shop');
		await second.stop();
	});

	test('of anything else lets nobody in', async () => {
		for (const token of ['', 'x', 'undefined', 'a'.repeat(32)]) {
			const answer = await get(`/console/?token=${token}`);
			expect(answer.status).toBe(401);
			expect(answer.headers.getSetCookie()).toEqual([]);
		}
	});
});

test('the link of the start ends after ten minutes', () => {
	let time = 0;
	const link = new OneTimeLink(() => time);
	const late = new OneTimeLink(() => time);
	const tokenOf = (each: OneTimeLink) => new URL(each.below('http://x')).searchParams.get('token');
	time = 10 * 60_000 - 1;
	expect(link.use(tokenOf(link) ?? '')).toBe(true);
	time += 1;
	expect(late.use(tokenOf(late) ?? '')).toBe(false);
});

describe('a link that has been used', () => {
	const path = '/console/?token=used';

	test('leads who is in to the console', async () => {
		const visit = await consoleClient(service);
		const answer = await visit(path);
		expect(answer.status).toBe(303);
		expect(answer.headers.get('location')).toBe('/console/');
	});

	test('does so from the page of another site, too, where a browser does not say who is in', async () => {
		const answer = await get(path, { 'sec-fetch-site': 'cross-site' });
		expect(answer.status).toBe(303);
		expect(answer.headers.get('location')).toBe('/console/');
		expect(answer.headers.getSetCookie()).toEqual([]);
	});
});

describe('without a session', () => {
	test.each([
		'/console/',
		'/console/keys',
		`/console/tasks/${listID}`,
		'/console/batches/1',
		'/console/batches/1/rows.csv',
		'/console/tasks/live',
		'/console/nothing',
	])('%s asks for an API key', async (path) => {
		const answer = await get(path);
		expect(answer.status).toBe(303);
		expect(answer.headers.get('location')).toBe(`/console/sign-in?to=${encodeURIComponent(path)}`);
	});

	test('what is no page is refused', async () => {
		expect((await get('/console/tasks/live', { accept: 'text/event-stream' })).status).toBe(401);
		expect((await post(`/console/tasks/${listID}/start`)).status).toBe(401);
		expect((await post('/console/keys', { name: 'mine' })).status).toBe(401);
		expect((await cloudClient(service).batches(listID)).list).toEqual([]);
	});

	test.each([
		'cloud-scraping-console=x',
		'cloud-scraping-console-1=x',
		'__proto__=x',
		'%%%=1; =;;',
	])('the cookie "%s" lets nobody in', async (cookie) => {
		expect((await get('/console/', { cookie })).status).toBe(303);
	});
});

describe('an API key', () => {
	test('lets in, to where one wanted to go', async () => {
		const { apiKey } = service;
		const answer = await post('/console/sign-in', { apiKey, to: '/console/keys?a=1' });
		expect(answer.status).toBe(303);
		expect(answer.headers.get('location')).toBe('/console/keys?a=1');
		const [setCookie = ''] = answer.headers.getSetCookie();
		expect(setCookie).toMatch(/HttpOnly; SameSite=Strict/);
		expect((await get('/console/keys', { cookie: cookieOf(answer) })).status).toBe(200);
	});

	test.each([
		'http://evil.example/',
		'//evil.example/console/',
		'/\\evil.example/console/',
		'javascript:alert(1)',
		'/cloud/batches',
		'/console/../shop/',
	])('leads nobody to %s', async (to) => {
		const answer = await post('/console/sign-in', { apiKey: service.apiKey, to });
		expect(answer.headers.get('location')).toBe('/console/');
	});

	test('of a form that is too large is not looked at', async () => {
		const answer = await post('/console/sign-in', {
			apiKey: service.apiKey,
			to: '+'.repeat(16_384),
		});
		expect(answer.status).toBe(413);
		expect(await answer.text()).toContain('The body is too large');
		expect(answer.headers.getSetCookie()).toEqual([]);
	});

	test('that is none is refused, and not shown again', async () => {
		const answer = await post('/console/sign-in', { apiKey: 'no "key"' });
		expect(answer.status).toBe(401);
		expect(answer.headers.getSetCookie()).toEqual([]);
		const said = await answer.text();
		expect(said).toContain('This is not an API key of the service.');
		expect(said).not.toContain('no &quot;key');
	});

	test('does not let in from the page of another site', async () => {
		const { apiKey } = service;
		const answer = await post('/console/sign-in', { apiKey }, { origin: 'http://127.0.0.1:5678' });
		expect(answer.status).toBe(403);
		expect(answer.headers.getSetCookie()).toEqual([]);
	});
});

test('a session ends after 30 days, whatever a browser keeps, and is gone with the next one', async () => {
	let own = await startService();
	const { port } = new URL(own.baseUrl);
	const visit = await consoleClient(own);
	/** What a statement finds in the database; the service is started anew. */
	const inDatabase = async (statement: string) => {
		await own.end();
		const database = new DatabaseSync(join(own.folder, 'service.db'));
		const found = database.prepare(statement).all();
		database.close();
		own = await startService({ folder: own.folder, env: { SERVICE_PORT: port } });
		return found;
	};
	const later = (days: number) =>
		`UPDATE console_sessions SET end_time = end_time - ${days} * 24 * 60 * 60 * 1000`;
	await inDatabase(later(29));
	expect((await visit('/console/')).status).toBe(200);
	await inDatabase(later(1));
	expect((await visit('/console/')).status).toBe(303);
	await consoleClient(own);
	const kept = await inDatabase('SELECT count(*) AS sessions FROM console_sessions');
	expect(kept).toEqual([{ sessions: 1 }]);
	await own.stop();
});

test('two services of one machine leave each other’s sessions alone', async () => {
	const own = await startService();
	const services = [service, own];
	/** As a browser keeps them: by name, whatever the port. */
	const cookies = new Map<string, string>();
	for (const { baseUrl, apiKey } of services) {
		const address = new URL('/console/sign-in', baseUrl).href;
		const cookie = cookieOf(await post(address, { apiKey }));
		cookies.set(cookie.split('=')[0] ?? '', cookie);
	}
	const cookie = [...cookies.values()].join('; ');
	for (const { baseUrl } of services) {
		expect((await get(new URL('/console/', baseUrl).href, { cookie })).status).toBe(200);
	}
	await own.stop();
});

test('signing out ends the session, wherever its cookie is', async () => {
	const visit = await consoleClient(service);
	expect((await visit('/console/')).status).toBe(200);
	expect((await visit('/console/sign-out', { method: 'POST' })).status).toBe(303);
	expect((await visit('/console/')).status).toBe(303);
});

test('a write with a session from another site or port starts nothing', async () => {
	const visit = await consoleClient(service);
	for (const origin of ['http://evil.example', 'http://127.0.0.1:5678', 'null']) {
		const start = { method: 'POST', headers: { origin } };
		expect((await visit(`/console/tasks/${listID}/start`, start)).status).toBe(403);
	}
	expect((await cloudClient(service).batches(listID)).list).toEqual([]);
	const { origin } = new URL(service.baseUrl);
	const own = await visit(`/console/tasks/${listID}/start`, {
		method: 'POST',
		headers: { origin, 'sec-fetch-site': 'same-origin' },
	});
	expect(own.status).toBe(303);
	expect((await cloudClient(service).batches(listID)).list).toHaveLength(1);
});

test('everything comes with a strict policy: nothing from elsewhere, no inline script, no frame', async () => {
	const visit = await consoleClient(service);
	const paths = ['/console/', '/console/keys', '/console/sign-in', '/console/nothing'];
	for (const path of [...paths, '/console/files/console.js', '/console/tasks/no-task']) {
		const { headers } = await visit(path);
		expect(headers.get('content-security-policy')).toBe(
			"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		);
		expect(headers.get('x-content-type-options')).toBe('nosniff');
		expect(headers.get('referrer-policy')).toBe('same-origin');
		expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
	}
});

test('what is not there is a page for people', async () => {
	const visit = await consoleClient(service);
	const answer = await visit('/console/nothing');
	expect(answer.status).toBe(404);
	expect(await answer.text()).toContain('There is nothing here');
});

test('the address of the service leads people to the console, and programs as ever to an envelope', async () => {
	const forPeople = await get('/');
	expect(forPeople.headers.get('location')).toBe('/console/');
	const forPrograms = await cloudClient(service).call('/');
	expect(forPrograms).toMatchObject({ httpStatus: 404, code: 9000004 });
});
