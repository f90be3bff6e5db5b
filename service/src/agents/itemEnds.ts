/** Milliseconds that the next rows of a job are waited for, to be written together with where it stands. */
const patience = 100;

/**
 * Where a job stands, as its first item that is still to be done, as long as that is not written: it is with the next
 * rows, if they come soon, so that a page is one write. Who takes the job over from one that has crashed does the
 * item before it again, and finds its rows there.
 */
export class ItemEnds {
	readonly #write: (firstItem: number) => Promise<void>;
	#firstItem: number | undefined;
	#timer: NodeJS.Timeout | undefined;

	constructor(write: (firstItem: number) => Promise<void>) {
		this.#write = write;
	}

	/** All items before this one are done. `atOnce`: the one before it is not to be done again, whatever happens. */
	async advance(firstItem: number, { atOnce }: { atOnce: boolean }): Promise<void> {
		if (atOnce) this.take();
		else await this.write();
		this.#firstItem = firstItem;
		if (atOnce) return this.write();
		// Why that fails, the next write tells.
		this.#timer = setTimeout(() => void this.write().catch(() => undefined), patience);
	}

	/** Takes it, to be written now. */
	take(): number | undefined {
		clearTimeout(this.#timer);
		const firstItem = this.#firstItem;
		this.#firstItem = undefined;
		return firstItem;
	}

	async write(): Promise<void> {
		const firstItem = this.take();
		if (firstItem !== undefined) await this.#write(firstItem);
	}

	/** Nothing is written any more by itself. */
	close(): void {
		clearTimeout(this.#timer);
	}
}
