/** A wait by chance, for what nothing announces: it is taken until it was in vain too often in a row. */
export class Chance {
	readonly #patience: number;
	#inVain = 0;

	/** `patience`: times in a row that it may be in vain. */
	constructor(patience = 2) {
		this.#patience = patience;
	}

	/** Whether it is to be taken once more. */
	get isLeft(): boolean {
		return this.#inVain < this.#patience;
	}

	/** What has come of it this time. */
	note(hasCome: boolean): void {
		this.#inVain = hasCome ? 0 : this.#inVain + 1;
	}
}

/** One for each of the names that it is asked for. */
export class Chances {
	readonly #byName = new Map<string, Chance>();

	of(name: string, patience?: number): Chance {
		const chance = this.#byName.get(name) ?? new Chance(patience);
		this.#byName.set(name, chance);
		return chance;
	}
}
