import { readdir } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { isMissing, reasonOf } from '../errors/thrown.ts';
import { DeletedFiles, type DeletedFile } from './deletedFiles.ts';
import { FolderWatch } from './folderWatch.ts';
import { readTaskFile, type TaskFile } from './readTaskFile.ts';
import { FileChanged, Tasks, type NewText } from './tasks.ts';
import { openTextFile, saveTextFile, type TextFile } from './textFile.ts';

/** Milliseconds after which what was read so far counts, while many files are read. */
const patience = 200;

/**
 * The tasks of a folder: those of its `*.json`, in capitals or not, but for hidden ones, which are an
 * editor's own.
 */
export class TaskFiles extends Tasks {
	readonly folder: string;
	readonly #deleted: DeletedFiles;
	#watch: FolderWatch | undefined;
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
				`The folder of tasks "${folder}" cannot be read: ${reason}. Name one that can be read: SERVICE_TASKS, or what the command was given.`,
			);
		}
		await files.#read(names);
		return files;
	}

	/** Without files: see `open`. */
	constructor(folder: string) {
		super();
		this.folder = folder;
		this.#deleted = new DeletedFiles(folder);
	}

	/** Whoever else changes files is heard of by itself. */
	async upToDate(): Promise<void> {}

	/** All of a file, whatever its encoding. */
	async open(name: string): Promise<TextFile | undefined> {
		return this.has(name) ? openTextFile(this.#path(name)) : undefined;
	}

	/** It keeps the mark, the line breaks and the rights of the file that was there. */
	async save({ name, text, before }: NewText, log: FastifyBaseLogger): Promise<string> {
		const file = this.#path(name);
		const now = await openTextFile(file);
		if (now?.hash !== before) throw new FileChanged();
		const hash = await saveTextFile(file, text, now ?? { hasMark: false, lineBreak: '\n' });
		log.info({ file }, 'task file saved in the console');
		await this.#lookAt(name, log);
		return hash;
	}

	async delete(name: string, log: FastifyBaseLogger): Promise<string> {
		const file = this.#path(name);
		const id = await this.#deleted.add(file);
		log.info({ file }, 'task file deleted in the console');
		await this.#lookAt(name, log);
		return id;
	}

	deleted(): Promise<DeletedFile[]> {
		return this.#deleted.list();
	}

	async bringBack(deleted: DeletedFile, log: FastifyBaseLogger): Promise<void> {
		const isTaken = this.has(deleted.name);
		const name = isTaken ? this.freeName(parse(deleted.name).name) : deleted.name;
		const file = this.#path(name);
		await this.#deleted.bringBack(deleted, file);
		log.info({ file }, 'task file brought back in the console');
		await this.#lookAt(name, log);
	}

	watch(log: FastifyBaseLogger): void {
		this.#watch = new FolderWatch(this.folder, (names) =>
			names ? this.#read(names.filter(isTaskFile), log) : this.#lookAgain(log),
		);
	}

	async close(): Promise<void> {
		await this.#watch?.close();
	}

	#path(name: string): string {
		return join(this.folder, name);
	}

	/** Has what has become of the file of this name count at once; `log` is told. */
	async #lookAt(name: string, log: FastifyBaseLogger): Promise<void> {
		await this.#read([name], log);
		// The watch may have read it before, among others that it still reads.
		this.count(log);
	}

	async #lookAgain(log: FastifyBaseLogger): Promise<void> {
		const { folder } = this;
		let names: string[];
		try {
			names = await namesIn(folder);
			if (this.#unreadable !== undefined) {
				log.info({ folder }, 'folder of task files can be read again');
			}
			this.#unreadable = undefined;
		} catch (error) {
			const reason = reasonOf(error);
			if (this.#unreadable !== reason) {
				log.error({ folder, reason }, 'folder of task files cannot be read');
			}
			this.#unreadable = reason;
			// What says nothing about the files, such as too many open ones, changes nothing.
			if (!isMissing(error)) return;
			names = [];
		}
		const there = new Set(names);
		const gone = this.names.filter((name) => !there.has(name));
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
				before = this.known(name);
				now = await readTaskFile(this.#path(name), before);
				// Somebody else has read it meanwhile, perhaps later than this.
			} while (this.known(name) !== before);
			this.note(name, now);
			isChanged ||= now?.hash !== before?.hash || now?.mistake !== before?.mistake;
			if (isChanged && performance.now() - counted > patience) {
				this.count(log);
				isChanged = false;
				counted = performance.now();
			}
		}
		if (isChanged) this.count(log);
	}
}

async function namesIn(folder: string): Promise<string[]> {
	return (await readdir(folder)).filter(isTaskFile).sort();
}

function isTaskFile(name: string): boolean {
	return /\.json$/i.test(name) && !name.startsWith('.');
}
