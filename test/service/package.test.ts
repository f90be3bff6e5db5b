import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrations } from '../../service/src/store/sqlite/migrations.ts';
import { isFullLength } from '../support/length';
import { browserOfUsers, testWithBrowser } from '../support/service/browser';
import { cloudClient } from '../support/service/cloudClient';
import {
	installService,
	linkService,
	packedService,
	type InstalledService,
} from '../support/service/packedService';
import { runCommand } from '../support/service/runCommand';
import { demoTasks, spawnService } from '../support/service/startService';

// The service as it would be published, in a folder of its own; at full length as npm installs it.

const root = join(__dirname, '..', '..');

let installed: InstalledService;
/** Where the program finds its user's data. */
let home: string;

beforeAll(async () => {
	installed = await (isFullLength ? installService() : linkService());
});
afterAll(() => installed?.remove());

beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), 'cloud-scraping-home-'));
});
afterEach(() => rm(home, { recursive: true }));

const own = () => join(home, 'cloud-scraping-service');
const env = () => ({ XDG_DATA_HOME: home, SERVICE_TASKS: '' });

/** Installed by npm, it may read nothing but what was installed and its user's folder. */
const program = () => [
	...(isFullLength
		? [
				'--disable-warning=SecurityWarning',
				'--permission',
				`--allow-fs-read=${installed.folder}`,
				...[`--allow-fs-read=${home}`, `--allow-fs-write=${home}`],
				...['--allow-worker', '--allow-child-process'],
			]
		: []),
	installed.program,
];

/** What is tried is in a database in memory, which counts as a file elsewhere. */
const run = (args: string[]) => runCommand(args, env(), [installed.program]).ended;

/** Starts it as its users do, on a free port. */
async function start(how = program(), settings: Record<string, string> = {}) {
	const service = spawnService(
		{ ...env(), SERVICE_PORT: '1', ...settings },
		{ program: [...how, '--port', '0'], cwd: home },
	);
	const ended = once(service, 'exit');
	service.stdout.resume();
	let said = '';
	for await (const part of service.stderr) {
		said += String(part);
		if (said.split('\n').length > 6) break;
	}
	const lines = Object.fromEntries(
		said.split('\n').map((line): [string, string] => {
			const [, name = '', rest = ''] = /^(.+?): +(.*)$/.exec(line) ?? [];
			return [name, rest];
		}),
	);
	const baseUrl = lines.Address ?? '';
	const [apiKey = ''] = (lines['API key'] ?? '').split(' ');
	return {
		said,
		lines,
		baseUrl,
		apiKey,
		async stop() {
			service.kill('SIGTERM');
			await ended;
			expect(service.exitCode).toBe(0);
		},
	};
}

const shopList = '11111111-1111-4111-8111-111111111111';

