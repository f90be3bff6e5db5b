import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing, reasonOf } from '../errors/thrown.ts';
import { makeFolder } from '../files/makeFolder.ts';

const program = join(import.meta.dirname, '..', '..');
/** The folder of the demo tasks. */
export const demoTasks = join(program, 'tasks');
const schema = 'task.schema.json';

/**
 * Has the folder that a service makes for task files be there: the first time with the demo tasks, and
 * beside it the schema that they name for editors, of this version. Throws an Error for people.
 */
export async function provideTasks(folder: string): Promise<void> {
	try {
		if (!existsSync(folder)) await putDemoTasks(folder);
		await putSchema(join(dirname(folder), schema));
	} catch (error) {
		throw new Error(
			`The folder ${folder} cannot be made for tasks: ${reasonOf(error)}. Set SERVICE_TASKS to a folder of task files, or SERVICE_DATA to a place that can be written.`,
		);
	}
}

/** All of them, or none: who is ended on the way begins anew the next time. */
async function putDemoTasks(folder: string): Promise<void> {
	makeFolder(dirname(folder));
	const begun = `${folder}.${randomUUID()}`;
	try {
		await mkdir(begun);
		const names = (await readdir(demoTasks)).filter((name) => name.endsWith('.json'));
		for (const name of names) await copyFile(join(demoTasks, name), join(begun, name));
		await rename(begun, folder);
	} finally {
		await rm(begun, { recursive: true, force: true });
	}
}

async function putSchema(file: string): Promise<void> {
	const text = await readFile(join(program, schema), 'utf8');
	if ((await textOf(file)) !== text) await writeFile(file, text);
}

async function textOf(file: string): Promise<string | undefined> {
	try {
		return await readFile(file, 'utf8');
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}
