import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type RunningService } from '../support/inProcess/startService';

// docs/api.md shows a task started, read and stopped by curl.

const page = join(__dirname, '..', '..', 'docs', 'api.md');
const hasTools =
	spawnSync('jq', ['--version']).status === 0 &&
	spawnSync('curl', ['--json', '{}', '--version']).status === 0;

describe.skipIf(!hasTools)('docs/api.md, Without n8n', () => {
	let service: RunningService;
	let folder: string;
	let blocks: string[];
	beforeAll(async () => {
		service = await startService();
		folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-curl-'));
		blocks = [...(await readFile(page, 'utf8')).matchAll(/^```sh\n(.*?)^```/gms)].map(
			([, block = '']) => block,
		);
	});
	afterAll(async () => {
		await service?.stop();
		await rm(folder, { recursive: true });
	});

	/** What these lines say in a shell; throws where one of them fails. */
	function run(lines: string[]): Promise<string> {
		const env = { ...process.env, SCRAPING_URL: service.baseUrl, SCRAPING_KEY: service.apiKey };
		const options = { cwd: folder, env };
		return new Promise((resolve, reject) => {
			execFile('sh', ['-ec', lines.join('\n')], options, (error, stdout, stderr) =>
				error ? reject(new Error(stderr, { cause: error })) : resolve(stdout),
			);
		});
	}

	test('starts a task with other values, waits for it and reads its rows by their names', async () => {
		const [setup = '', start = '', wait = '', read = ''] = blocks;
		const said = await run([setup, start, wait, read]);
		const rows = said
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line) as object);
		expect(rows).toEqual([
			expect.objectContaining({ Name: 'Oak Chair' }),
			expect.objectContaining({ Name: 'Oak Table' }),
		]);
	});

	test('stops what runs of a task', async () => {
		const [setup = '', start = '', , , stop = ''] = blocks;
		const slow = 'task=55555555-5555-4555-8555-555555555555; params="[]"';
		const body = start.replace(/^params=.*\n/, '');
		expect(await run([setup, slow, body, stop])).toBe('0\n4\n');
		expect(await run([setup, slow, stop])).toBe('9000002\nnull\n');
	});
});
