import { randomBytes } from 'node:crypto';
import { lstatSync, rmSync, truncateSync, writeFileSync } from 'node:fs';

/** Bytes that are enough to end what runs, to write who comes in, and to delete old batches. */
const size = 8 * 1024 * 1024;
/** How much of it there has to be once there was less: else each run that is started would find the last of it, and end. */
const sizeAgain = 1.25 * size;

/** The file that takes it for a database. */
export function reserveOf(database: string): string {
	return `${database}.reserve`;
}

/**
 * A file beside the database that does nothing but take room. When the disk is full it goes, so that there
 * is some for what makes more. As much room that is free inside of the database, as that of deleted batches, does as well.
 */
export class Reserve {
	readonly file: string;
	readonly #freeInside: () => number;
	#isNeeded = false;
	/** Whether there was less inside when that was looked at last; before that, it may have been. */
	#wasTooLittle = true;

	/** `freeInside`: bytes that the database can use again without growing. */
	constructor(database: string, freeInside: () => number) {
		this.file = reserveOf(database);
		this.#freeInside = freeInside;
	}

	/** Takes the room, unless it is taken; false where there is none, or no more than that. */
	hold(): boolean {
		try {
			const there = lstatSync(this.file, { throwIfNoEntry: false });
			if (!there?.isFile() || there.size !== size) {
				// What a link leads to is not to be written over.
				this.#remove();
				// Of zeros, some file systems keep none.
				writeFileSync(this.file, randomBytes(2 * size), { mode: 0o600, flag: 'wx' });
				// Where that took the last of it, nothing at all could be written.
				truncateSync(this.file, size);
			}
			this.#isNeeded = false;
			return true;
		} catch (error) {
			this.#remove();
			this.#isNeeded ||= error instanceof Error && 'code' in error && error.code === 'ENOSPC';
			return false;
		}
	}

	/** Why nothing more can be stored, for people, as far as is known; undefined: there is room in reserve. */
	whyMissing(): string | undefined {
		if (this.hold() || this.#isInside()) return undefined;
		return `The disk of ${this.file} is full, or cannot be written: make room there, or delete old batches.`;
	}

	/** The same where what room there is has to be left to what makes more: to ends, deletions and who comes in. */
	whyNeeded(): string | undefined {
		return this.#isNeeded && !this.#isInside() ? this.whyMissing() : undefined;
	}

	release(): void {
		this.#remove();
		this.#isNeeded = true;
	}

	/** Whether there is as much inside of the database. */
	#isInside(): boolean {
		this.#wasTooLittle = this.#freeInside() < (this.#wasTooLittle ? sizeAgain : size);
		return !this.#wasTooLittle;
	}

	#remove(): void {
		rmSync(this.file, { force: true });
	}
}
