import { basename } from 'node:path';
import { reasonOf } from '../errors/thrown.ts';
import type { TaskText } from '../store/taskStore.ts';
import { readTaskText } from './readTaskText.ts';
import { TaskFiles } from './taskFiles.ts';
import { readUtf8 } from './textFile.ts';

/** Files that hold no tasks: of their folder, none is taken. */
export class BadFiles extends Error {
	constructor(folder: string, mistakes: string[]) {
		super(
			[
				`The tasks of ${folder} cannot be put into the database, and none was:`,
				...mistakes.map((mistake) => `  ${mistake}`),
				'Correct these files, or take them out of the folder.',
			].join('\n'),
		);
	}
}

/**
 * The tasks of a folder, by name, as texts with single line breaks, each checked as it is when a service
 * loads it. Throws `BadFiles` where one is bad.
 */
export async function readTaskTexts(folder: string): Promise<TaskText[]> {
	const { tasks, badFiles } = await TaskFiles.open(folder);
	if (badFiles.length > 0) {
		throw new BadFiles(
			folder,
			badFiles.map(({ file, message }) => `${basename(file)}: ${message}`),
		);
	}
	const texts = await Promise.all(tasks.map(({ file }) => readText(folder, file)));
	return texts.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function readText(folder: string, file: string): Promise<TaskText> {
	const name = basename(file);
	try {
		const bytes = await readUtf8(file);
		const text = plainText(bytes);
		const read = readTaskText(text);
		if ('mistake' in read) throw new Error(read.mistake.message);
		return { name, taskID: read.task.taskID, text };
	} catch (error) {
		throw new BadFiles(folder, [`${name}: ${reasonOf(error)}`]);
	}
}

/** A text without byte order mark, and with single line breaks. */
export function plainText(text: string): string {
	return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}
