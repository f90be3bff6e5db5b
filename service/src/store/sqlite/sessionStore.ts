import type { DatabaseSync } from 'node:sqlite';
import { keyHash } from '../apiKeyStore.ts';
import { keptBrowser, newToken, sessionFrom, sessionLength } from '../sessionStore.ts';
import type { Session, SessionStore } from '../sessionStore.ts';
import { promised } from './promised.ts';

export class SqliteSessionStore implements SessionStore {
	readonly #database: DatabaseSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	begin(browser: string, apiKey?: Uint8Array): Promise<string> {
		return promised(() => {
			const token = newToken();
			const now = Date.now();
			this.#database.prepare('DELETE FROM console_sessions WHERE end_time < ?').run(now);
			this.#database
				.prepare(
					'INSERT INTO console_sessions (hash, key_hash, browser, create_time, end_time) VALUES (?, ?, ?, ?, ?)',
				)
				.run(keyHash(token), apiKey ?? null, keptBrowser(browser), now, now + sessionLength);
			return token;
		});
	}

	find(token: string): Promise<Session | undefined> {
		return promised(() => {
			const columns = this.#database
				.prepare('SELECT * FROM console_sessions WHERE hash = ? AND end_time >= ?')
				.get(keyHash(token), Date.now());
			return columns && sessionFrom(columns);
		});
	}

	list(): Promise<Session[]> {
		return promised(() =>
			this.#database
				.prepare('SELECT * FROM console_sessions WHERE end_time >= ? ORDER BY id DESC')
				.all(Date.now())
				.map(sessionFrom),
		);
	}

	end(id: number): Promise<void> {
		return promised(() => {
			this.#database.prepare('DELETE FROM console_sessions WHERE id = ?').run(id);
		});
	}

	endAll(): Promise<void> {
		return promised(() => this.#database.exec('DELETE FROM console_sessions'));
	}
}
