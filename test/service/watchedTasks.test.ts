import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, stat, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import { length } from '../support/length';
import { startService, type LogLine, type RunningService } from '../support/service/startService';
import { startSite, type Site } from '../support/service/startSite';
import { stopwatch } from '../support/service/stopwatch';
import { extract, step, task, uuidOf, writeTasks } from '../support/service/taskFiles';

let site: Site;
let service: RunningService;
let client: CloudClient;
let folder: string;

beforeAll(async () => {
	site = await startSite(async ({ url }) => {
		if (url.pathname === '/slow') await sleep(1_000);
		return '<h1>One</h1><h2>Two</h2>';
	});
	service = await startService({ tasks: { first: reading('first', 'h1') } });
	client = cloudClient(service);
	folder = join(service.folder, 'tasks');
});

afterAll(async () => {
	// It fails if the process does not end cleanly on SIGTERM.
	await service?.stop();
	await site?.stop();
});

/** A task with one row, in which this element is read. */
function reading(name: string, selector: string, path = '/') {
	const url = `${site.baseUrl}${path}`;
	return task(name, [step('navigate', { url }), extract({ Text: selector })]);
}

const path = (name: string) => join(folder, `${name}.json`);

const save = (name: string, content: object | string) => writeTasks(folder, { [name]: content });

/** So many files at once. */
const many = length({ full: 3_000, short: 1_000 });

/** Milliseconds in which a change counts. */
const soon = 1_000;

/** Does something to files, and waits for what the log says of it: within `soon` unless told otherwise. */
async function logged(
	expected: LogLine,
	change: () => Promise<unknown>,
	limit = soon,
): Promise<LogLine> {
	const from = service.log.length;
	await change();
	const took = stopwatch(service.process.pid);
	for (;;) {
		const line = service.log
			.slice(from)
			.find((entry) => Object.entries(expected).every(([key, value]) => entry[key] === value));
		if (took() > limit) throw new Error(`Not logged: ${JSON.stringify(expected)}`);
		if (line) return line;
		await sleep(10);
	}
}

const loaded = (name: string) => ({ msg: 'task file loaded', file: path(name) });
const changed = (name: string) => ({ msg: 'task file changed', file: path(name) });
const removed = (name: string) => ({ msg: 'task file removed', file: path(name) });
const bad = (name: string) => ({ msg: 'bad task file', file: path(name) });

async function rowOf(name: string) {
	const { rows } = await client.run(uuidOf(name));
	return rows[0];
}

/** Waits until a task that is there, if not all the time, reads this. */
async function becomes(name: string, text: string): Promise<void> {
	for (;;) {
		const row = await rowOf(name).catch(() => undefined);
		if (row?.Text === text) return;
		await sleep(20);
	}
}

function startOf(name: string) {
	return client.call('/cloud/start', {
		body: { taskID: uuidOf(name), nodeCount: 1, jobCount: 1 },
	});
}

test('a file that is added, changed and removed', async () => {
	const line = await logged(loaded('added'), () => save('added', reading('added', 'h1')));
	expect(line.taskID).toBe(uuidOf('added'));
	expect(await rowOf('added')).toEqual({ Text: 'One' });

	await logged(changed('added'), () => save('added', reading('added', 'h2')));
	expect(await rowOf('added')).toEqual({ Text: 'Two' });

	await logged(removed('added'), () => unlink(path('added')));
	expect(await startOf('added')).toMatchObject({ code: 9000004 });
	expect((await client.batches(uuidOf('added'))).pagination.total).toBe(2);
});

test('a file that an editor saves by renaming another one', async () => {
	await logged(loaded('renamed'), () => save('renamed', reading('renamed', 'h1')));
	await logged(changed('renamed'), async () => {
		await writeFile(join(folder, 'renamed.json~'), JSON.stringify(reading('renamed', 'h2')));
		await rename(join(folder, 'renamed.json~'), path('renamed'));
	});
	expect(await rowOf('renamed')).toEqual({ Text: 'Two' });

	// The old one is put aside first: for a moment there may be no file.
	await rename(path('renamed'), join(folder, '.renamed.json.swp.json'));
	await save('renamed', reading('renamed', 'h1'));
	await becomes('renamed', 'One');
	expect(service.log.filter(({ file }) => String(file).includes('.swp'))).toEqual([]);
});

test('a file that is written in two parts', async () => {
	await logged(loaded('parts'), () => save('parts', reading('parts', 'h1')));
	const text = JSON.stringify(reading('parts', 'h2'));
	await logged(bad('parts'), () => save('parts', text.slice(0, 10)));
	expect(await startOf('parts')).toMatchObject({ httpStatus: 409, code: 9000002 });
	await logged(loaded('parts'), () => writeFile(path('parts'), text.slice(10), { flag: 'a' }));
	expect(await rowOf('parts')).toEqual({ Text: 'Two' });
});

test('a change that leaves size and time as they were', async () => {
	await logged(loaded('same size'), () => save('same size', reading('same size', 'h1')));
	const { atime, mtime } = await stat(path('same size'));
	await logged(changed('same size'), async () => {
		await save('same size', reading('same size', 'h2'));
		await utimes(path('same size'), atime, mtime);
	});
	expect(await rowOf('same size')).toEqual({ Text: 'Two' });
});

