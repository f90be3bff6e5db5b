import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rename, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isMissing } from '../errors/thrown.ts';
import { readTaskText } from './readTaskText.ts';
import type { Task } from './task.ts';
import { readUtf8 } from './textFile.ts';

/** A task file that was deleted, and can be brought back. */
export interface DeletedFile {
	/** Its name among the deleted ones. */
	id: string;
	/** Its name before. */
	name: string;
	/** Milliseconds since 1970. */
	time: number;
	/** Undefined: what stands in it is none. */
	task: Task | undefined;
}

/** Milliseconds for which a deleted file can be brought back. */
export const keptFor = 7 * 24 * 60 * 60 * 1000;

/** How deleted files are called: by the time of it, and the name before. */
const deletedName = /^(\d{13})-(.+\.json)$/i;

/** The deleted ones of a folder of task files: kept beside the others, in a hidden folder, for a week. */
export class DeletedFiles {
	readonly #folder: string;

	constructor(folder: string) {
		this.#folder = join(folder, '.deleted');
	}

	/** Puts a file away; resolves to its name among the deleted ones. */
	async add(path: string): Promise<string> {
		const id = `${Date.now()}-${basename(path)}`;
		await mkdir(this.#folder, { recursive: true });
		await rename(path, join(this.#folder, id));
		return id;
	}

	/** The files that can be brought back, the newest first; those of more than a week ago are removed. */
	async list(): Promise<DeletedFile[]> {
		const files: DeletedFile[] = [];
		for (const id of await this.#names()) {
			const [, time, name] = deletedName.exec(id) ?? [];
			if (time === undefined || name === undefined) continue;
			const path = join(this.#folder, id);
			if (Number(time) + keptFor > Date.now()) {
				files.push({ id, name, time: Number(time), task: await taskIn(path) });
			} else await unlink(path).catch(() => undefined);
		}
		return files.sort((a, b) => b.time - a.time);
	}

	/** Puts a file back; throws where there is one at this path. */
	async bringBack({ id }: DeletedFile, path: string): Promise<void> {
		const kept = join(this.#folder, id);
		await copyFile(kept, path, constants.COPYFILE_EXCL);
		await unlink(kept);
	}

	async #names(): Promise<string[]> {
		try {
			return await readdir(this.#folder);
		} catch (error) {
			if (isMissing(error)) return [];
			throw error;
		}
	}
}

async function taskIn(path: string): Promise<Task | undefined> {
	const text = await readUtf8(path).catch(() => '');
	const read = readTaskText(text);
	return 'task' in read ? read.task : undefined;
}
