import { randomBytes } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';

/** Bytes that are enough to end what runs, to write who comes in, and to delete old batches. */
const size = 8 * 1024 * 1024;

/**
 * A file beside the database that does nothing but take room. When the disk is full it goes, so that there
 * is some for what makes more.
 */
export class Reserve {
	readonly file: string;

	constructor(database: string) {
		this.file = `${database}.reserve`;
	}

	/** Takes the room, unless it is taken; false where there is none. */
	hold(): boolean {
		try {
			if (statSync(this.file, { throwIfNoEntry: false })?.size !== size) {
				// Of zeros, some file systems keep none.
				writeFileSync(this.file, randomBytes(size), { mode: 0o600 });
			}
			return true;
		} catch {
			this.release();
			return false;
		}
	}

	/** Why nothing more can be stored, for people, as far as is known; undefined: there is room in reserve. */
	whyMissing(): string | undefined {
		if (this.hold()) return undefined;
		return `The disk of ${this.file} is full, or cannot be written: make room there.`;
	}

	release(): void {
		rmSync(this.file, { force: true });
	}
}
