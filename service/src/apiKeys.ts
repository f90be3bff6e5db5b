import { endingOf, keyHash, type ApiKeyStore, type KeyUse } from './store/apiKeyStore.ts';
import type { KeptKey } from './keptApiKey.ts';

/** An API key as people see it. */
export interface ShownKey {
	name: string;
	/** Its last characters, of a long one. */
	ending: string;
	/** The key itself, where it is known: that of a made one is not kept. */
	key?: string;
	/** Of a key that was made in the console, which can be revoked there. */
	id?: number;
	createTime?: number;
	lastUse: KeyUse | undefined;
}

/** Milliseconds after which what keys were used for is stored: not at each request. */
const delay = 1_000;

/** The keys that the API accepts: those of the settings, or the kept one, and those of the store. */
export class ApiKeys {
	readonly #store: ApiKeyStore;
	readonly #own: { name: string; key: string }[];
	/** The accepted keys, each as the hexadecimal digits of its hash. */
	#accepted = new Set<string>();
	readonly #uses = new Map<string, KeyUse>();
	#timer: NodeJS.Timeout | undefined;

	constructor(store: ApiKeyStore, configured: string[], kept: KeptKey | undefined) {
		this.#store = store;
		this.#own = kept
			? [{ name: 'Made up at the first start', key: kept.key }]
			: configured.map((key) => ({ name: 'From SERVICE_API_KEYS', key }));
		this.#read();
	}

	accepts(key: string): boolean {
		return this.acceptsHash(keyHash(key));
	}

	acceptsHash(hash: Uint8Array): boolean {
		return this.#accepted.has(hex(hash));
	}

	/** A request, such as "POST /cloud/start", was made with a key. */
	noteUse(key: string, request: string): void {
		this.#uses.set(hex(keyHash(key)), { time: Date.now(), request });
		this.#timer ??= setTimeout(() => this.flush(), delay).unref();
	}

	/** Stores what keys were used for. */
	flush(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		for (const [hash, use] of this.#uses) {
			if (this.#accepted.has(hash)) this.#store.noteUse(Buffer.from(hash, 'hex'), use);
		}
		this.#uses.clear();
	}

	/** All keys: those of the settings first, then the newest. */
	list(): ShownKey[] {
		this.flush();
		return [
			...this.#own.map(({ name, key }) => ({
				name,
				key,
				ending: endingOf(key),
				lastUse: this.#store.lastUse(keyHash(key)),
			})),
			...this.#store.list().map(({ id, name, hash, ending, createTime }) => ({
				id,
				name,
				ending,
				createTime,
				lastUse: this.#store.lastUse(hash),
			})),
		];
	}

	/** Makes a key, which counts at once, and returns it: it can be had this once only. */
	make(name: string): string {
		const key = this.#store.make(name);
		this.#read();
		return key;
	}

	/** From now on the key counts no more. Returns its name; undefined if there is none with this id. */
	revoke(id: number): string | undefined {
		const key = this.#store.revoke(id);
		this.#read();
		return key?.name;
	}

	#read(): void {
		this.#accepted = new Set(
			[
				...this.#own.map(({ key }) => keyHash(key)),
				...this.#store.list().map(({ hash }) => hash),
			].map(hex),
		);
	}
}

function hex(bytes: Uint8Array): string {
	return Buffer.from(bytes).toString('hex');
}
