import type { FastifyBaseLogger } from 'fastify';
import { identifierKey } from '../text/identifierKey.ts';
import { freeFileName } from './freeFileName.ts';
import type { DeletedFile } from './deletedFiles.ts';
import type { TaskFile } from './readTaskFile.ts';
import type { Task } from './task.ts';
import type { TextFile } from './textFile.ts';

/** A file that holds no task. */
export interface BadFile {
	file: string;
	/** What is wrong, with its path in the file. */
	message: string;
	/** The one that stands in the file, or stood there before it was bad. */
	taskID?: string;
}

/** A task and its file: a path, or, in a database, a name alone. */
export interface LoadedTask {
	task: Task;
	file: string;
}

/** A text that is to stand in a file. */
export interface NewText {
	/** Of the file. */
	name: string;
	text: string;
	/** The hash of what it takes the place of; undefined: there is no such file. */
	before: string | undefined;
}

/** Something else stands in a file than was to be replaced: nobody's work is overwritten unseen. */
export class FileChanged extends Error {
	constructor() {
		super(
			'The file of this task has been changed, or is gone, since it was opened here. Open the task again.',
		);
	}
}

/** How a file counts: it is bad, too, if another one has its taskID. */
interface Outcome {
	read: TaskFile;
	bad?: BadFile;
}

/**
 * The tasks of a service, each in a file of its own, which stand in a folder, or in the database: what is
 * known of them, and how they are changed. Their identifiers are UUIDs, which are compared without regard
 * to case. Of two files with one taskID the one that was there first has it.
 */
export abstract class Tasks {
	/** Where the files are; undefined: in the database. */
	abstract readonly folder: string | undefined;
	/** By name; those that were there first come first. */
	readonly #files = new Map<string, TaskFile>();
	/** The same files as they count: by path. */
	#outcomes = new Map<string, Outcome>();
	#tasks = new Map<string, LoadedTask>();
	#bad = new Map<string, BadFile>();
	/** The end of the change before. */
	#changing: Promise<unknown> = Promise.resolve();

	get size(): number {
		return this.#tasks.size;
	}

	get tasks(): LoadedTask[] {
		return [...this.#tasks.values()];
	}

	get badFiles(): BadFile[] {
		return [...this.#outcomes.values()].flatMap(({ bad }) => bad ?? []);
	}

	/** Resolves when whatever was changed before counts here, wherever that was. */
	abstract upToDate(log: FastifyBaseLogger): Promise<void>;

	find(taskID: string): Task | undefined {
		return this.#tasks.get(identifierKey(taskID))?.task;
	}

	/** A task with its file. */
	findLoaded(taskID: string): LoadedTask | undefined {
		return this.#tasks.get(identifierKey(taskID));
	}

	/** The bad file that was to hold a task, if no other one holds it. */
	findBad(taskID: string): BadFile | undefined {
		return this.#bad.get(identifierKey(taskID));
	}

	/** Whether there is a file of this name, good or bad. */
	has(name: string): boolean {
		return this.#files.has(name);
	}

	/** The name of a new file, which says what its task is called. */
	freeName(taskName: string): string {
		return freeFileName(taskName, (name) => this.has(name));
	}

	/** Changes one after the other: each must see what the one before has written. */
	inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
		const changed = this.#changing.then(change);
		this.#changing = changed.catch(() => undefined);
		return changed;
	}

	/** Reads a file as a person edits it; undefined if there is none. Throws an Error for people. */
	abstract open(name: string): Promise<TextFile | undefined>;

	/**
	 * Puts a text into a file; it counts at once, and `log` is told. Resolves to the hash of what stands in it.
	 * Throws an Error for people; `FileChanged` where `before` is not what stands there.
	 */
	abstract save(file: NewText, log: FastifyBaseLogger): Promise<string>;

	/** Puts a file away, from where it can be brought back for a week; resolves to its name there. */
	abstract delete(name: string, log: FastifyBaseLogger): Promise<string>;

	/** The files that can be brought back, the newest first. */
	abstract deleted(): Promise<DeletedFile[]>;

	/** Puts a deleted file back. Throws an Error for people. */
	abstract bringBack(file: DeletedFile, log: FastifyBaseLogger): Promise<void>;

	/** From now on, what others add, change or remove counts within a second; `log` is told. */
	abstract watch(log: FastifyBaseLogger): void;

	/** Ends the watching. */
	abstract close(): Promise<void>;

	protected get names(): string[] {
		return [...this.#files.keys()];
	}

	/** A file as it was read last. */
	protected known(name: string): TaskFile | undefined {
		return this.#files.get(name);
	}

	/** Notes a file as it was read now; undefined: it is gone. */
	protected note(name: string, now: TaskFile | undefined): void {
		if (now) this.#files.set(name, now);
		else this.#files.delete(name);
	}

	/**
	 * Has the files count as they were read, and says what has become of each. All of them: one that goes, or
	 * is bad now, may leave its taskID to another.
	 */
	protected count(log?: FastifyBaseLogger): void {
		const tasks = new Map<string, LoadedTask>();
		const bad = new Map<string, BadFile>();
		const outcomes = new Map<string, Outcome>();
		for (const read of this.#files.values()) {
			const { file, task, taskID } = read;
			const other = task && tasks.get(identifierKey(task.taskID));
			if (task && !other) tasks.set(identifierKey(task.taskID), { task, file });
			const message = other
				? `/taskID "${other.task.taskID}" is the id of the task in ${other.file} already`
				: read.mistake;
			const badFile = message === undefined ? undefined : { file, message, taskID };
			if (badFile && taskID !== undefined) bad.set(identifierKey(taskID), badFile);
			outcomes.set(file, { read, bad: badFile });
		}
		if (log) this.#tell(log, outcomes);
		this.#tasks = tasks;
		this.#bad = bad;
		this.#outcomes = outcomes;
	}

	#tell(log: FastifyBaseLogger, outcomes: Map<string, Outcome>): void {
		for (const [file, { read, bad }] of outcomes) {
			const before = this.#outcomes.get(file);
			if (before?.read.hash === read.hash && before.bad?.message === bad?.message) continue;
			const what = { file, taskID: read.taskID };
			if (bad) log.error({ ...what, reason: bad.message }, 'bad task file');
			else log.info(what, before && !before.bad ? 'task file changed' : 'task file loaded');
		}
		for (const [file, { read }] of this.#outcomes) {
			if (!outcomes.has(file)) log.info({ file, taskID: read.taskID }, 'task file removed');
		}
	}
}
