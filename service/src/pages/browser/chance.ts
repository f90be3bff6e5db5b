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
