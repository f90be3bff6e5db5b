/** Wrong keys that one address may try in a minute: enough for whoever mistypes, too few to guess. */
const maxGuesses = 10;

/** Milliseconds after which they are forgotten. */
const period = 60_000;

/** Addresses that are kept; beyond them the oldest are forgotten. */
const maxAddresses = 10_000;

interface Tries {
	/** When the first wrong key came. */
	since: number;
	/** Each once: a program that has a wrong key, and asks again and again, guesses nothing. */
	wrong: Set<string>;
}

/** Who tries one API key after the other. `now`: milliseconds of a clock that only goes on. */
export class KeyGuesses {
	readonly #now: () => number;
	readonly #tries = new Map<string, Tries>();
	/** Which keys each address has used rightly: whoever guesses beside them does not lock them out. */
	readonly #used = new Map<string, Set<string>>();

	constructor(now: () => number = () => performance.now()) {
		this.#now = now;
	}

	/** Whether this address has tried too many keys for this one, by its hash, to be looked at. */
	isRefused(address: string, key: string): boolean {
		const tries = this.#tries.get(address);
		if (!tries || this.#now() - tries.since >= period) return false;
		return tries.wrong.size >= maxGuesses && !this.#used.get(address)?.has(key);
	}

	note(address: string, key: string, isRight: boolean): void {
		if (isRight) {
			this.#tries.get(address)?.wrong.delete(key);
			keep(this.#used, address, this.#used.get(address) ?? new Set()).add(key);
			return;
		}
		const before = this.#tries.get(address);
		const isOver = !before || this.#now() - before.since >= period;
		const tries = isOver ? { since: this.#now(), wrong: new Set<string>() } : before;
		keep(this.#tries, address, tries).wrong.add(key);
	}
}

/** Puts an entry behind all others, and forgets the first where there are too many. */
function keep<Value>(map: Map<string, Value>, name: string, value: Value): Value {
	map.delete(name);
	map.set(name, value);
	const [oldest] = map.keys();
	if (map.size > maxAddresses && oldest !== undefined) map.delete(oldest);
	return value;
}
