import { testAtLength } from '../../support/length';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { cloudClient } from '../../support/service/cloudClient';
import { uuidOf, writeTasks } from '../../support/service/taskFiles';
import { reading, taskDatabase, textOf } from './taskDatabase';

describeWithPostgres('tasks', () => {
	const on = taskDatabase();
	const location = () => on.database.replace(/\/\/.*@/, '//');

	test('are imported while a service runs, which knows them without a restart', async () => {
		const service = await on.start({ tasks: { one: reading('one'), two: reading('two') } });
		await writeTasks(on.folder, {
			// Windows' line breaks and mark are no other text.
			One: `\uFEFF${textOf('one')}`,
			two: textOf('two', 'another name'),
			three: reading('three'),
		});
		const imported = await on.command(['tasks', 'import', on.folder]);
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
		await rm(on.folder, { recursive: true });
		await writeTasks(on.folder, { two: reading('four') });
		expect((await on.command(['tasks', 'import', on.folder])).out).toContain(
			'new      two-2.json: four',
		);
		await service.logged({ msg: 'task file loaded', file: 'two-2.json' });
	});

	testAtLength(
		'are not imported where a file is bad, which is named with the place; nothing is written',
		async () => {
			const bad = { ...reading('bad'), steps: [{ type: 'fly' }] };
			await writeTasks(on.folder, {
				bad,
				good: reading('good'),
				noJson: '{',
				copy: reading('good'),
			});
			const { exitCode, out, error } = await on.command(['tasks', 'import', on.folder]);
			expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
			expect(error).toContain('bad.json: /steps/0/type must be "navigate" or');
			expect(error).toContain('noJson.json: Line 1: A closing brace } is missing');
			expect(error).toContain(`good.json: /taskID "${uuidOf('good')}" is the id of the task in`);
			// Not even its tables.
			expect(on.contents()).not.toContain('tasks');
			await rm(on.folder, { recursive: true });
			expect((await on.command(['tasks', 'import', on.folder])).error).toContain(
				'cannot be read: ENOENT',
			);
			await mkdir(on.folder);
			expect((await on.command(['tasks', 'import', on.folder])).error).toBe(
				`There is no task file in ${on.folder}.\n`,
			);
		},
	);

	test.each(['import', 'export'])(
		'%s says what is wrong with the database, and writes nothing',
		async (what) => {
			await writeTasks(on.folder, { one: reading('one') });
			const before = await readdir(on.folder);
			const said = async (address: string) => {
				const { exitCode, out, error } = await on.command(['tasks', what, on.folder], address);
				expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
				expect(await readdir(on.folder)).toEqual(before);
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
			expect(await said(`${on.database}_gone`)).toContain('does not exist');
			on.run("CREATE ROLE reader LOGIN PASSWORD 'a-secret'");
			expect(await said(on.database.replace('n8n', 'reader:a-secret'))).toContain('GRANT CREATE');
			on.run('DROP ROLE reader');
			on.run('CREATE SCHEMA cloud_scraping', 'CREATE TABLE cloud_scraping.tasks (id int)');
			expect(await said(on.database)).toContain('it holds tasks.id. They were left as they are');
			on.renew();
			await (await on.another()).store.apiKeys.make('x');
			on.run('UPDATE cloud_scraping.schema_version SET version = 1000');
			expect(await said(on.database)).toContain('is of a newer version of the service');
		},
	);

	testAtLength('are exported as they were written, and no file is replaced unseen', async () => {
		await writeTasks(on.folder, { one: reading('one') });
		const { tasks, log } = await on.another();
		const pretty = `${JSON.stringify(reading('two'), undefined, 2)}\n`;
		await tasks.save({ name: 'two.json', text: pretty, before: undefined }, log);
		const target = join(on.folder, 'below', 'exported');
		expect((await on.command(['tasks', 'export', target])).out).toBe(
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
		const refused = await on.command(['tasks', 'export', target]);
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

		expect((await on.command(['tasks', 'export', target, '--overwrite'])).out).toBe(
			[
				`new      ${join(target, 'one-2.json')}: one (${uuidOf('one')})`,
				`changed  ${join(target, 'renamed.json')}: two (${uuidOf('two')})\n`,
			].join('\n'),
		);
		expect(await readFile(join(target, 'renamed.json'), 'utf8')).toBe(pretty);
		expect(await readFile(join(target, 'one.json'), 'utf8')).toBe(textOf('other'));
		// What was exported is what is there.
		await rm(join(target, 'one.json'));
		expect((await on.command(['tasks', 'import', target])).out).toContain(
			'0 new, 0 changed, 2 equal.',
		);
		expect((await on.command(['tasks', 'export', target])).out).not.toMatch(/new|changed/);
	});
});
