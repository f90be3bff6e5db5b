import { endingOf, keyFrom, keyHash, keyUseFrom, newKey } from '../apiKeyStore.ts';
import type { ApiKeyStore, KeptKey, KeyUse, StoredKey } from '../apiKeyStore.ts';
import { bytesIn, textIn } from '../columns.ts';
import { now, type Connections } from './connections.ts';

export class PostgresApiKeyStore implements ApiKeyStore {
	readonly #database: Connections;

	constructor(database: Connections) {
		this.#database = database;
	}

	async make(name: string): Promise<string> {
		const key = newKey();
		await this.#database.query(
			`INSERT INTO api_keys (name, hash, ending, create_time) VALUES ($1, $2, $3, ${now})`,
			name,
			keyHash(key),
			endingOf(key),
		);
		return key;
	}

	async revoke(id: number): Promise<StoredKey | undefined> {
		if (!Number.isSafeInteger(id)) return undefined;
		const [columns] = await this.#database.query(
			'DELETE FROM api_keys WHERE id = $1 RETURNING id, name, hash, ending, create_time',
			id,
		);
		const key = columns && keyFrom(columns);
		if (key) await this.#database.query('DELETE FROM api_key_uses WHERE hash = $1', key.hash);
		return key;
	}

	async has(hash: Uint8Array): Promise<boolean> {
		const found = await this.#database.query('SELECT 1 FROM api_keys WHERE hash = $1', hash);
		return found.length > 0;
	}

	async list(): Promise<StoredKey[]> {
		const found = await this.#database.query(
			'SELECT id, name, hash, ending, create_time FROM api_keys ORDER BY id DESC',
		);
		return found.map(keyFrom);
	}

	async noteUse(hash: Uint8Array, { time, request }: KeyUse): Promise<void> {
		await this.#database.query(
			`INSERT INTO api_key_uses (hash, time, request) VALUES ($1, $2, $3)
			ON CONFLICT (hash) DO UPDATE SET time = excluded.time, request = excluded.request`,
			hash,
			time,
			request,
		);
	}

	async lastUse(hash: Uint8Array): Promise<KeyUse | undefined> {
		const [columns] = await this.#database.query(
			'SELECT time, request FROM api_key_uses WHERE hash = $1',
			hash,
		);
		return columns && keyUseFrom(columns);
	}
}

const place = 'the database';

/** Reads what is kept of the API key of all services of a database. */
export async function keptKey({ query }: Connections): Promise<KeptKey | undefined> {
	const [kept] = await query('SELECT hash, ending FROM kept_keys');
	return kept && { hash: bytesIn(kept, 'hash'), ending: textIn(kept, 'ending'), place };
}

/** Makes that key up. Of several services that do at once, one has made it, and the others read what is kept of it. */
export async function makeKey(database: Connections): Promise<KeptKey> {
	const key = newKey();
	const made = { hash: keyHash(key), ending: endingOf(key) };
	const isMade = await database.query(
		'INSERT INTO kept_keys (hash, ending) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING ending',
		made.hash,
		made.ending,
	);
	const kept = isMade.length > 0 ? { ...made, key, place } : await keptKey(database);
	if (kept) return kept;
	throw new Error('The API key in the database was removed while the service started.');
}
