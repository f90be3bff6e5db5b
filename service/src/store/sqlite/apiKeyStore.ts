import type { DatabaseSync } from 'node:sqlite';
import { endingOf, keyFrom, keyHash, keyUseFrom, newKey } from '../apiKeyStore.ts';
import type { ApiKeyStore, KeyUse, StoredKey } from '../apiKeyStore.ts';
import { promised } from './promised.ts';

export class SqliteApiKeyStore implements ApiKeyStore {
	readonly #database: DatabaseSync;

	constructor(database: DatabaseSync) {
		this.#database = database;
	}

	make(name: string): Promise<string> {
		return promised(() => {
			const key = newKey();
			this.#database
				.prepare('INSERT INTO api_keys (name, hash, ending, create_time) VALUES (?, ?, ?, ?)')
				.run(name, keyHash(key), endingOf(key), Date.now());
			return key;
		});
	}

	revoke(id: number): Promise<StoredKey | undefined> {
		return promised(() => {
			const key = this.#all().find((each) => each.id === id);
			if (key) {
				this.#database.prepare('DELETE FROM api_keys WHERE id = ?').run(id);
				this.#database.prepare('DELETE FROM api_key_uses WHERE hash = ?').run(key.hash);
			}
			return key;
		});
	}

	has(hash: Uint8Array): Promise<boolean> {
		return promised(() => {
			const found = this.#database.prepare('SELECT 1 FROM api_keys WHERE hash = ?').get(hash);
			return found !== undefined;
		});
	}

	list(): Promise<StoredKey[]> {
		return promised(() => this.#all());
	}

	noteUse(hash: Uint8Array, { time, request }: KeyUse): Promise<void> {
		return promised(() => {
			this.#database
				.prepare(
					`INSERT INTO api_key_uses (hash, time, request) VALUES (?, ?, ?)
					ON CONFLICT (hash) DO UPDATE SET time = excluded.time, request = excluded.request`,
				)
				.run(hash, time, request);
		});
	}

	lastUse(hash: Uint8Array): Promise<KeyUse | undefined> {
		return promised(() => {
			const columns = this.#database.prepare('SELECT * FROM api_key_uses WHERE hash = ?').get(hash);
			return columns && keyUseFrom(columns);
		});
	}

	#all(): StoredKey[] {
		return this.#database.prepare('SELECT * FROM api_keys ORDER BY id DESC').all().map(keyFrom);
	}
}
