import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import { openStore } from '../../../service/src/store/openStore.ts';
import { openTasks } from '../../../service/src/tasks/openTasks.ts';
import { startPostgres, type Postgres } from '../../support/postgres/startPostgres';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { startService, type RunningService } from '../../support/inProcess/startService';
import { cloudClient } from '../../support/service/cloudClient';
import { consoleClient } from '../../support/service/console';
import { runCommand } from '../../support/service/runCommand';
import { demoTasks } from '../../support/service/startService';
import { extract, step, task, uuidOf, writeTasks } from '../../support/service/taskFiles';

const reading = (id: string, name = id) => ({
	...task(id, [step('navigate', { url: '{site}/shop/' }), extract({ Text: {} }, 'h1')]),
	name,
});
const textOf = (id: string, name?: string) => JSON.stringify(reading(id, name));

describeWithPostgres('tasks in the database', () => {
	let postgres: Postgres;
	let database: string;
	let folder: string;
	const ends: (() => Promise<void>)[] = [];
	beforeAll(async () => {
		postgres = await startPostgres();
	});
	afterAll(() => postgres?.stop());
	beforeEach(async () => {
		database = postgres.newDatabase();
		folder = await mkdtemp(join(tmpdir(), 'cloud-scraping-tasks-'));
		ends.push(() => rm(folder, { recursive: true }));
	});
	afterEach(async () => {
		for (const end of ends.splice(0).reverse()) await end();
	});
	const inDatabase = (...statements: string[]) =>
		postgres.run(statements, new URL(database).pathname.slice(1));
	const location = () => database.replace(/\/\/.*@/, '//');

	async function start(options: Parameters<typeof startService>[0] = {}): Promise<RunningService> {
		const service = await startService({ ...options, env: { SERVICE_DATABASE: database } });
		ends.push(() => service.stop());
		return service;
	}

	/** What another process knows, as it would in a machine of its own; `said` is its log. */
	async function another() {
		const said = new PassThrough({ objectMode: true });
		const log = pino({}, { write: (line) => said.write(JSON.parse(line)) });
		const store = await openStore({ data: '', database }, { log, isShared: true });
		const tasks = await openTasks(store.tasks, folder);
		tasks.watch(log);
		ends.push(async () => {
			await tasks.close();
			await store.close();
		});
		const heard = async (msg: string, file?: string) => {
			for (;;) {
				const [line] = (await once(said, 'data')) as [{ msg: string; file?: string }];
				if (line.msg === msg && line.file === file) return;
			}
		};
		return { store, tasks, log, heard };
	}

	const command = (args: string[], address = database) =>
		runCommand(args, { SERVICE_DATABASE: address }).ended;

	test('are the demo tasks at the first start, and what is left of them at the next', async () => {
		const first = await startService({ env: { SERVICE_DATABASE: database } });
		const names = (await readdir(demoTasks)).filter((name) => name.endsWith('.json'));
		expect(first.log.find(({ msg }) => msg === 'tasks loaded')).toMatchObject({
			tasks: names.length,
		});
		const visit = await consoleClient(first);
		for (const name of names) {
			await visit(`/console/files/delete/${name}`, { method: 'POST' });
		}
		await first.stop();
		const next = await start();
		expect(next.log.find(({ msg }) => msg === 'tasks loaded')).toMatchObject({ tasks: 0 });
		const page = await (await (await consoleClient(next))('/console/')).text();
		expect(page).toContain('tasks import FOLDER');
		expect(page.match(/Bring back: /g)).toHaveLength(names.length);
	});

	test('are those of SERVICE_TASKS at the first start, where none may be bad', async () => {
		await writeTasks(folder, { good: reading('good'), bad: { ...reading('bad'), steps: 5 } });
		await expect(start({ tasksFolder: folder })).rejects.toThrow(
			/^The tasks of \S+ cannot be put into the database, and none was:\n {2}bad\.json: \/steps must be .+\nCorrect these/,
		);
		await writeTasks(folder, { bad: reading('bad') });
		const service = await start({ tasksFolder: folder });
		const { batch } = await cloudClient(service).run(uuidOf('bad'));
		expect(batch).toMatchObject({ status: 3, lineCount: 1 });
	});

	test('are imported while a service runs, which knows them without a restart', async () => {
		const service = await start({ tasks: { one: reading('one'), two: reading('two') } });
		await writeTasks(folder, {
			// Windows' line breaks and mark are no other text.
			One: `\uFEFF${textOf('one')}`,
			two: textOf('two', 'another name'),
			three: reading('three'),
		});
		const imported = await command(['tasks', 'import', folder]);
		expect(imported).toEqual({
			exitCode: 0,
			error: '',
			out: [
				`new      three.json: three (${uuidOf('three')})`,
				`changed  two.json: another name (${uuidOf('two')})`,
				`equal    one.json: one (${uuidOf('one')})`,
				`${location()}: 1 new, 1 changed, 1 equal.\n`,
			].join('\n'),
		});
		await service.logged({ msg: 'task file loaded', file: 'three.json' });
		await service.logged({ msg: 'task file changed', file: 'two.json' });
		const { batch } = await cloudClient(service).run(uuidOf('three'));
		expect(batch).toMatchObject({ status: 3, lineCount: 1 });

		// Another task in a file of the same name takes nobody's place.
		await rm(folder, { recursive: true });
		await writeTasks(folder, { two: reading('four') });
		expect((await command(['tasks', 'import', folder])).out).toContain('new      two-2.json: four');
		await service.logged({ msg: 'task file loaded', file: 'two-2.json' });
	});

	test('are not imported where a file is bad, which is named with the place; nothing is written', async () => {
		const bad = { ...reading('bad'), steps: [{ type: 'fly' }] };
		await writeTasks(folder, { bad, good: reading('good'), noJson: '{', copy: reading('good') });
		const { exitCode, out, error } = await command(['tasks', 'import', folder]);
		expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
		expect(error).toContain('bad.json: /steps/0/type must be "navigate" or');
		expect(error).toContain('noJson.json: Line 1: A closing brace } is missing');
		expect(error).toContain(`good.json: /taskID "${uuidOf('good')}" is the id of the task in`);
		// Not even its tables.
		expect(postgres.dump(new URL(database).pathname.slice(1))).not.toContain('tasks');
		await rm(folder, { recursive: true });
		expect((await command(['tasks', 'import', folder])).error).toContain(`cannot be read: ENOENT`);
		await mkdir(folder);
		expect((await command(['tasks', 'import', folder])).error).toBe(
			`There is no task file in ${folder}.\n`,
		);
	});

	test.each(['import', 'export'])(
		'%s says what is wrong with the database, and writes nothing',
		async (what) => {
			await writeTasks(folder, { one: reading('one') });
			const before = await readdir(folder);
			const said = async (address: string) => {
				const { exitCode, out, error } = await command(['tasks', what, folder], address);
				expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
				expect(await readdir(folder)).toEqual(before);
				expect(error).not.toContain('a-secret');
				return error;
			};
			expect(await said('')).toMatch(
				/^This needs the address of a PostgreSQL: set SERVICE_DATABASE/,
			);
			expect(await said('mysql://n8n:a-secret@x/y')).toContain(
				'is not the address of a PostgreSQL',
			);
			expect(await said('postgres://n8n:a-secret@127.0.0.1:1/x')).toContain('cannot be reached');
			expect(await said(`${database}_gone`)).toContain('does not exist');
			inDatabase("CREATE ROLE reader LOGIN PASSWORD 'a-secret'");
			expect(await said(database.replace('n8n', 'reader:a-secret'))).toContain('GRANT CREATE');
			inDatabase('DROP ROLE reader');
			inDatabase('CREATE SCHEMA cloud_scraping', 'CREATE TABLE cloud_scraping.tasks (id int)');
			expect(await said(database)).toContain('it holds tasks.id. They were left as they are');
			database = postgres.newDatabase();
			await (await another()).store.apiKeys.make('x');
			inDatabase('UPDATE cloud_scraping.schema_version SET version = 1000');
			expect(await said(database)).toContain('is of a newer version of the service');
		},
	);

	test('are exported as they were written, and no file is replaced unseen', async () => {
		await writeTasks(folder, { one: reading('one'), two: '' });
		const { tasks, log } = await (async () => {
			await rm(join(folder, 'two.json'));
			return another();
		})();
		const pretty = `${JSON.stringify(reading('two'), undefined, 2)}\n`;
		await tasks.save({ name: 'two.json', text: pretty, before: undefined }, log);
		const target = join(folder, 'below', 'exported');
		expect((await command(['tasks', 'export', target])).out).toBe(
			[
				`new      ${join(target, 'one.json')}: one (${uuidOf('one')})`,
				`new      ${join(target, 'two.json')}: two (${uuidOf('two')})\n`,
			].join('\n'),
		);
		expect(await readFile(join(target, 'two.json'), 'utf8')).toBe(pretty);

		await rm(join(target, 'one.json'));
		await writeTasks(target, {
			one: reading('other'),
			renamed: textOf('two', 'mine'),
		});
		await rm(join(target, 'two.json'));
		const written = await stat(join(target, 'renamed.json'));
		const refused = await command(['tasks', 'export', target]);
		expect(refused).toEqual({
			exitCode: 1,
			out: '',
			error: [
				'Nothing was written: these files hold another text of the same task:',
				`  ${join(target, 'renamed.json')} (two.json in the database)`,
				'Name another folder, or have them replaced with --overwrite.\n',
			].join('\n'),
		});
		expect((await readdir(target)).sort()).toEqual(['one.json', 'renamed.json']);
		expect((await stat(join(target, 'renamed.json'))).mtimeMs).toBe(written.mtimeMs);

		expect((await command(['tasks', 'export', target, '--overwrite'])).out).toBe(
			[
				`new      ${join(target, 'one-2.json')}: one (${uuidOf('one')})`,
				`changed  ${join(target, 'renamed.json')}: two (${uuidOf('two')})\n`,
			].join('\n'),
		);
		expect(await readFile(join(target, 'renamed.json'), 'utf8')).toBe(pretty);
		expect(await readFile(join(target, 'one.json'), 'utf8')).toBe(textOf('other'));
		// What was exported is what is there.
		await rm(join(target, 'one.json'));
		expect((await command(['tasks', 'import', target])).out).toContain(
			'0 new, 0 changed, 2 equal.',
		);
		expect((await command(['tasks', 'export', target])).out).not.toMatch(/new|changed/);
	});

	test('are edited in the console, which another process hears of', async () => {
		const service = await start({ tasks: { one: reading('one') } });
		const visit = await consoleClient(service);
		const { tasks, heard } = await another();
		const post = (action: string, name: string, fields: Record<string, string> = {}) =>
			visit(`/console/files/${action}/${name}`, {
				method: 'POST',
				body: new URLSearchParams(fields),
			});
		const done = async (answer: Promise<Response>, words: string, file: string) => {
			const told = heard(words, file);
			expect((await answer).status).toBe(303);
			await told;
			return (await answer).headers.get('location') ?? '';
		};
		const editor = await (await visit('/console/files/edit/one.json')).text();
		const [, hash = ''] = /name="hash" value="([0-9a-f]+)"/.exec(editor) ?? [];
		const text = textOf('one', 'Edited');
		await done(post('edit', 'one.json', { text, hash }), 'task file changed', 'one.json');
		expect(tasks.find(uuidOf('one'))?.name).toBe('Edited');

		await done(
			post('rename', 'one.json', { taskName: 'Renamed' }),
			'task file changed',
			'one.json',
		);
		await done(post('duplicate', 'one.json'), 'task file loaded', 'renamed-copy.json');
		const gone = await done(post('delete', 'one.json'), 'task file removed', 'one.json');
		expect(tasks.tasks.map(({ task: { name } }) => name)).toEqual(['Renamed (copy)']);
		expect(await (await visit(gone)).text()).toContain('Undo: Renamed');
		const id = new URL(gone, service.baseUrl).searchParams.get('deleted') ?? '';
		await done(post('bring-back', id), 'task file loaded', 'one.json');
		expect(tasks.find(uuidOf('one'))?.name).toBe('Renamed');
		expect((await post('bring-back', id)).status).toBe(404);
		expect((await post('bring-back', 'x')).status).toBe(404);
		expect((await post('delete', 'none.json')).status).toBe(404);
	});

	test('that two save at once are those of the first; the second is told, and loses nothing', async () => {
		const service = await start({ tasks: { one: reading('one') } });
		const visit = await consoleClient(service);
		const { tasks, log } = await another();
		const before = (await tasks.open('one.json'))?.hash ?? '';
		const saves = ['first', 'second'].map((name) =>
			visit('/console/files/edit/one.json', {
				method: 'POST',
				body: new URLSearchParams({ text: textOf('one', name), hash: before }),
			}),
		);
		const other = tasks.save({ name: 'one.json', text: textOf('one', 'third'), before }, log).then(
			() => 303,
			() => 409,
		);
		const answers = await Promise.all(saves);
		const codes = [...answers.map(({ status }) => status), await other];
		expect(codes.sort()).toEqual([303, 409, 409]);
		const now = await tasks.open('one.json');
		const told = answers.find(({ status }) => status === 409);
		const page = (await told?.text()) ?? '';
		expect(page).toContain('Nothing was saved: the file has been changed');
		expect(page).toContain(now?.text.replaceAll('"', '&quot;'));
		expect(page).toMatch(/&quot;name&quot;:&quot;(first|second)&quot;/);

		// So is who makes a task with a task ID that another process has just taken.
		const made = ['a.json', 'b.json'].map((name) =>
			tasks.save({ name, text: textOf('new'), before: undefined }, log).catch(String),
		);
		expect(await Promise.all(made)).toContain('Error: Another task has its task ID.');
	});

	test('that change while the database is lost are known when it is back', async () => {
		await writeTasks(folder, { one: reading('one') });
		const { tasks, heard } = await another();
		const text = textOf('one', 'by hand').replaceAll("'", "''");
		const known = heard('task file changed', 'one.json');
		const name = new URL(database).pathname.slice(1);
		inDatabase(
			'ALTER TABLE cloud_scraping.tasks DISABLE TRIGGER ALL',
			`UPDATE cloud_scraping.tasks SET hash = 'other', text = '${text}'`,
		);
		postgres.run([
			`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
		]);
		await known;
		expect(tasks.find(uuidOf('one'))?.name).toBe('by hand');
	});

	test('that this version cannot read are named, and can be corrected in the console', async () => {
		const service = await start({ tasks: { one: reading('one') } });
		const text = textOf('one').replace('navigate', 'fly');
		inDatabase(`UPDATE cloud_scraping.tasks SET hash = 'other', text = '${text}'`);
		await service.logged({ msg: 'bad task file', file: 'one.json' });
		const visit = await consoleClient(service);
		expect(await (await visit('/console/')).text()).toContain('1 task file could not be loaded');
		const answer = await cloudClient(service).call('/cloud/start', {
			body: { taskID: uuidOf('one'), nodeCount: 1, jobCount: 1 },
		});
		expect(answer.msg).toContain('The task file one.json is bad: /steps/0/type must be');
		const body = new URLSearchParams({ text: textOf('one'), hash: 'other' });
		const saved = await visit('/console/files/edit/one.json', { method: 'POST', body });
		expect(saved.status).toBe(303);
	});
});
