import { endingOf, keyHash } from '../store/apiKeyStore.ts';
import type { ApiKeyStore, KeptKey, KeyUse } from '../store/apiKeyStore.ts';
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
	readonly #own: { name: string; hash: Uint8Array; ending: string }[] = [];
	readonly #uses = new Map<string, KeyUse>();
	#timer: NodeJS.Timeout | undefined;

	constructor(store: ApiKeyStore, configured: string[], kept: KeptKey | undefined) {
		this.#store = store;
		for (const key of configured) this.accept({ hash: keyHash(key), ending: endingOf(key) });
		if (kept) this.accept(kept);
	}

	/** Takes one that was made up as well. */
	accept({ hash, ending }: Pick<KeptKey, 'hash' | 'ending'>): void {
		this.#own.push({ name: madeAtStart, hash, ending });
	}

	/** Whether a key counts that came from this address, which may not try any number of them. */
	async check(key: string, address = ''): Promise<'accepted' | 'wrong' | 'refused'> {
		const hash = keyHash(key);
		if (this.#guesses.isRefused(address, hex(hash))) return 'refused';
		// It counts as a guess until it is known: so do those that come meanwhile.
		this.#guesses.note(address, hex(hash), false);
		const isRight = await this.acceptsHash(hash);
		if (isRight) this.#guesses.note(address, hex(hash), true);
		return isRight ? 'accepted' : 'wrong';
	}

	/** Those of the store are looked up each time: another process may have made or revoked one. */
	async acceptsHash(hash: Uint8Array): Promise<boolean> {
		const isOwn = this.#own.some((own) => hex(own.hash) === hex(hash));
		return isOwn || this.#store.has(hash);
	}

	/** A request, such as "POST /cloud/start", was made with a key. */
	noteUse(key: string, request: string): void {
		this.#uses.set(hex(keyHash(key)), { time: Date.now(), request });
		this.#timer ??= setTimeout(() => void this.flush(), delay).unref();
	}

	/** Stores what keys were used for; where that cannot be written, the next time. */
	async flush(): Promise<void> {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		try {
			for (const [digits, use] of this.#uses) {
				const hash = Buffer.from(digits, 'hex');
				if (await this.acceptsHash(hash)) await this.#store.noteUse(hash, use);
				if (this.#uses.get(digits) === use) this.#uses.delete(digits);
			}
		} catch {
			// Reading and stopping go on.
		}
	}

	/** All keys: those of the settings first, then the newest. */
	async list(): Promise<ShownKey[]> {
		await this.flush();
		const keys = [...this.#own, ...(await this.#store.list())];
		return Promise.all(
			keys.map(async ({ hash, ...shown }) => ({
				...shown,
				lastUse: await this.#store.lastUse(hash),
			})),
		);
	}

	/** Makes a key, which counts at once, and returns it: it can be had this once only. */
	make(name: string): Promise<string> {
		return this.#store.make(name);
	}

	/** From now on the key counts no more. Returns its name; undefined if there is none with this id. */
	async revoke(id: number): Promise<string | undefined> {
		const key = await this.#store.revoke(id);
		return key?.name;
	}
}

function hex(bytes: Uint8Array): string {
	return Buffer.from(bytes).toString('hex');
}
