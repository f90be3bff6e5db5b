import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { installBuild } from '../../../playground/communityPackage.ts';
import { listAt, objectAt, textAt } from '../../../playground/json.ts';
import { N8nApi } from '../../../playground/n8nApi.ts';
import { freePort } from '../../../playground/ports.ts';
import { cloudClient } from '../../support/service/cloudClient';
import { extract, step, task, uuidOf } from '../../support/service/taskFiles';
import { packageName } from '../../support/n8n/n8n';
import { isRunning, npmStart } from '../../support/n8n/playgroundProcess';
import type { PlaygroundOptions, PlaygroundProcess } from '../../support/n8n/playgroundProcess';
import { shopTask } from '../../support/shop/shopTask';
import { startSite } from '../../support/service/startSite';
import type { Site } from '../../support/service/startSite';

const hosted = { baseUrl: 'https://openapi.example.com', apiKey: 'my-own-key' };
const quietSettings = { templates: { enabled: false }, telemetry: { enabled: false } };
/** n8n would take New York's. */
const timezone = 'Europe/Lisbon';
/** Milliseconds: n8n is built and started anew, on whatever machine. */
const patience = 900_000;
const demoWorkflow = '/rest/workflows/cloudScrapeDemo1';

describe('npm start', () => {
	const folder = mkdtempSync(join(tmpdir(), 'cloud-scraping-playground-'));

	const started: PlaygroundProcess[] = [];
	let other: Site;
	/** The second start in the same folder. */
	let again: PlaygroundProcess;

	function start(options: PlaygroundOptions): PlaygroundProcess {
		const playground = npmStart(options);
		started.push(playground);
		return playground;
	}

	beforeAll(async () => {
		other = await startSite(() => '<h1>Somebody else</h1>');
	});

	afterAll(async () => {
		await other.stop();
		for (const playground of started) await playground.pressCtrlC();
		rmSync(folder, { recursive: true, force: true });
	});

	it(
		'opens a playground, shows rows, refuses a second one, and leaves nothing behind',
		async () => {
			const n8nPort = await freePort();
			const servicePort = await freePort();
			const options = { folder, n8nPort, servicePort, timezone };
			const playground = start(options);
			const said = await playground.opened();
			expect(said).toMatch(/\d+ rows came out of n8n/);
			// The console is there before anything of n8n is begun.
			expect(said.indexOf('/console/?token=')).toBeLessThan(said.search(/^… .*n8n/m));
			expect(said).toContain(`http://127.0.0.1:${n8nPort}`);
			expect(printed(said, 'In one node')).toMatch(/\/workflow\/cloudScrapeDemo2$/);
			// At the end, the link may be too old: what lets somebody in stands beside the console once more.
			const atTheEnd = said.slice(said.indexOf('The playground is open'));
			expect(printed(atTheEnd, 'Console')).toBe(`http://127.0.0.1:${servicePort}/console/`);
			expect(printed(atTheEnd, 'API key')).toBe(printed(said, 'API key'));
			expect(printed(said, 'Local service')).toBe(`http://127.0.0.1:${servicePort}`);

			const service = {
				baseUrl: printed(said, 'Local service'),
				apiKey: printed(said, 'API key'),
			};
			expect((await cloudClient(service).batches(shopTask.id)).list).toHaveLength(1);

			const way = printed(said, 'Console');
			const entered = await fetch(way, { redirect: 'manual' });
			expect(entered.headers.getSetCookie()).toHaveLength(1);

			const api = await signInAsPrinted(said);
			const note = JSON.stringify(await api.get(demoWorkflow));
			expect(note).toContain(`(http://127.0.0.1:${servicePort}/console/)`);
			expect(objectAt(await api.get('/rest/settings'))).toMatchObject({
				...quietSettings,
				timezone,
			});
			const credential = await idOfDemoCredential(api);
			expect(await api.get(`/rest/credentials/${credential}?includeData=true`)).toMatchObject({
				data: { allowedHttpRequestDomains: 'domains', allowedDomains: '127.0.0.1' },
			});
			await pointCredentialElsewhere(api);

			const second = start(options);
			expect(await second.opened()).toContain(`open http://127.0.0.1:${n8nPort}`);
			expect(await second.ended).not.toBe(0);

			const children = playground.children();
			expect(children.filter(isRunning)).toHaveLength(2);
			await playground.pressCtrlC();
			expect(children.filter(isRunning)).toEqual([]);
			expect(await freePort(n8nPort)).toBe(n8nPort);
			expect(await freePort(servicePort)).toBe(servicePort);
		},
		patience,
	);

	it(
		'gives way to a port in use, keeps what the user has changed, and takes the tasks of the folder; as npm run dev, too',
		async () => {
			const tasks = join(folder, 'tasks');
			mkdirSync(tasks);
			const own = task('own', [step('navigate', { url: other.baseUrl }), extract({ Title: 'h1' })]);
			writeFileSync(join(tasks, 'own.json'), JSON.stringify(own));
			const n8nPort = Number(new URL(other.baseUrl).port);
			const servicePort = await freePort();
			again = start({ folder, n8nPort, servicePort, isDevelopment: true });
			const said = await again.opened();
			expect(said).toContain(`Port ${n8nPort} is in use: n8n gets port`);
			expect(said).toContain(`you have pointed its credential to ${hosted.baseUrl}`);
			expect(said).not.toContain('rows came out of n8n');
			expect(printed(said, 'Tasks')).toBe(tasks);
			const service = {
				baseUrl: printed(said, 'Local service'),
				apiKey: printed(said, 'API key'),
			};
			const { rows } = await cloudClient(service).run(uuidOf('own'));
			expect(rows.map((row) => Object.values(row))).toEqual([['Somebody else']]);

			const api = await signInAsPrinted(said);
			const id = await idOfDemoCredential(api);
			expect(await api.get(`/rest/credentials/${id}?includeData=true`)).toMatchObject({
				name: 'My account',
				data: { baseUrl: hosted.baseUrl },
			});
		},
		patience,
	);

	it('npm run dev gives a running n8n what was built', async () => {
		const api = await signInAsPrinted(await again.opened());
		const userFolder = join(folder, 'n8n');
		const installed = join(userFolder, '.n8n', 'nodes', 'node_modules', packageName, 'dist');
		const dist = join(folder, 'dist');
		cpSync(installed, dist, { recursive: true });
		const node = join(dist, 'nodes', 'CloudScraping', 'CloudScraping.node.js');
		const compiled = readFileSync(node, 'utf8');
		writeFileSync(
			node,
			compiled.replace("displayName: 'Cloud Scraping'", "displayName: 'Renamed'"),
		);
		expect(await displayName(api)).toBe('Cloud Scraping');

		// n8n begins to watch after it has said that it is ready.
		while ((await displayName(api)) !== 'Renamed') {
			installBuild(dist, userFolder, packageName);
			await wait(1_000);
		}
	});

	it(
		'says in a sentence why it ends when the service is gone',
		async () => {
			const [service = 0, n8n = 0] = again.children();
			expect([service, n8n].filter(isRunning)).toHaveLength(2);
			process.kill(service, 'SIGKILL');
			expect(await again.ended).toBe(1);
			expect(isRunning(n8n)).toBe(false);
			const said = await again.opened();
			expect(said).toContain(
				`\nThe local service has ended (SIGKILL), so n8n is stopped, too: look at the end of ${join(folder, 'service.log')}, then start again.\n`,
			);
			expect(said).not.toContain('{');
		},
		patience,
	);
});

