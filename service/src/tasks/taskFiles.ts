import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { isMissing, reasonOf } from '../errors/thrown.ts';
import { FolderWatch } from './folderWatch.ts';
import { freeFileName } from './freeFileName.ts';
import { readTaskFile, type TaskFile } from './readTaskFile.ts';
import type { Task } from './task.ts';
import { saveTextFile, type TextFile } from './textFile.ts';
import { identifierKey } from '../text/identifierKey.ts';

/** A file that holds no task. */
export interface BadFile {
	file: string;
	/** What is wrong, with its path in the file. */
	message: string;
	/** The one that stands in the file, or stood there before it was bad. */
	taskID?: string;
}

/** A task and its file. */
export interface LoadedTask {
	task: Task;
	file: string;
}

/** How a file counts: it is bad, too, if another one has its taskID. */
interface Outcome {
	read: TaskFile;
	bad?: BadFile;
}

/** Milliseconds after which what was read so far counts, while many files are read. */
const patience = 200;

/**
 * The tasks of a folder: those of its `*.json`, in capitals or not, but for hidden ones, which are an editor's own. Their
 * identifiers are UUIDs, which are compared without regard to case. Of two files with one taskID the
 * one that was there first has it.
 */
export class TaskFiles {
	readonly #folder: string;
	/** By name; those that were there first come first. */
	readonly #files = new Map<string, TaskFile>();
	/** The same files as they count: by path. */
	#outcomes = new Map<string, Outcome>();
	#tasks = new Map<string, LoadedTask>();
	#bad = new Map<string, BadFile>();
	#watch: FolderWatch | undefined;
	/** The end of the save before. */
	#saving: Promise<unknown> = Promise.resolve();
	/** Why the folder cannot be read, if so. */
	#unreadable: string | undefined;

	/**
	 * Reads every task file of a folder. A bad file does not keep the others from loading. Throws when
	 * the folder itself cannot be read.
	 */
	static async open(folder: string): Promise<TaskFiles> {
		const files = new TaskFiles(folder);
		let names: string[];
		try {
			names = await namesIn(folder);
		} catch (error) {
			const reason = reasonOf(error);
			throw new Error(
				`SERVICE_TASKS is "${folder}", which cannot be read: ${reason}. Set it to a folder of task files that can be read.`,
			);
		}
		await files.#read(names);
		return files;
	}

	/** Without files: see `open`. */
	constructor(folder: string) {
		this.#folder = folder;
	}

	get size(): number {
		return this.#tasks.size;
	}

	get tasks(): LoadedTask[] {
		return [...this.#tasks.values()];
	}

	get badFiles(): BadFile[] {
		return [...this.#outcomes.values()].flatMap(({ bad }) => bad ?? []);
	}

	find(taskID: string): Task | undefined {
		return this.#tasks.get(identifierKey(taskID))?.task;
	}

	/** A task with its file. */
	findLoaded(taskID: string): LoadedTask | undefined {
		return this.#tasks.get(identifierKey(taskID));
	}

	/** The path of a file of the folder, good or bad; undefined if there is none of this name. */
	fileNamed(name: string): string | undefined {
		return this.#files.get(name)?.file;
	}

	/** Saves one after the other: each must see what the one before has written. */
	inTurn<Result>(save: () => Promise<Result>): Promise<Result> {
		const saved = this.#saving.then(save);
		this.#saving = saved.catch(() => undefined);
		return saved;
	}

	/** The path of a new file of the folder, whose name says what its task is called. */
	freePath(taskName: string): string {
		const isTaken = (name: string) => this.fileNamed(name) !== undefined;
		return join(this.#folder, freeFileName(taskName, isTaken));
	}

	/**
	 * Writes a file of the folder in the place of `before`; it counts at once, and `log` is told. Resolves
	 * to the hash of what stands in it; throws an Error for people.
	 */
	async write(
		path: string,
		text: string,
		before: TextFile | undefined,
		log: FastifyBaseLogger,
	): Promise<string> {
		const hash = await saveTextFile(path, text, before ?? { hasMark: false, lineBreak: '\n' });
		log.info({ file: path }, 'task file saved in the console');
		await this.lookAt(basename(path), log);
		return hash;
	}

	/** Has what has become of the file of this name count at once; `log` is told. */
	async lookAt(name: string, log: FastifyBaseLogger): Promise<void> {
		await this.#read([name], log);
		// The watch may have read it before, among others that it still reads.
		this.#count(log);
	}

	/** The bad file that was to hold a task, if no other one holds it. */
	findBad(taskID: string): BadFile | undefined {
		return this.#bad.get(identifierKey(taskID));
	}

	/** From now on, files that are added, changed or removed count within a second; `log` is told. */
	watch(log: FastifyBaseLogger): void {
		this.#watch = new FolderWatch(this.#folder, (names) =>
			names ? this.#read(names.filter(isTaskFile), log) : this.#lookAgain(log),
		);
	}

	/** Ends the watching. */
	async close(): Promise<void> {
		await this.#watch?.close();
	}

	async #lookAgain(log: FastifyBaseLogger): Promise<void> {
		let names: string[];
		try {
			names = await namesIn(this.#folder);
			if (this.#unreadable !== undefined) {
				log.info({ folder: this.#folder }, 'folder of task files can be read again');
			}
			this.#unreadable = undefined;
		} catch (error) {
			const reason = reasonOf(error);
			if (this.#unreadable !== reason) {
				log.error({ folder: this.#folder, reason }, 'folder of task files cannot be read');
			}
			this.#unreadable = reason;
			// What says nothing about the files, such as too many open ones, changes nothing.
			if (!isMissing(error)) return;
			names = [];
		}
		const there = new Set(names);
		const gone = [...this.#files.keys()].filter((name) => !there.has(name));
		await this.#read([...gone, ...names], log);
	}

	/** Reads the files of these names where they have changed; those that are gone are forgotten. */
	async #read(names: string[], log?: FastifyBaseLogger): Promise<void> {
		let isChanged = false;
		let counted = performance.now();
		for (const name of names) {
			let before: TaskFile | undefined;
			let now: TaskFile | undefined;
			do {
				before = this.#files.get(name);
				now = await readTaskFile(join(this.#folder, name), before);
				// Somebody else has read it meanwhile, perhaps later than this.
			} while (this.#files.get(name) !== before);
			if (now) this.#files.set(name, now);
			else this.#files.delete(name);
			isChanged ||= now?.hash !== before?.hash || now?.mistake !== before?.mistake;
			if (isChanged && performance.now() - counted > patience) {
				this.#count(log);
				isChanged = false;
				counted = performance.now();
			}
		}
		if (isChanged) this.#count(log);
	}

	/**
	 * Has the files count as they were read, and says what has become of each. All of them: one that goes, or
	 * is bad now, may leave its taskID to another.
	 */
	#count(log?: FastifyBaseLogger): void {
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

async function namesIn(folder: string): Promise<string[]> {
	return (await readdir(folder)).filter(isTaskFile).sort();
}

function isTaskFile(name: string): boolean {
	return /\.json$/i.test(name) && !name.startsWith('.');
}
