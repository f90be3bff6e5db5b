import { reasonOf } from '../errors/thrown.ts';
import { checkTask } from './checkTask.ts';
import { placeOf, syntaxMistakeIn, type Place } from './placeInText.ts';
import type { Task } from './task.ts';
import { hasTooManyValues, mostValues, structureOf } from '../text/jsonStructure.ts';
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

/** Lists and objects within one another in a task file, three for each loop. */
const maxDepth = 100;

const tooManyValues = `The file has more than ${mostValues}: make several tasks of it, with 1,000 columns and 1,000 steps each at most`;
const tooDeep =
	'There are too many lists, objects or loops within one another in this file: make it flatter';

/** Why a text is not read as a task, whatever it says; undefined: it is. */
function whyTooLarge(text: string): string | undefined {
	if (Buffer.byteLength(text) > maxTaskFile) return taskFileTooLarge;
	const structure = structureOf(text);
	if (structure.depth > maxDepth) return tooDeep;
	return hasTooManyValues(structure) ? tooManyValues : undefined;
}

/** Reads the text of a task file. */
export function readTaskText(text: string): { task: Task } | { mistake: TextMistake } {
	const tooLarge = whyTooLarge(text);
	if (tooLarge !== undefined) return { mistake: { message: tooLarge, isSyntax: false } };
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
		const place = error instanceof TaskMistake ? placeOf(error.path, text) : undefined;
		return { mistake: { message: reasonOf(error), place, isSyntax: false } };
	}
}

/** As in "Line 12: /steps/0/config/url is missing". */
export function withLine({ message, place }: TextMistake): string {
	return place ? `Line ${place.line}: ${message}` : message;
}