describe('the tarball', () => {
	test('holds the compiled service, the demo tasks and its documents, and nothing else', () => {
		const files = execFileSync('tar', ['-tzf', packedService()], { encoding: 'utf8' })
			.trimEnd()
			.split('\n')
			.map((path) => path.replace(/^package\//, ''));
		const tracked = execFileSync('git', ['ls-files', demoTasks], { cwd: root, encoding: 'utf8' })
			.split('\n')
			.flatMap((path) => /[^/]+\.json$/.exec(path)?.[0] ?? [])
			.map((name) => `tasks/${name}`);
		const others = files.filter((path) => !/^dist\/[\w/]+\.(js|css|svg)$/.test(path));
		expect(others.sort()).toEqual(
			['LICENSE', 'README.md', 'package.json', 'task.schema.json', ...tracked].sort(),
		);
		const modules = readdirSync(join(root, 'service', 'src'), { recursive: true, encoding: 'utf8' })
			.filter((path) => statSync(join(root, 'service', 'src', path)).isFile())
			.filter((path) => !path.endsWith('.d.ts'))
			.map((path) => `dist/${path.replace(/\.ts$/, '.js')}`);
		expect(files).toEqual(expect.arrayContaining(modules));
	});

	test('leads from its README to the files of its version', () => {
		const readme = readFileSync(join(installed.files, 'README.md'), 'utf8');
		const links = [...readme.matchAll(/(?:\]\(|src="|srcset=")([^)"]+)/g)].map(([, link]) => link);
		expect(links.filter((link) => !/^(https:\/\/|#)/.test(link ?? ''))).toEqual([]);
		expect(links).toContainEqual(expect.stringMatching(/\/blob\/v[\d.]+\/docs\/tasks\.md$/));
	});

	test('has the version and the license of the other package', () => {
		const manifest = (folder: string) =>
			JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
		const { version, private: isPrivate } = manifest(installed.files);
		expect(isPrivate).toBe(undefined);
		expect(version).toBe(manifest(root).version);
		const license = (folder: string) => readFileSync(join(folder, 'LICENSE'), 'utf8');
		expect(license(installed.files)).toBe(license(root));
	});
});

test('a first start says in a line each what people have to know, and its demo tasks run', async () => {
	const service = await start();
	expect(Object.keys(service.lines)).toEqual([
		...['Address', 'API key', 'Console', 'Data', 'Tasks', 'Browser', ''],
	]);
	expect(service.lines).toMatchObject({
		Data: own(),
		Tasks: `${join(own(), 'tasks')} (7 tasks)`,
	});
	const { rows } = await cloudClient(service).run(shopList);
	expect(rows).toHaveLength(72);

	const [link = ''] = (service.lines.Console ?? '').split(' ');
	const letIn = await fetch(link, { redirect: 'manual' });
	const cookie = letIn.headers
		.getSetCookie()
		.map((text) => text.split(';')[0])
		.join('; ');
	const page = await fetch(`${service.baseUrl}/console/`, { headers: { cookie } });
	const html = await page.text();
	expect(html).toContain('Small shop');
	const scripts = [...html.matchAll(/(?:src|href)="(\/console\/files\/[^"]+)"/g)];
	expect(scripts.length).toBeGreaterThan(2);
	const paths = [...scripts.map(([, path = '']) => path), '/shop/files/catalogue.js'];
	for (const path of paths) {
		expect((await fetch(`${service.baseUrl}${path}`, { headers: { cookie } })).status).toBe(200);
	}
	expect(await (await fetch(`${service.baseUrl}/readyz`)).json()).toEqual({ ready: true });
	await service.stop();
	expect(await readdir(home)).toEqual(['cloud-scraping-service']);
});

testWithBrowser('a task for a browser runs', async () => {
	// A process that may read its own folders alone would not look for a browser elsewhere.
	const service = await start([installed.program], browserOfUsers);
	expect(service.lines.Browser).toMatch(/^\//);
	const { rows } = await cloudClient(service).run('77777777-7777-4777-8777-777777777777');
	expect(rows).toHaveLength(18);
	await service.stop();
});

test('keeps what its user has, and puts no demo task back', async () => {
	const first = await start();
	await first.stop();
	await rm(join(own(), 'tasks', 'product-pages.json'));
	await writeFile(join(own(), 'task.schema.json'), 'of an older version');
	const second = await start();
	expect(second.lines.Tasks).toBe(`${join(own(), 'tasks')} (6 tasks)`);
	expect(second.lines['API key']).toMatch(/^the one that was shown at the first start\./);
	const again = cloudClient({ ...second, apiKey: first.apiKey });
	expect((await again.run(shopList)).rows).toHaveLength(72);
	await second.stop();
	const schema = (folder: string) => readFileSync(join(folder, 'task.schema.json'), 'utf8');
	expect(schema(own())).toBe(schema(installed.files));
});

test('goes on with the data of an older version', async () => {
	await mkdir(own());
	const database = new DatabaseSync(join(own(), 'service.db'));
	database.exec(
		`${migrations[0]?.sql}; INSERT INTO batches (id, task_id, region, node_count, job_count, status, create_time, update_time, line_count, request_id, fields)
			VALUES (911783313163404113, '${shopList}', 'us', 1, 1, 3, 1, 1, 7, 'x', '[]')`,
	);
	database.close();
	await writeFile(join(own(), 'service.db.api-key'), 'a-key-of-an-earlier-version\n');
	const service = await start();
	const client = cloudClient({ ...service, apiKey: 'a-key-of-an-earlier-version' });
	const { batch } = await client.run(shopList);
	const { list } = await client.batches(shopList);
	expect(list.map(({ batchID, lineCount }) => ({ batchID, lineCount }))).toEqual([
		{ batchID: batch.batchID, lineCount: 72 },
		{ batchID: '911783313163404113', lineCount: 7 },
	]);
	await service.stop();
});

test('./tasks goes before the user’s own; try and check read it, and leave nothing behind', async () => {
	await mkdir(join(home, 'tasks'));
	const service = await start([...program(), '--api-keys', 'a-key']);
	expect(service.lines['API key']).toBe('as --api-keys says');
	expect(service.lines.Tasks).toBe(`${join(home, 'tasks')} (0 tasks)`);
	await service.stop();
	await rm(own(), { recursive: true });

	const file = join(installed.files, 'tasks', 'product-list.json');
	const trial = await run(['try', file, '--rows', '3']);
	expect(trial).toMatchObject({ exitCode: 0, error: '' });
	expect(trial.out).toContain('3 rows; the task was stopped there (--rows 3).');
	const checked = await run(['check', '--tasks', join(installed.files, 'tasks')]);
	expect(checked).toMatchObject({ exitCode: 0, error: '' });
	expect(checked.out.match(/^ok {3}/gm)).toHaveLength(7);
	expect(existsSync(own())).toBe(false);
});
