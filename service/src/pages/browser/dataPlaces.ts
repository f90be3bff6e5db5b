import type { Browser as Chromium, Page as Tab } from 'playwright-core';

/** So many are known of a browser at most: then all are forgotten. */
const maxPlaces = 10_000;

const known = new WeakMap<Chromium, Set<string>>();

/** The kinds of places that have given data (JSON) to a tab. */
export class DataPlaces {
	readonly #own = new Set<string>();
	/** Those that have given some to any tab of its browser. */
	readonly #ofAll: Set<string>;

	constructor(tab: Tab) {
		const chromium = tab.context().browser();
		this.#ofAll = (chromium && known.get(chromium)) ?? new Set();
		if (chromium) known.set(chromium, this.#ofAll);
	}

	add(kind: string): void {
		this.#own.add(kind);
		if (this.#ofAll.size >= maxPlaces) this.#ofAll.clear();
		this.#ofAll.add(kind);
	}

	has(kind: string): boolean {
		return this.#own.has(kind);
	}

	/** The same of any tab: the first page of an agent may be the one that is refused. */
	hasToAny(kind: string): boolean {
		return this.#ofAll.has(kind);
	}
}