test('changes one at once after the other', async () => {
	for (let round = 0; round < 50; round += 1) {
		await save('often', reading('often', round % 2 === 0 ? 'h2' : 'h3'));
		await sleep(Math.random() * 20);
	}
	// Nothing but the last one leads to this.
	await save('often', reading('often', 'h1'));
	await becomes('often', 'One');
});

test.each([
	['to a task', () => JSON.stringify(reading('linked', 'h1'))],
	['to another text', () => 'secret'],
	['nowhere', () => undefined],
])('a link %s is refused, and shows nothing of what it leads to', async (_where, contentOf) => {
	const target = join(service.folder, 'elsewhere.json');
	const content = contentOf();
	if (content !== undefined) await writeFile(target, content);
	const refused = { msg: 'bad task file', file: path('linked') };
	const line = await logged(refused, () => symlink(target, path('linked')));
	expect(line.reason).toBe('It is a link: put the file itself here');
	expect(await startOf('linked')).toMatchObject({ code: 9000004 });
	await logged({ msg: 'task file removed', file: path('linked') }, () => unlink(path('linked')));
	await rm(target, { force: true });
});

test('a file whose name is not in UTF-8 is refused, as one that an old archive has left', async () => {
	// "Möbel.json" in Latin-1.
	const file = Buffer.concat([
		Buffer.from(`${folder}/M`),
		Buffer.from([0xf6]),
		Buffer.from('bel.json'),
	]);
	const text = JSON.stringify(reading('unnamed', 'h1'));
	const named = { file: join(folder, 'M\ufffdbel.json') };
	const line = await logged({ msg: 'bad task file', ...named }, () => writeFile(file, text));
	expect(line.reason).toBe('Its name is not in UTF-8: give it another');
	await logged({ msg: 'task file removed', ...named }, () => unlink(file));
});

test('a start of a task whose file is bad says why; its batches are listed and stopped', async () => {
	await logged(loaded('broken'), () => save('broken', reading('broken', 'h1', '/slow')));
	const running = await client.start(uuidOf('broken'));
	await logged(bad('broken'), () => save('broken', ''));
	const answer = await startOf('broken');
	expect(answer).toMatchObject({ httpStatus: 409, code: 9000002 });
	expect(answer.msg).toContain('broken.json is bad: Line 1: ');
	await client.waitFor(running, ({ status }) => status === 2);
	expect(await client.stop(uuidOf('broken').toUpperCase())).toMatchObject({
		batchID: running.batchID,
		status: 4,
	});
});

test('a running batch keeps the task that it was started with', async () => {
	await logged(loaded('kept'), () => save('kept', reading('kept', 'h1', '/slow')));
	const batch = await client.start(uuidOf('kept'));
	await logged(changed('kept'), () => save('kept', reading('kept', 'h2', '/slow')));
	const ended = await client.waitFor(batch, ({ status }) => status >= 3);
	expect(await client.rowsOf(ended)).toEqual([{ Text: 'One' }]);
});

test('a copy is bad until the file that was there first is gone', async () => {
	await logged(loaded('original'), () => save('original', reading('original', 'h1')));
	const line = await logged(bad('a copy'), () => save('a copy', reading('original', 'h2')));
	expect(line.reason).toContain(`is the id of the task in ${path('original')} already`);
	expect(await rowOf('original')).toEqual({ Text: 'One' });
	await logged(loaded('a copy'), () => unlink(path('original')));
	expect(await rowOf('original')).toEqual({ Text: 'Two' });
});

test('what is not a file is bad', async () => {
	await logged(bad('folder'), () => mkdir(path('folder')));
	const line = await logged(bad('pipe'), () =>
		Promise.resolve(execFileSync('mkfifo', [path('pipe')])),
	);
	expect(line.reason).toBe('It is not a file');
	await logged(removed('pipe'), () => unlink(path('pipe')));
});

test('very many files at once, while the service answers', async () => {
	const names = Array.from({ length: many }, (_, index) => `many ${index}`);
	const last = names.at(-1) ?? '';
	const files = Object.fromEntries(names.map((name) => [name, reading(name, 'h1')]));
	let slowest = 0;
	let isWritten = false;
	const writing = writeTasks(folder, files).then(() => (isWritten = true));
	for (let count = 0; !isWritten || count < 1;) {
		const took = stopwatch(service.process.pid);
		const { code } = await client.call('/cloud/batches', {
			query: { taskID: uuidOf(last), page: 1, size: 1, orderBy: 0 },
		});
		slowest = Math.max(slowest, took());
		if (code === 0) count += 1;
	}
	await writing;
	expect(slowest).toBeLessThan(500);
	// The whole folder is looked at less often where that takes long.
	await logged(changed('many 7'), () => save('many 7', reading('many 7', 'h2')), 5_000);
});

test('a folder that is deleted and made again', async () => {
	const from = service.log.length;
	await logged({ msg: 'folder of task files cannot be read' }, () =>
		rm(folder, { recursive: true }),
	);
	// Some files may be forgotten before, some after it.
	const isForgotten = ({ msg, file }: LogLine) =>
		msg === 'task file removed' && file === path('first');
	while (!service.log.slice(from).some(isForgotten)) await sleep(10);
	expect(await startOf('first')).toMatchObject({ code: 9000004 });
	await logged(loaded('first'), () => save('first', reading('first', 'h2')));
	expect(service.log).toContainEqual(
		expect.objectContaining({ msg: 'folder of task files can be read again' }),
	);
	await logged(changed('first'), () => save('first', reading('first', 'h1')));
	expect(await rowOf('first')).toEqual({ Text: 'One' });
});
