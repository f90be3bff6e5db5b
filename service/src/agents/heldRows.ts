import type { Row } from '../pages/page.ts';
import type { Positions } from './place.ts';

type Store = (rows: Row[], positions: Positions) => Promise<void>;

/** Rows on their way to the store, held back as long as it is open whether they belong there. */
export class HeldRows {
	readonly #store: Store;
	#held: Parameters<Store>[] | undefined;

	constructor(store: Store) {
		this.#store = store;
	}

	readonly store: Store = async (rows, positions) => {
		if (this.#held) this.#held.push([rows, positions]);
		else await this.#store(rows, positions);
	};

	/** From now on, rows are held back. */
	hold(): void {
		this.#held ??= [];
	}

	/** They belong there, and so do those that come. */
	async release(): Promise<void> {
		const held = this.#held ?? [];
		this.#held = undefined;
		for (const [rows, positions] of held) await this.#store(rows, positions);
	}

	/** They do not. */
	drop(): void {
		this.#held = undefined;
	}
}
