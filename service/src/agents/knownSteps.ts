/** Steps of which something is known. */
export interface KnownSteps {
	add(step: string): unknown;
	has(step: string): Promise<boolean> | boolean;
}

/** Where what is known of the steps of a batch is kept. */
interface Kept {
	note(step: string): Promise<void>;
	has(step: string): Promise<boolean>;
}

/**
 * Those of a batch, also by what was seen of its pages before this process began, or is seen elsewhere: each is
 * written once, and one that is not known here is looked for there.
 */
export class StepsOfBatch implements KnownSteps {
	readonly #kept: Kept;
	readonly #known = new Set<string>();

	constructor(kept: Kept) {
		this.#kept = kept;
	}

	async add(step: string): Promise<void> {
		if (this.#known.has(step)) return;
		this.#known.add(step);
		await this.#kept.note(step);
	}

	async has(step: string): Promise<boolean> {
		if (this.#known.has(step)) return true;
		if (!(await this.#kept.has(step))) return false;
		this.#known.add(step);
		return true;
	}
}
