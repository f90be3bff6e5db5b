import { setTimeout as sleep } from 'node:timers/promises';

/** A deduplicationID expires this long after the last request that used it (section 8). */
const lifetime = 60 * 60 * 1000;

/** Hashes that are deleted at once: some milliseconds, after which others have a turn. */
const hashesAtOnce = 2_000;
/** Milliseconds for the others. */
const pause = 5;

/** Where a database keeps which rows were returned: each deduplicationID has a memory of hashes. */
export interface ReturnedRows {
	/** Those of some hashes that the memory of this id did not have; it has them now. */
	remember(id: string, hashes: Uint8Array[]): Promise<Uint8Array[]>;
	/** Drops the ids that nobody has used for so many milliseconds, or all; their memories are lost. */
	dropUnused(milliseconds?: number): Promise<void>;
	/** Deletes so many hashes of a lost memory; false where there is none. */
	forgetSome(most: number): Promise<boolean>;
}

/**
 * Which rows were returned already, for each deduplicationID (section 4.4). One that has expired loses its
 * memory at once; what was in there goes bit by bit.
 */
export class DeduplicationStore {
	readonly #returned: ReturnedRows;
	readonly #end = new AbortController();
	#forgetting: Promise<void> | undefined;

	constructor(returned: ReturnedRows) {
		this.#returned = returned;
	}

	/** Those of some rows, by their hashes, that no request with this id has returned before; they are remembered. */
	async newOf<Row extends { hash: Uint8Array }>(id: string, rows: Row[]): Promise<Row[]> {
		await this.#returned.dropUnused(lifetime);
		const hashes = rows.map(({ hash }) => hash);
		const fresh = new Set((await this.#returned.remember(id, hashes)).map(keyOf));
		this.#beginForgetting();
		// Of equal rows, the first.
		return rows.filter(({ hash }) => fresh.delete(keyOf(hash)));
	}

	/** Forgets what was returned, with whatever id. */
	async forgetAll(): Promise<void> {
		await this.#returned.dropUnused();
		this.#beginForgetting();
	}

	/** Ends the forgetting; the next start goes on with it. */
	async close(): Promise<void> {
		this.#end.abort();
		await this.#forgetting;
	}

	/** What cannot be deleted now is, after a later request. */
	#beginForgetting(): void {
		this.#forgetting ??= this.#forgetLost()
			.catch(() => undefined)
			.finally(() => (this.#forgetting = undefined));
	}

	async #forgetLost(): Promise<void> {
		const { signal } = this.#end;
		do await sleep(pause, undefined, { signal, ref: false });
		while (await this.#returned.forgetSome(hashesAtOnce));
	}
}

function keyOf(hash: Uint8Array): string {
	return Buffer.from(hash).toString('latin1');
}
