import { reasonOf } from '../errors/thrown.ts';
import { checkTask } from './checkTask.ts';
import { placeOf, syntaxMistakeIn, type Place } from './placeInText.ts';
import type { Task } from './task.ts';
import { TaskMistake } from './taskMistake.ts';

/** Why a text holds no task. */
export interface TextMistake {
	/** Begins with the path of the mistake, and has no full stop. */
	message: string;
	/** Where it is in the text; absent where that cannot be told. */
	place?: Place;
	/** Whether the text is no JSON: such a mistake has no path. */
	isSyntax: boolean;
}

/** Bytes of a task file: some tenths of a second in which nobody else has a turn. */
export const maxTaskFile = 5 * 1024 * 1024;

export const taskFileTooLarge =
	'The file is larger than 5 MiB, the most that a task file may have: make several tasks of it, or give its long lists at each start';

const tooDeep =
	'There are too many lists, objects or loops within one another in this file: make it flatter';

/** Reads the text of a task file. */
export function readTaskText(text: string): { task: Task } | { mistake: TextMistake } {
	if (Buffer.byteLength(text) > maxTaskFile) {
		return { mistake: { message: taskFileTooLarge, isSyntax: false } };
	}
	let json: unknown;
	try {
		json = JSON.parse(text);
	} catch {
		// What JSON.parse says may quote the text, and a password in it.
		const mistake = syntaxMistakeIn(text) ?? { message: 'This is not JSON' };
		return { mistake: { ...mistake, isSyntax: true } };
	}
	try {
		return { task: checkTask(json) };
	} catch (error) {
		// Checking goes as deep as what is checked.
		const isDeep = error instanceof RangeError;
		const message = isDeep ? tooDeep : reasonOf(error);
		const place = error instanceof TaskMistake ? placeOf(error.path, text) : undefined;
		return { mistake: { message, place, isSyntax: false } };
	}
}

/** As in "Line 12: /steps/0/config/url is missing". */
export function withLine({ message, place }: TextMistake): string {
	return place ? `Line ${place.line}: ${message}` : message;
}
