import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join, parse } from 'node:path';
import type { TaskText } from '../store/taskStore.ts';
import { freeFileName } from './freeFileName.ts';
import { TaskFiles } from './taskFiles.ts';
import { plainText } from './taskTexts.ts';
import { readUtf8, saveTextFile } from './textFile.ts';

/** What becomes of a task in a folder. */
export interface Exported extends TaskText {
	/** Of its file there. */
	path: string;
	/** Whether there is a file with this task already, and whether its text is another one. */
	is: 'new' | 'equal' | 'different';
}

/**
 * Where tasks belong in a folder: into the file that has their taskID, else into one of their name, or of a free
 * one where another task has that. So no export replaces what is another task. Nothing is written.
 */
export async function compareWithFolder(texts: TaskText[], folder: string): Promise<Exported[]> {
	const files = existsSync(folder) ? await TaskFiles.open(folder) : undefined;
	const names = new Set<string>();
	const isTaken = (name: string) => names.has(name) || files?.has(name) === true;
	const compared: Exported[] = [];
	for (const text of texts) {
		const file = files?.findLoaded(text.taskID)?.file ?? files?.findBad(text.taskID)?.file;
		const wanted = basename(text.name);
		const free = isTaken(wanted) ? freeFileName(parse(wanted).name, isTaken) : wanted;
		const name = file === undefined ? free : basename(file);
		names.add(name);
		const path = join(folder, name);
		const is =
			file === undefined ? 'new' : (await textOf(path)) === text.text ? 'equal' : 'different';
		compared.push({ ...text, path, is });
	}
	return compared;
}

/** Writes what is not equal, each file whole; the folder is made if it is not there. Throws an Error for people. */
export async function writeExported(exported: Exported[], folder: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	for (const { path, text, is } of exported) {
		if (is !== 'equal') await saveTextFile(path, text, { hasMark: false, lineBreak: '\n' });
	}
}

async function textOf(path: string): Promise<string | undefined> {
	try {
		return plainText(await readUtf8(path));
	} catch {
		// What cannot be read, such as a link, is none that may be replaced unseen.
		return undefined;
	}
}
