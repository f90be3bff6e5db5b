import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTask } from './checkTask.ts';
import type { Task } from './task.ts';
import { identifierKey } from './values.ts';

/** A file that holds no task. */
export interface BadFile {
	file: string;
	/** What is wrong, with its path in the file. */
	message: string;
}

/** The tasks of a folder. Their identifiers are UUIDs, which are compared without regard to case. */
export class TaskFiles {
	readonly #tasks = new Map<string, { task: Task; file: string }>();
	/** By the taskID that stands in the file, if one does. */
	readonly #bad = new Map<string, BadFile>();
	readonly badFiles: BadFile[] = [];

	/**
	 * Reads every `*.json` of a folder. A bad file does not keep the others from loading. Throws when
	 * the folder itself cannot be read.
	 */
	constructor(folder: string) {
		for (const name of namesIn(folder)) this.#load(join(folder, name));
	}

	get size(): number {
		return this.#tasks.size;
	}

	find(taskID: string): Task | undefined {
		return this.#tasks.get(identifierKey(taskID))?.task;
	}

	/** The bad file that was to hold a task, if no other one holds it. */
	findBad(taskID: string): BadFile | undefined {
		return this.#bad.get(identifierKey(taskID));
	}

	#load(file: string): void {
		let text = '';
		try {
			// Editors of some systems put a byte order mark before the text.
			text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
			const task = checkTask(JSON.parse(text));
			const other = this.#tasks.get(identifierKey(task.taskID));
			if (other) {
				throw new Error(`/taskID "${task.taskID}" is the id of the task in ${other.file} already`);
			}
			this.#tasks.set(identifierKey(task.taskID), { task, file });
		} catch (error) {
			const bad = { file, message: error instanceof Error ? error.message : String(error) };
			this.badFiles.push(bad);
			const [, taskID] = /"taskID"\s*:\s*"([^"]*)"/.exec(text) ?? [];
			if (taskID !== undefined) this.#bad.set(identifierKey(taskID), bad);
		}
	}
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder)
			.filter((name) => name.endsWith('.json'))
			.sort();
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(
			`SERVICE_TASKS is "${folder}", which cannot be read: ${reason}. Set it to a folder of task files that can be read.`,
		);
	}
}
