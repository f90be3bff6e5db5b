import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type RunningService } from '../support/inProcess/startService';
import { projectNode } from '../support/service/startService';
import { testControl } from '../support/service/testControl';

const page = join(__dirname, '..', '..', 'docs', 'use-it-in-your-tests.md');
const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0;

let service: RunningService;
let folder: string;

beforeAll(async () => {
	service = await startService({ env: { SERVICE_TEST_CONTROL: 'true' } });
	folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-examples-'));
});
afterAll(async () => {
	await service?.stop();
	await rm(folder, { recursive: true });
});

/** Writes an example of the page to its file, changed or as it is, and runs it: what it says, and its exit code. */
async function run(
	language: 'js' | 'python',
	command: string[],
	change = (code: string) => code,
): Promise<{ exitCode: number; said: string }> {
	const text = await readFile(page, 'utf8');
	const [, code = '', name = ''] =
		new RegExp(`\`\`\`${language}\\n((?:// |# )(\\S+)\\n[^]*?)\`\`\``).exec(text) ?? [];
	const file = join(folder, name);
	await writeFile(file, change(code));
	const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
	const env = { ...inherited, SCRAPING_URL: service.baseUrl, SCRAPING_KEY: service.apiKey };
	const [program = '', ...options] = command;
	return new Promise((resolve) => {
		execFile(program, [...options, file], { env, cwd: folder }, (error, stdout, stderr) =>
			resolve({ exitCode: Number(error?.code ?? 0), said: stdout + stderr }),
		);
	});
}

const nodeTest = [projectNode, '--test', '--test-reporter=tap'];
const pytest = ['python3', '-m', 'pytest', '-p', 'no:cacheprovider'];

test('the example for Node’s test runner passes', async () => {
	const { exitCode, said } = await run('js', nodeTest);
	expect(said).toMatch(/^# pass 2$/m);
	expect(exitCode).toBe(0);
});

test('it fails where what it tests is wrong', async () => {
	const { exitCode, said } = await run('js', nodeTest, (code) =>
		code.replace('.catch(() => pageOf(batchID, page))', ''),
	);
	expect(said).toMatch(/^# fail 1$/m);
	expect(exitCode).toBe(1);
});

describe.skipIf(!hasPytest)('where Python has pytest', () => {
	test('the example for pytest passes', async () => {
		await testControl(service).reset();
		const { exitCode, said } = await run('python', pytest);
		expect(said).toMatch(/2 passed/);
		expect(exitCode).toBe(0);
	});

	test('it fails where what it tests is wrong', async () => {
		const { exitCode, said } = await run('python', pytest, (code) =>
			code.replace('    except HTTPError:\n        raise\n', ''),
		);
		expect(said).toMatch(/1 failed, 1 passed/);
		expect(exitCode).toBe(1);
	});
});
