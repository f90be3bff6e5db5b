import { createServer } from 'node:https';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificate, key } from '../support/localhostCertificate';
import { isFullLength } from '../support/length';
import { browserOfUsers, describeOnBothPagesAtLength } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import { startProxy, type Proxy } from '../support/service/startProxy';
import { startService, type RunningService } from '../support/service/startService';
import { startSite, type Site } from '../support/service/startSite';
import { extract, pageKinds, step, task, uuidOf } from '../support/service/taskFiles';

// Real forward proxies between the service and a site.

const password = 'p@ss/w0rd';
const encoded = encodeURIComponent(password);
const user = `me:${encoded}@`;
const page = '/a page';

let site: Site;
/** One that is trusted, and has nothing but a page. */
const secureSite = createServer({ cert: certificate, key }, (_request, response) => {
	response.writeHead(200, { 'content-type': 'text/html' }).end('<p>secret page</p>');
});
let folder: string;
let service: RunningService;
const proxies: Proxy[] = [];

/** What a proxy is like, who the task says it is to it, and the site that it is to ask. */
const ways = {
	open: { is: {}, user: '', site: 'site' },
	guarded: { is: { user: `me:${password}` }, user, site: 'site' },
	'wrong password': { is: { user: 'me:other' }, user, site: 'site' },
	'no password': { is: { user: 'me:other' }, user: '', site: 'site' },
	down: { is: undefined, user, site: 'site' },
	'breaking off': { is: { refuse: 0 }, user, site: 'site' },
	tunnel: { is: { user: `me:${password}` }, user, site: 'secure' },
	'wrong password for a tunnel': { is: { user: 'me:other' }, user, site: 'secure' },
	'no tunnel': { is: { refuse: 503 }, user: '', site: 'secure' },
} as const;
type Way = keyof typeof ways;

const nameOf = (way: string, kind: string) => `${way} ${kind}`;
const hosts = new Map<string, { host: string; proxy: Proxy | undefined }>();

beforeAll(async () => {
	site = await startSite(() => '<p>page</p>');
	await new Promise<void>((resolve) => secureSite.listen(0, '127.0.0.1', resolve));
	const address = secureSite.address();
	if (address === null || typeof address === 'string') throw new Error('The site has no port.');
	const sites = { site: site.baseUrl, secure: `https://localhost:${address.port}` };
	const tasks: Record<string, unknown> = {};
	for (const kind of pageKinds) {
		for (const [name, way] of Object.entries(ways)) {
			const proxy = way.is && (await startProxy(way.is));
			if (proxy) proxies.push(proxy);
			// Each has a port of its own, since the service waits for hosts.
			const host = proxy?.host ?? `127.0.0.1:${kind === 'http' ? 1 : 2}`;
			hosts.set(nameOf(name, kind), { host, proxy });
			const steps = [step('navigate', { url: sites[way.site] + page }), extract({ Text: {} }, 'p')];
			tasks[nameOf(name, kind)] = task(nameOf(name, kind), steps, {
				page: kind,
				tries: 2,
				proxy: `http://${way.user}${host}`,
				respectRobots: name === 'guarded',
			});
		}
	}
	tasks.bad = task('bad', [step('navigate', { url: site.baseUrl })], {
		proxy: `me:${encoded}@127.0.0.1:8080`,
	});
	folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-proxy-'));
	const trusted = join(folder, 'certificate.pem');
	await writeFile(trusted, certificate);
	service = await startService({ tasks, env: { NODE_EXTRA_CA_CERTS: trusted, ...browserOfUsers } });
}, 300_000);

afterAll(async () => {
	await service?.stop();
	await site?.stop();
	secureSite.close();
	secureSite.closeAllConnections();
	await Promise.all(proxies.map((proxy) => proxy.stop()));
	await rm(folder, { recursive: true });
});

describeOnBothPagesAtLength('on pages of kind', (kind) => {
	/** Runs a task: its texts, why its tries failed, and what its proxy was asked for. */
	async function run(way: Way) {
		const name = nameOf(way, kind);
		const { batch, rows } = await cloudClient(service).run(uuidOf(name));
		const { batchID } = batch;
		await service.logged({ batchID, msg: 'batch successful' });
		const reasons = service.log
			.filter((line) => line.batchID === batchID && 'try' in line)
			.map(({ reason }) => String(reason));
		const { host = '', proxy } = hosts.get(name) ?? {};
		return { texts: rows.map(({ Text: text }) => text), reasons, host, asked: proxy?.asked ?? [] };
	}

	test('pages come through the proxy', async () => {
		const { texts, asked } = await run('open');
		expect(texts).toEqual(['page']);
		expect(asked).toContain(`GET ${site.baseUrl}/a%20page`);
	});

	test('a proxy that asks for a password gets it, for robots.txt too', async () => {
		const { texts, asked } = await run('guarded');
		expect(texts).toEqual(['page']);
		expect(asked[0]).toBe(`GET ${site.baseUrl}/robots.txt`);
		expect(asked).toContain(`GET ${site.baseUrl}/a%20page`);
		expect(site.requests.every(({ headers }) => !('proxy-authorization' in headers))).toBe(true);
	});

	test('pages of https sites come through a tunnel', async () => {
		const { texts, asked } = await run('tunnel');
		expect(asked[0]).toMatch(/^CONNECT localhost:\d+$/);
		// The browser does not trust the site, whose page is another failure then.
		if (kind === 'http') expect(texts).toEqual(['secret page']);
	});

	const refusals = [
		['wrong password', 'refused the user name and the password of "proxy" (HTTP status 407)'],
		['no password', 'wants a user name and a password (HTTP status 407)'],
		['wrong password for a tunnel', 'refused the user name and the password of "proxy"'],
	] as const;
	// The browser that costs least does not tell it from an outage.
	const told = kind === 'http' || isFullLength ? refusals : refusals.slice(0, 2);
	test.each(told)('a failure is final and says so: %s', async (way, said) => {
		const { texts, reasons, host } = await run(way);
		expect(texts).toEqual([]);
		expect(reasons).toEqual([expect.stringContaining(`the proxy ${host} ${said}`)]);
	});

	test.each(['down', 'no tunnel'] as const)('an outage says so: %s', async (way) => {
		const { texts, reasons, host } = await run(way);
		expect(texts).toEqual([]);
		const ofProxy = expect.stringContaining(`the proxy ${host}`) as string;
		expect(reasons).toEqual([ofProxy, ofProxy]);
	});

	test('a proxy that breaks off is tried again', async () => {
		const { texts, reasons } = await run('breaking off');
		expect(texts).toEqual([]);
		expect(reasons).toHaveLength(2);
	});
});

test('the password is in no log, failure or answer', async () => {
	const { call } = cloudClient(service);
	const { code, msg } = await call('/cloud/start', {
		body: { taskID: uuidOf('bad'), nodeCount: 1, jobCount: 1 },
	});
	expect({ code, msg }).toMatchObject({
		code: 9000002,
		msg: expect.stringContaining('/proxy must be the http or https URL of a proxy') as string,
	});
	const secrets = [password, encoded, Buffer.from(`me:${password}`).toString('base64')];
	for (const said of [JSON.stringify(service.log), service.standardError(), msg]) {
		for (const secret of secrets) expect(said).not.toContain(secret);
	}
});
