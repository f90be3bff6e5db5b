import { hash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { numberIn, textIn } from './columns.ts';

/** An API key that was made here. The key itself is not kept. */
export interface StoredKey {
	id: number;
	name: string;
	hash: Uint8Array;
	/** The last characters of the key. */
	ending: string;
	/** Milliseconds since 1970. */
	createTime: number;
}

/** A use of a key: `request` as in "POST /cloud/start", `time` in milliseconds since 1970. */
export interface KeyUse {
	time: number;
	request: string;
}

/** The API keys that were made in the console, and what each key was last used for. */
export class ApiKeyStore {
	readonly #database: DatabaseSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	/** Makes a key and returns it: it can be had this once only. */
	make(name: string): string {
		const key = randomBytes(24).toString('base64url');
		this.#database
			.prepare('INSERT INTO api_keys (name, hash, ending, create_time) VALUES (?, ?, ?, ?)')
			.run(name, keyHash(key), endingOf(key), Date.now());
		return key;
	}

	/** Returns the revoked key; undefined if there is none with this id. */
	revoke(id: number): StoredKey | undefined {
		const key = this.list().find((each) => each.id === id);
		if (key) {
			this.#database.prepare('DELETE FROM api_keys WHERE id = ?').run(id);
			this.#database.prepare('DELETE FROM api_key_uses WHERE hash = ?').run(key.hash);
		}
		return key;
	}

	/** The newest first. */
	list(): StoredKey[] {
		return this.#database
			.prepare('SELECT * FROM api_keys ORDER BY id DESC')
			.all()
			.map((columns) => ({
				id: numberIn(columns, 'id'),
				name: textIn(columns, 'name'),
				hash: bytesIn(columns.hash),
				ending: textIn(columns, 'ending'),
				createTime: numberIn(columns, 'create_time'),
			}));
	}

	noteUse(hash: Uint8Array, { time, request }: KeyUse): void {
		this.#database
			.prepare(
				`INSERT INTO api_key_uses (hash, time, request) VALUES (?, ?, ?)
				ON CONFLICT (hash) DO UPDATE SET time = excluded.time, request = excluded.request`,
			)
			.run(hash, time, request);
	}

	lastUse(hash: Uint8Array): KeyUse | undefined {
		const columns = this.#database.prepare('SELECT * FROM api_key_uses WHERE hash = ?').get(hash);
		return columns && { time: numberIn(columns, 'time'), request: textIn(columns, 'request') };
	}
}

/** What is kept of a key or a token, which both are long and random, or the user's own choice. */
export function keyHash(key: string): Uint8Array {
	return hash('sha256', key, 'buffer');
}

/** What people tell a key by; nothing of a short one, which would give too much of it away. */
export function endingOf(key: string): string {
	return key.length >= 16 ? key.slice(-4) : '';
}

function bytesIn(value: unknown): Uint8Array {
	if (value instanceof Uint8Array) return value;
	throw new TypeError('Column hash holds no bytes.');
}
