import { hash, randomBytes } from 'node:crypto';
import { bytesIn, numberIn, textIn, type Columns } from './columns.ts';

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
export interface ApiKeyStore {
	/** Makes a key and resolves to it: it can be had this once only. */
	make(name: string): Promise<string>;
	/** Resolves to the revoked key; undefined if there is none with this id. */
	revoke(id: number): Promise<StoredKey | undefined>;
	/** Whether one of them has this hash. */
	has(hash: Uint8Array): Promise<boolean>;
	/** The newest first. */
	list(): Promise<StoredKey[]>;
	noteUse(hash: Uint8Array, use: KeyUse): Promise<void>;
	lastUse(hash: Uint8Array): Promise<KeyUse | undefined>;
}

/**
 * The made-up API key of a service, which its clients keep: it stays the same for one database. Only
 * what it is recognised by is kept.
 */
export interface KeptKey {
	hash: Uint8Array;
	/** What people tell it by. */
	ending: string;
	/** The key itself, where it was made up just now: it can be had this once only. */
	key?: string;
	/** What recognises it, for people: a file, or the database. */
	place: string;
}

/** A key that nobody guesses. */
export function newKey(): string {
	return randomBytes(24).toString('base64url');
}

/** What is kept of a key or a token, which both are long and random, or the user's own choice. */
export function keyHash(key: string): Uint8Array {
	return hash('sha256', key, 'buffer');
}

/** What people tell a key by; nothing of a short one, which would give too much of it away. */
export function endingOf(key: string): string {
	return key.length >= 16 ? key.slice(-4) : '';
}

/** Reads a row of the table `api_keys`. */
export function keyFrom(columns: Columns): StoredKey {
	return {
		id: numberIn(columns, 'id'),
		name: textIn(columns, 'name'),
		hash: bytesIn(columns, 'hash'),
		ending: textIn(columns, 'ending'),
		createTime: numberIn(columns, 'create_time'),
	};
}

/** Reads a row of the table `api_key_uses`. */
export function keyUseFrom(columns: Columns): KeyUse {
	return { time: numberIn(columns, 'time'), request: textIn(columns, 'request') };
}
