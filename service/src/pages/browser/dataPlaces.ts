import type { Browser as Chromium, Page as Tab } from 'playwright-core';

/** So many are known at most: then all are forgotten. */
const maxPlaces = 10_000;

/** The kinds of places that have given data (JSON), whoever has asked, as long as the browser runs. */
export class DataPlaces {
	readonly #kinds = new Set<string>();

	add(kind: string): void {
		if (this.#kinds.size >= maxPlaces) this.#kinds.clear();
		this.#kinds.add(kind);
	}

	has(kind: string): boolean {
		return this.#kinds.has(kind);
	}
}

const known = new WeakMap<Chromium, DataPlaces>();

/** Those of the browser of a tab: the first page of an agent is read by what the pages of others have asked for. */
export function dataPlacesOf(tab: Tab): DataPlaces {
	const chromium = tab.context().browser();
	const places = (chromium && known.get(chromium)) ?? new DataPlaces();
	if (chromium) known.set(chromium, places);
	return places;
}
