import {
	chmod,
	chown,
	mkdir,
	mkdtemp,
	readFile,
	readdir,
	rm,
	stat,
	symlink,
	writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTextFile, saveTextFile } from '../../service/src/tasks/textFile.ts';
import { runScript } from '../support/service/startService';

let folder: string;
let file: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'text-file-'));
	file = join(folder, 'task.json');
});
afterEach(() => rm(folder, { recursive: true }));

/** Opens the file, has a text saved in its place, and resolves to what was opened. */
async function openAndSave(text: string) {
	const opened = await openTextFile(file);
	if (!opened) throw new Error('The file is gone.');
	await saveTextFile(file, text, opened);
	return opened;
}

test.each([
	['with a byte order mark', '\uFEFF{ "a": "é" }\n', '\uFEFF{ "b": "é" }\n'],
	['with line breaks of Windows', '{\r\n"a": 1\r\n}\r\n', '{ "b": "é" }\r\n'],
	['with both', '\uFEFF{\r\n}', '\uFEFF{ "b": "é" }\r\n'],
])('a file %s keeps them', async (_what, before, after) => {
	await writeFile(file, before);
	const { text } = await openAndSave('{ "b": "é" }\n');
	expect(text).toBe(before.replace('\uFEFF', '').replaceAll('\r\n', '\n'));
	expect(await readFile(file, 'utf8')).toBe(after);
});

test('a file with line breaks of both kinds has single ones afterwards', async () => {
	await writeFile(file, '{\r\n"a": 1\n}');
	expect(await openAndSave('{\n}\n')).toMatchObject({ text: '{\n"a": 1\n}' });
	expect(await readFile(file, 'utf8')).toBe('{\n}\n');
});

test.each([
	['what is no text', () => writeFile(file, '{ "a": "\0" }'), 'it is not text'],
	['what is too large', () => writeFile(file, ' '.repeat(2 ** 21 + 1)), 'it is larger than 2 MiB'],
	['a folder', () => mkdir(file), 'it is not a file'],
])('%s is not opened, and a message says so', async (_what, make, reason) => {
	await make();
	await expect(openTextFile(file)).rejects.toThrow(
		new Error(`It cannot be opened here: ${reason}.`),
	);
});

test.each([
	['Windows-1252', Buffer.from('{ "name": "Café" }', 'latin1')],
	['UTF-16', Buffer.from('\uFEFF{ "name": "Café" }', 'utf16le')],
])('a file in %s loses no letter, and is in UTF-8 afterwards', async (encoding, bytes) => {
	await writeFile(file, bytes);
	const opened = await openAndSave('{ "name": "Cafés" }');
	expect(opened).toMatchObject({ text: '{ "name": "Café" }', encoding });
	expect((await readFile(file, 'utf8')).replace('\uFEFF', '')).toBe('{ "name": "Cafés" }');
});

test('owner and rights of a file stay, and nothing is left beside it', async () => {
	await writeFile(file, '{}');
	// Only an administrator can give a file away.
	const own = process.getuid?.() ?? 0;
	const owner = own === 0 ? 65_534 : own;
	await chown(file, owner, (await stat(file)).gid);
	await chmod(file, 0o640);
	await openAndSave('[]');
	const { mode, uid } = await stat(file);
	expect({ uid, mode: mode & 0o777 }).toEqual({ uid: owner, mode: 0o640 });
	expect(await readdir(folder)).toEqual(['task.json']);
});

test('what cannot be replaced stays, and nothing is left beside it', async () => {
	await mkdir(join(file, 'inside'), { recursive: true });
	const saving = saveTextFile(file, '[]', { hasMark: false, lineBreak: '\n' });
	await expect(saving).rejects.toThrow(/^It could not be saved: /);
	expect(await readdir(folder)).toEqual(['task.json']);
	expect(await readdir(file)).toEqual(['inside']);
});

test('a link is not opened, wherever it leads', async () => {
	await writeFile(join(folder, 'elsewhere'), 'secret');
	await symlink(join(folder, 'elsewhere'), file);
	await expect(openTextFile(file)).rejects.toThrow(
		new Error('It cannot be opened here: it is a link.'),
	);
});

test('in a read-only folder nothing changes, and a message says what to do', async () => {
	await writeFile(file, '{}');
	await chmod(folder, 0o555);
	// An administrator may write everywhere: the script becomes someone else.
	const script = `
		import { saveTextFile } from './tasks/textFile.ts';
		if (process.getuid() === 0) process.setuid(65534);
		await saveTextFile(process.argv[1], '[]', { hasMark: false, lineBreak: '\\n' })
			.catch((error) => process.stdout.write(error.message));
	`;
	const message = await runScript(script, file);
	await chmod(folder, 0o755);
	expect(message).toContain(`The folder ${folder} is read-only for the service. Give it`);
	expect(await readFile(file, 'utf8')).toBe('{}');
	expect(await readdir(folder)).toEqual(['task.json']);
});
