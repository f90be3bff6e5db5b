import { endingOf, keyHash, type ApiKeyStore, type KeyUse } from '../store/apiKeyStore.ts';
import type { KeptKey } from './keptApiKey.ts';
import { KeyGuesses } from './keyGuesses.ts';

/** An API key as people see it. The key itself is shown to nobody: it is shown once, when it is made. */
export interface ShownKey {
	name: string;
	/** Its last characters, of a long one. */
	ending: string;
	/** Of a key that was made in the console, which can be revoked there. */
	id?: number;
	createTime?: number;
	lastUse: KeyUse | undefined;
}

/** What people call the keys that they did not make in the console, whoever has started the service. */
const madeAtStart = 'Created at start';

/** Milliseconds after which what keys were used for is stored: not at each request. */
const delay = 1_000;

/** The keys that the API accepts: those of the settings, or the kept one, and those of the store. */
export class ApiKeys {
	readonly #store: ApiKeyStore;
	readonly #guesses = new KeyGuesses();
	readonly #own: { name: string; hash: Uint8Array; ending: string }[];
	/** The accepted keys, each as the hexadecimal digits of its hash. */
	#accepted = new Set<string>();
	readonly #uses = new Map<string, KeyUse>();
	#timer: NodeJS.Timeout | undefined;

	constructor(store: ApiKeyStore, configured: string[], kept: KeptKey | undefined) {
		this.#store = store;
		const own = kept
			? [kept]
			: configured.map((key) => ({ hash: keyHash(key), ending: endingOf(key) }));
		this.#own = own.map(({ hash, ending }) => ({ name: madeAtStart, hash, ending }));
		this.#read();
	}

	/** Whether a key counts that came from this address, which may not try any number of them. */
	check(key: string, address = ''): 'accepted' | 'wrong' | 'refused' {
		const hash = keyHash(key);
		if (this.#guesses.isRefused(address, hex(hash))) return 'refused';
		const isRight = this.acceptsHash(hash);
		this.#guesses.note(address, hex(hash), isRight);
		return isRight ? 'accepted' : 'wrong';
	}

	acceptsHash(hash: Uint8Array): boolean {
		return this.#accepted.has(hex(hash));
	}

	/** A request, such as "POST /cloud/start", was made with a key. */
	noteUse(key: string, request: string): void {
		this.#uses.set(hex(keyHash(key)), { time: Date.now(), request });
		this.#timer ??= setTimeout(() => this.flush(), delay).unref();
	}

	/** Stores what keys were used for; where that cannot be written, the next time. */
	flush(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		try {
			for (const [hash, use] of this.#uses) {
				if (this.#accepted.has(hash)) this.#store.noteUse(Buffer.from(hash, 'hex'), use);
			}
			this.#uses.clear();
		} catch {
			// Reading and stopping go on.
		}
	}

	/** All keys: those of the settings first, then the newest. */
	list(): ShownKey[] {
		this.flush();
		return [
			...this.#own.map(({ name, hash, ending }) => ({
				name,
				ending,
				lastUse: this.#store.lastUse(hash),
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
		this.#accepted = new Set([...this.#own, ...this.#store.list()].map(({ hash }) => hex(hash)));
	}
}

function hex(bytes: Uint8Array): string {
	return Buffer.from(bytes).toString('hex');
}
