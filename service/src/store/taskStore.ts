import { hash } from 'node:crypto';
import { textIn, type Columns } from './columns.ts';

/** A task as the text of a file. */
export interface TaskText {
	/** Of the file; no other one has it. */
	name: string;
	/** The identifier in the text, which no other one has. */
	taskID: string;
	text: string;
}

/** A text as it is stored. */
export interface StoredText extends TaskText {
	hash: string;
}

/** A text that was deleted. */
export interface DeletedText {
	id: string;
	name: string;
	text: string;
	/** Milliseconds since 1970. */
	time: number;
}

/** Another task has the identifier. */
export class TaskIDTaken extends Error {}

/** What becomes of tasks that are imported, by name: those that are not there, those with another text, the rest. */
export interface Import {
	added: TaskText[];
	changed: TaskText[];
	equal: TaskText[];
}

/** The tasks of a database, which all of its processes know. */
export interface TaskStore {
	/** The hash of each, by name. */
	hashes(): Promise<Map<string, string>>;
	/** Those of these names that are there; without names, all. */
	read(names?: string[]): Promise<StoredText[]>;
	/**
	 * Puts a text in the place of the one with the hash `before`; undefined: there is none of its name. Resolves to
	 * false where something else is there. Rejects with `TaskIDTaken`.
	 */
	put(task: TaskText, before: string | undefined): Promise<boolean>;
	/** Puts in what `compare` says, of the texts that are there: all of it, or nothing. */
	putAll(compare: (stored: StoredText[]) => Import): Promise<Import>;
	/** Whether there have ever been tasks. */
	hasBegun(): Promise<boolean>;
	/** Puts in the first tasks, where there have never been any. */
	begin(tasks: TaskText[]): Promise<void>;
	/** Deletes a task, which can be brought back; resolves to its identifier among the deleted ones, undefined if it is gone. */
	delete(name: string): Promise<string | undefined>;
	/** Those that were deleted in the last so many milliseconds, the newest first; the others are forgotten. */
	deletedIn(milliseconds: number): Promise<DeletedText[]>;
	/** Puts a deleted text back. Resolves to false where it is gone, or its name taken; rejects with `TaskIDTaken`. */
	bringBack(id: string, task: TaskText): Promise<boolean>;
	/** Has `heard` called whenever there may be other tasks than before. */
	onChange(heard: () => void): void;
}

/** The same for the same text. */
export function textHash(text: string): string {
	return hash('sha256', text);
}

/** Reads a row of the table `tasks`. */
export function storedTextFrom(columns: Columns): StoredText {
	return {
		name: textIn(columns, 'name'),
		taskID: textIn(columns, 'task_id'),
		text: textIn(columns, 'text'),
		hash: textIn(columns, 'hash'),
	};
}