async function pointCredentialElsewhere(api: N8nApi): Promise<void> {
	await api.patch(`/rest/credentials/${await idOfDemoCredential(api)}`, {
		name: 'My account',
		type: 'cloudScrapingApi',
		data: hosted,
	});
}

/** Uses the address, login and password as they are printed for the user. */
async function signInAsPrinted(said: string): Promise<N8nApi> {
	const api = new N8nApi(printed(said, 'Editor'));
	await api.signIn({ email: printed(said, 'Login'), password: printed(said, 'Password') });
	return api;
}

function printed(said: string, label: string): string {
	const found = new RegExp(`^ *${label} +(\\S+)$`, 'm').exec(said);
	if (!found) throw new Error(`npm start has not printed "${label}":\n${said}`);
	return found[1];
}

async function idOfDemoCredential(api: N8nApi): Promise<string> {
	const workflow = objectAt(await api.get(demoWorkflow));
	const nodes = Array.isArray(workflow.nodes) ? workflow.nodes.map((node) => objectAt(node)) : [];
	const start = nodes.find(({ name }) => name === 'Start Task');
	return textAt(objectAt(objectAt(start, 'credentials'), 'cloudScrapingApi'), 'id');
}

/** What the node is called in n8n; undefined while n8n writes its list anew. */
async function displayName(api: N8nApi): Promise<unknown> {
	const list = await api.getFile('/types/nodes.json').catch((error: unknown) => {
		if (error instanceof SyntaxError) return [];
		throw error;
	});
	const types = listAt(list).map((type) => objectAt(type));
	return types.find(({ name }) => name === `${packageName}.cloudScraping`)?.displayName;
}
