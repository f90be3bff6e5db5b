import { testAtLength } from '../../support/length';
import { readdir } from 'node:fs/promises';
import { newDraft } from '../../../service/src/picker/draft.ts';
import { save } from '../../../service/src/picker/saving.ts';
import { checkTask } from '../../../service/src/tasks/checkTask.ts';
import { startService } from '../../support/inProcess/startService';
import { describeWithPostgres } from '../../support/postgres/withPostgres';
import { cloudClient } from '../../support/service/cloudClient';
import { consoleClient } from '../../support/service/console';
import { demoTasks } from '../../support/service/startService';
import { extract, step, uuidOf, writeTasks } from '../../support/service/taskFiles';
import { reading, taskDatabase, textOf } from './taskDatabase';

describeWithPostgres('tasks in the database', () => {
	const on = taskDatabase();

	testAtLength(
		'are the demo tasks at the first start, and what is left of them at the next',
		async () => {
			const first = await startService({ env: { SERVICE_DATABASE: on.database } });
			const names = (await readdir(demoTasks)).filter((name) => name.endsWith('.json'));
			expect(first.log.find(({ msg }) => msg === 'tasks loaded')).toMatchObject({
				tasks: names.length,
			});
			const visit = await consoleClient(first);
			for (const name of names) {
				await visit(`/console/files/delete/${name}`, { method: 'POST' });
			}
			await first.stop();
			const next = await on.start();
			expect(next.log.find(({ msg }) => msg === 'tasks loaded')).toMatchObject({ tasks: 0 });
			const page = await (await (await consoleClient(next))('/console/')).text();
			expect(page).toContain('tasks import FOLDER');
			expect(page.match(/Bring back: /g)).toHaveLength(names.length);
		},
	);

	testAtLength('are those of SERVICE_TASKS at the first start, where none may be bad', async () => {
		await writeTasks(on.folder, { good: reading('good'), bad: { ...reading('bad'), steps: 5 } });
		await expect(on.start({ tasksFolder: on.folder })).rejects.toThrow(
			/^The tasks of \S+ cannot be put into the database, and none was:\n {2}bad\.json: \/steps must be .+\nCorrect these/,
		);
		await writeTasks(on.folder, { bad: reading('bad') });
		const service = await on.start({ tasksFolder: on.folder });
		const { batch } = await cloudClient(service).run(uuidOf('bad'));
		expect(batch).toMatchObject({ status: 3, lineCount: 1 });
	});

	test('are edited in the console, which another process hears of', async () => {
		const service = await on.start({ tasks: { one: reading('one') } });
		const visit = await consoleClient(service);
		const { tasks, heard } = await on.another();
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
		const service = await on.start({ tasks: { one: reading('one') } });
		const visit = await consoleClient(service);
		const { tasks, log } = await on.another();
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

	testAtLength(
		'that are pointed together are saved once, over nobody, and known elsewhere',
		async () => {
			const { tasks, log } = await on.another();
			const { tasks: others, heard } = await on.another();
			const pointed = () => ({
				draft: newDraft('http://site.example/', 'http', 'Pointed'),
				fileHash: undefined as string | undefined,
				saved: '',
			});
			const session = pointed();
			const known = heard('task file loaded', 'pointed.json');
			await save(session, checkTask(reading('pointed', 'Pointed')), { tasks, log });
			await known;
			expect(others.find(uuidOf('pointed'))?.name).toBe('Pointed');
			const changed = heard('task file changed', 'pointed.json');
			await save(session, checkTask(reading('pointed', 'Again')), { tasks, log });
			await changed;
			const late = save(pointed(), checkTask(reading('pointed', 'Late')), { tasks: others, log });
			await expect(late).rejects.toThrow('has been changed, or is gone, since it was opened here');
			expect(others.find(uuidOf('pointed'))?.name).toBe('Again');
		},
	);

	test('start as they were saved elsewhere, also where nobody has told of that yet', async () => {
		const service = await on.start({ tasks: { one: reading('one') } });
		const client = cloudClient(service);
		const { store } = await on.another();
		on.run('ALTER TABLE cloud_scraping.tasks DISABLE TRIGGER tell_of_tasks');
		const [before] = (await store.tasks?.read(['one.json'])) ?? [];
		const edited = {
			...reading('one'),
			steps: [step('navigate', { url: '{site}/shop/' }), extract({ New: 'h1' })],
		};
		const text = JSON.stringify(edited);
		await store.tasks?.put({ name: 'one.json', taskID: edited.taskID, text }, before?.hash);
		const { rows } = await client.run(edited.taskID);
		expect(Object.keys(rows[0] ?? {})).toEqual(['New']);
		await store.tasks?.delete('one.json');
		await expect(client.start(edited.taskID)).rejects.toThrow('There is no task');
	});

	testAtLength('that change while the database is lost are known when it is back', async () => {
		await writeTasks(on.folder, { one: reading('one') });
		const { tasks, heard } = await on.another();
		const text = textOf('one', 'by hand').replaceAll("'", "''");
		const known = heard('task file changed', 'one.json');
		on.run(
			'ALTER TABLE cloud_scraping.tasks DISABLE TRIGGER ALL',
			`UPDATE cloud_scraping.tasks SET hash = 'other', text = '${text}'`,
		);
		on.cutConnections();
		await known;
		expect(tasks.find(uuidOf('one'))?.name).toBe('by hand');
	});

	testAtLength(
		'that this version cannot read are named, and can be corrected in the console',
		async () => {
			const service = await on.start({ tasks: { one: reading('one') } });
			const text = textOf('one').replace('navigate', 'fly');
			on.run(`UPDATE cloud_scraping.tasks SET hash = 'other', text = '${text}'`);
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
		},
	);
});
