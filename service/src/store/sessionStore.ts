import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { keyHash } from './apiKeyStore.ts';
import { numberIn, textIn, type Columns } from './columns.ts';

/** Milliseconds for which a session lasts. */
export const sessionLength = 30 * 24 * 60 * 60 * 1000;

/** Characters that are kept of what a browser calls itself. */
const maxBrowser = 300;

/** Somebody who has come into the console. */
export interface Session {
	id: number;
	/** The hash of the API key that has let them in; absent: the link of a start has. */
	apiKey?: Uint8Array;
	/** What their browser calls itself (`User-Agent`). */
	browser: string;
	/** Milliseconds since 1970. */
	createTime: number;
}

/** Who has come into the console, by the token in their cookie; that itself is not kept. */
export class SessionStore {
	readonly #database: DatabaseSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	/** Begins a session and returns its token. `apiKey`: the hash of the key that has opened it. */
	begin(browser: string, apiKey?: Uint8Array): string {
		const token = randomBytes(32).toString('base64url');
		const now = Date.now();
		this.#database.prepare('DELETE FROM console_sessions WHERE end_time < ?').run(now);
		this.#database
			.prepare(
				'INSERT INTO console_sessions (hash, key_hash, browser, create_time, end_time) VALUES (?, ?, ?, ?, ?)',
			)
			.run(
				keyHash(token),
				apiKey ?? null,
				browser.slice(0, maxBrowser).toWellFormed(),
				now,
				now + sessionLength,
			);
		return token;
	}

	/** A session that lasts. */
	find(token: string): Session | undefined {
		const columns = this.#database
			.prepare('SELECT * FROM console_sessions WHERE hash = ? AND end_time >= ?')
			.get(keyHash(token), Date.now());
		return columns && sessionFrom(columns);
	}

	/** Those that last, the newest first. */
	list(): Session[] {
		return this.#database
			.prepare('SELECT * FROM console_sessions WHERE end_time >= ? ORDER BY id DESC')
			.all(Date.now())
			.map(sessionFrom);
	}

	/** Ends one; one that is not there has ended before. */
	end(id: number): void {
		this.#database.prepare('DELETE FROM console_sessions WHERE id = ?').run(id);
	}

	endAll(): void {
		this.#database.exec('DELETE FROM console_sessions');
	}
}

function sessionFrom(columns: Columns): Session {
	return {
		id: numberIn(columns, 'id'),
		...(columns.key_hash instanceof Uint8Array && { apiKey: columns.key_hash }),
		browser: textIn(columns, 'browser'),
		createTime: numberIn(columns, 'create_time'),
	};
}
