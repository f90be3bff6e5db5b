import { keyHash } from '../apiKeyStore.ts';
import { keptBrowser, newToken, sessionFrom, sessionLength } from '../sessionStore.ts';
import type { Session, SessionStore } from '../sessionStore.ts';
import { now, type Connections } from './connections.ts';

export class PostgresSessionStore implements SessionStore {
	readonly #database: Connections;

	constructor(database: Connections) {
		this.#database = database;
	}

	async begin(browser: string, apiKey?: Uint8Array): Promise<string> {
		const token = newToken();
		await this.#database.query(`DELETE FROM console_sessions WHERE end_time < ${now}`);
		await this.#database.query(
			`INSERT INTO console_sessions (hash, key_hash, browser, create_time, end_time)
			VALUES ($1, $2, $3, ${now}, ${now} + $4)`,
			keyHash(token),
			apiKey ?? null,
			keptBrowser(browser),
			sessionLength,
		);
		return token;
	}

	async find(token: string): Promise<Session | undefined> {
		const [columns] = await this.#database.query(
			`SELECT id, key_hash, browser, create_time FROM console_sessions WHERE hash = $1 AND end_time >= ${now}`,
			keyHash(token),
		);
		return columns && sessionFrom(columns);
	}

	async list(): Promise<Session[]> {
		const found = await this.#database.query(
			`SELECT id, key_hash, browser, create_time FROM console_sessions WHERE end_time >= ${now} ORDER BY id DESC`,
		);
		return found.map(sessionFrom);
	}

	async end(id: number): Promise<void> {
		if (!Number.isSafeInteger(id)) return;
		await this.#database.query('DELETE FROM console_sessions WHERE id = $1', id);
	}

	async endAll(): Promise<void> {
		await this.#database.query('DELETE FROM console_sessions');
	}
}
