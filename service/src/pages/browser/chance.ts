/** Times in a row that something may be waited for in vain. */
const patience = 2;

/** A wait by chance, for what nothing announces: it is taken until it was in vain too often in a row. */
export class Chance {
	#inVain = 0;

	/** Whether it is to be taken once more. */
	get isLeft(): boolean {
		return this.#inVain < patience;
	}

	/** What has come of it this time. */
	note(hasCome: boolean): void {
		this.#inVain = hasCome ? 0 : this.#inVain + 1;
	}
}

/** One for each of the names that it is asked for. */
export class Chances {
	readonly #byName = new Map<string, Chance>();

	of(name: string): Chance {
		const chance = this.#byName.get(name) ?? new Chance();
		this.#byName.set(name, chance);
		return chance;
	}
}
