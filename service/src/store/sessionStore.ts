import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { keyHash } from './apiKeyStore.ts';

/** Milliseconds for which a session lasts. */
export const sessionLength = 30 * 24 * 60 * 60 * 1000;

/** Who has come into the console, by the token in their cookie; that itself is not kept. */
export class SessionStore {
	readonly #database: DatabaseSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	/** Begins a session and returns its token. `apiKey`: the hash of the key that has opened it. */
	begin(apiKey?: Uint8Array): string {
		const token = randomBytes(32).toString('base64url');
		const now = Date.now();
		this.#database.prepare('DELETE FROM console_sessions WHERE end_time < ?').run(now);
		this.#database
			.prepare('INSERT INTO console_sessions (hash, key_hash, end_time) VALUES (?, ?, ?)')
			.run(keyHash(token), apiKey ?? null, now + sessionLength);
		return token;
	}

	/** A session that lasts, with the hash of the API key that has opened it, if one has. */
	find(token: string): { apiKey?: Uint8Array } | undefined {
		const columns = this.#database
			.prepare('SELECT key_hash FROM console_sessions WHERE hash = ? AND end_time >= ?')
			.get(keyHash(token), Date.now());
		if (!columns) return undefined;
		return columns.key_hash instanceof Uint8Array ? { apiKey: columns.key_hash } : {};
	}

	end(token: string): void {
		this.#database.prepare('DELETE FROM console_sessions WHERE hash = ?').run(keyHash(token));
	}
}
