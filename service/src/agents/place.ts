import { createHash } from 'node:crypto';
import { PageError, type Row } from '../pages/page.ts';
import type { NewRow } from '../store/rowStore.ts';

/** Where in a task's steps an agent is. */
export interface Place {
	position: string;
	/** The URL or text of the surrounding list loop; `element` if that loops over elements. */
	item?: { value: string } | 'element';
	/** Inside a scroll loop, where the rows of earlier rounds are still on the page. */
	scrolling?: boolean;
}

/** The URL or text that a step takes from the loop around it. */
export function itemValue(item: { value: string } | undefined): string {
	if (!item) throw new PageError('There is no loop item here.');
	return item.value;
}

/**
 * The positions of the rows that are read at one place. While scrolling, the rows of earlier rounds
 * come again, wherever they are on the page then: there a position is the row's content and which one
 * of that content it is.
 */
export class Positions {
	readonly #place: Place;
	readonly #occurrences = new Map<string, number>();
	#count = 0;

	constructor(place: Place) {
		this.#place = place;
	}

	/** The next rows that were read there, with their positions. */
	of(rows: Row[]): NewRow[] {
		return rows.map((row) => {
			const content = JSON.stringify(row);
			return { position: `${this.#place.position}:${this.#next(content)}`, content };
		});
	}

	#next(content: string): string {
		if (!this.#place.scrolling) return String(this.#count++);
		const occurrence = (this.#occurrences.get(content) ?? 0) + 1;
		this.#occurrences.set(content, occurrence);
		const hash = createHash('sha256').update(content).digest('base64url');
		return `${hash}:${occurrence}`;
	}
}
