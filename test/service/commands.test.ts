import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from '../../service/src/commands/check.ts';
import { help, overview } from '../../service/src/commands/help.ts';
import { settings } from '../../service/src/settings/settings.ts';
import { runCommand } from '../support/service/runCommand';
import { demoTasks } from '../support/service/startService';
import { extract, task, writeTasks } from '../support/service/taskFiles';

let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-commands-'));
});

afterEach(() => rm(folder, { recursive: true }));

const run = (args: string[], settings?: Record<string, string>) => runCommand(args, settings).ended;

test('--help says what there is, and each command what it takes', async () => {
	const { exitCode, out, error } = await run(['--help']);
	expect({ exitCode, out, error }).toEqual({ exitCode: 0, out: help(), error: '' });
	for (const { flag, variable } of settings) {
		expect(help('serve')).toMatch(new RegExp(`--${flag}\\b.*\\(${variable}\\b`));
		expect(out).toContain(`--${flag}`);
	}
	for (const name of ['try', 'tasks import', 'tasks export', 'copy'] as const) {
		expect((await run([...name.split(' '), '--help'])).out).toBe(help(name));
	}
	expect(help('try')).toContain('--rows N (unless set: 20)');
	expect(help('try')).not.toContain('--port');
});

test('--version is that of the package', async () => {
	const file = join(__dirname, '..', '..', 'service', 'package.json');
	const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string };
	expect(await run(['--version'])).toEqual({ exitCode: 0, out: `${version}\n`, error: '' });
});

test('what it does not know is refused with what there is', async () => {
	const { exitCode, out, error } = await run(['--chekc']);
	expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
	expect(error).toBe(`Unknown option '--chekc'.\n\n${overview}`);
});

test.each([
	[['--browser', '/bin/true'], '--browser is "/bin/true", which is not a '],
	[['--host', '192.0.2.1'], 'Cannot listen on --host "192.0.2.1"'],
	[['--data', '/proc/service.db'], 'Set --data to a file'],
])('%j is called as it was given', async (args, said) => {
	const settings = { SERVICE_PORT: '0', SERVICE_DATA: join(folder, 'service.db') };
	const { exitCode, error } = await runCommand(args, settings).ended;
	expect(exitCode).toBe(1);
	expect(error).toContain(said);
	expect(error).not.toContain('SERVICE_');
});

describe('--check', () => {
	test('finds no mistake in the demo tasks, and touches nothing', async () => {
		const data = join(folder, 'service.db');
		const { exitCode, out, error } = await run(['check'], { SERVICE_DATA: data });
		expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
		const lines = out.trimEnd().split('\n');
		// Tasks that were made in the console are there, too.
		const files = (await readdir(demoTasks)).filter((name) => name.endsWith('.json'));
		expect(lines).toHaveLength(files.length);
		expect(lines).toContain(
			`ok   ${join(demoTasks, 'product-list.json')}: Small shop: the whole list, page by page (11111111-1111-4111-8111-111111111111)`,
		);
		expect(await readdir(folder)).toEqual([]);
	});

	/** What it ends with and says, without a process of its own. */
	async function checked(settings: Record<string, string>) {
		const said = { out: '', error: '' };
		const out = vi.spyOn(process.stdout, 'write');
		const error = vi.spyOn(process.stderr, 'write');
		out.mockImplementation((text) => Boolean((said.out += String(text))));
		error.mockImplementation((text) => Boolean((said.error += String(text))));
		try {
			return { exitCode: await check(settings), ...said };
		} finally {
			out.mockRestore();
			error.mockRestore();
		}
	}

	test('names the mistakes, file by file', async () => {
		const good = task('good', [extract({ Name: 'h1' })]);
		await writeTasks(folder, {
			bad: { ...good, steps: [{ type: 'fly' }] },
			copy: good,
			good,
			noJson: '{',
		});
		const { exitCode, out } = await checked({ SERVICE_TASKS: folder });
		expect(exitCode).toBe(1);
		const lines = out.trimEnd().split('\n');
		expect(lines).toHaveLength(4);
		expect(lines[0]).toContain(
			`bad  ${join(folder, 'bad.json')}: /steps/0/type must be "navigate" or`,
		);
		expect(lines[1]).toBe(`ok   ${join(folder, 'copy.json')}: good (${good.taskID})`);
		expect(lines[2]).toContain(`is the id of the task in ${join(folder, 'copy.json')} already`);
		expect(lines[3]).toContain(
			`bad  ${join(folder, 'noJson.json')}: Line 1: A closing brace } is missing`,
		);
	});

	test('says which settings it does not know: it may look at another folder than is meant', async () => {
		const { error } = await checked({ SERVICE_TASKS: folder, SERVICE_TASK: '/nowhere' });
		expect(error).toBe(
			'No setting of this service, and ignored: SERVICE_TASK (SERVICE_TASKS is one). --help lists all settings.\n',
		);
	});

	test('says that files do not count where the tasks stand in a database', async () => {
		const { error } = await checked({ SERVICE_TASKS: folder, SERVICE_DATABASE: 'postgres://x/y' });
		expect(error).toMatch(/^SERVICE_DATABASE is set: .* these files do not count .*\n$/);
	});

	test('takes files in capitals as well', async () => {
		await writeFile(join(folder, 'good.JSON'), JSON.stringify(task('good', [extract({ N: 'b' })])));
		const { out } = await checked({ SERVICE_TASKS: folder });
		expect(out).toMatch(/^ok {3}.*good\.JSON: good/);
	});

	test('says that a folder is empty, or none', async () => {
		expect(await checked({ SERVICE_TASKS: folder })).toEqual({
			exitCode: 0,
			out: `There is no task file in ${folder}.\n`,
			error: '',
		});
		const { exitCode, error } = await checked({ SERVICE_TASKS: '/nowhere' });
		expect(exitCode).toBe(1);
		expect(error).toContain('SERVICE_TASKS is "/nowhere", which is not a folder.');
	});
});
