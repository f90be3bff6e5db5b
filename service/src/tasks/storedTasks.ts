import { parse } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { reasonOf } from '../errors/thrown.ts';
import { TaskIDTaken, textHash, type StoredText, type TaskStore } from '../store/taskStore.ts';
import { keptFor, type DeletedFile } from './deletedFiles.ts';
import { taskFileOf } from './readTaskFile.ts';
import { readTaskText } from './readTaskText.ts';
import { FileChanged, Tasks, type NewText } from './tasks.ts';
import type { TextFile } from './textFile.ts';

/** Milliseconds after which what could not be read is read again. */
const pause = 500;

/** The tasks of a database. What another process changes is known here as soon as the database tells of it. */
export class StoredTasks extends Tasks {
	readonly folder = undefined;
	readonly #store: TaskStore;
	readonly #end = new AbortController();
	/** The look at what is there that goes on, and whether another one is to follow. */
	#looking: Promise<void> | undefined;
	#isTold = false;
	/** The end of the reading before: what is read first is not to count last. */
	#reading: Promise<void> = Promise.resolve();

	/** Reads all of them. */
	static async open(store: TaskStore): Promise<StoredTasks> {
		const tasks = new StoredTasks(store);
		await tasks.#read();
		return tasks;
	}

	private constructor(store: TaskStore) {
		super();
		this.#store = store;
	}

	upToDate(log: FastifyBaseLogger): Promise<void> {
		return this.#read(log);
	}

	async open(name: string): Promise<TextFile | undefined> {
		const [found] = await this.#store.read([name]);
		return found && { text: found.text, hash: found.hash, encoding: 'UTF-8', ...plain };
	}

	async save({ name, text, before }: NewText, log: FastifyBaseLogger): Promise<string> {
		const taskID = taskIDIn(text);
		if (!(await this.#store.put({ name, taskID, text }, before).catch(taken))) {
			await this.#read(log);
			throw new FileChanged();
		}
		log.info({ file: name }, 'task file saved in the console');
		await this.#read(log);
		return textHash(text);
	}

	async delete(name: string, log: FastifyBaseLogger): Promise<string> {
		const id = await this.#store.delete(name);
		if (id !== undefined) log.info({ file: name }, 'task file deleted in the console');
		await this.#read(log);
		if (id === undefined) throw new FileChanged();
		return id;
	}

	async deleted(): Promise<DeletedFile[]> {
		const texts = await this.#store.deletedIn(keptFor);
		return texts.map(({ id, name, text, time }) => {
			const read = readTaskText(text);
			return { id, name, time, task: 'task' in read ? read.task : undefined };
		});
	}

	async bringBack(deleted: DeletedFile, log: FastifyBaseLogger): Promise<void> {
		const texts = await this.#store.deletedIn(keptFor);
		const found = texts.find(({ id }) => id === deleted.id);
		if (!found) throw new FileChanged();
		const name = this.has(found.name) ? this.freeName(parse(found.name).name) : found.name;
		const { id, text } = found;
		const task = { name, taskID: taskIDIn(text), text };
		const isBack = await this.#store.bringBack(id, task).catch(taken);
		if (isBack) log.info({ file: name }, 'task file brought back in the console');
		await this.#read(log);
		if (!isBack) throw new FileChanged();
	}

	watch(log: FastifyBaseLogger): void {
		this.#store.onChange(() => this.#look(log));
		// Of what has changed since they were read, nobody has told.
		this.#look(log);
	}

	async close(): Promise<void> {
		this.#end.abort();
		await this.#looking;
	}

	/** One look at a time, after which comes another one where something was told meanwhile. */
	#look(log: FastifyBaseLogger): void {
		this.#isTold = true;
		this.#looking ??= this.#readUntilKnown(log).finally(() => (this.#looking = undefined));
	}

	async #readUntilKnown(log: FastifyBaseLogger): Promise<void> {
		const { signal } = this.#end;
		let said: string | undefined;
		while (this.#isTold && !signal.aborted) {
			this.#isTold = false;
			try {
				await this.#read(log);
			} catch (error) {
				const reason = reasonOf(error);
				if (reason !== said) log.error({ reason }, 'tasks of the database cannot be read');
				said = reason;
				this.#isTold = true;
				await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
			}
		}
	}

	#read(log?: FastifyBaseLogger): Promise<void> {
		const read = this.#reading.then(() => this.#readChanged(log));
		this.#reading = read.catch(() => undefined);
		return read;
	}

	/** Reads what has another hash than before; what is gone is forgotten. */
	async #readChanged(log?: FastifyBaseLogger): Promise<void> {
		const hashes = await this.#store.hashes();
		const changed = [...hashes].filter(([name, hash]) => this.known(name)?.hash !== hash);
		const gone = this.names.filter((name) => !hashes.has(name));
		if (changed.length === 0 && gone.length === 0) return;
		const names = changed.map(([name]) => name);
		for (const stored of await this.#store.read(names)) this.#note(stored);
		for (const name of gone) this.note(name, undefined);
		this.count(log);
	}

	#note({ name, text, hash }: StoredText): void {
		this.note(name, { ...taskFileOf(text, name, this.known(name)), hash, stamp: '' });
	}
}

const plain = { hasMark: false, lineBreak: '\n' } as const;

/** Of a text that holds a task; throws an Error for people where it holds none. */
function taskIDIn(text: string): string {
	const read = readTaskText(text);
	if ('task' in read) return read.task.taskID;
	throw new Error(`It holds no task: ${read.mistake.message}.`);
}

function taken(error: unknown): never {
	if (!(error instanceof TaskIDTaken)) throw error;
	throw new Error('Another task has its task ID.', { cause: error });
}
