import { createHash } from 'node:crypto';
import { PageError, type Row } from '../pages/page.ts';

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
 * Gives each row its position. While scrolling, the rows of earlier rounds come again, wherever they
 * are on the page then: there a position is the row's content and which one of that content it is.
 */
export function positioned(rows: Row[], place: Place): { position: string; content: string }[] {
	const occurrences = new Map<string, number>();
	return rows.map((row, index) => {
		const content = JSON.stringify(row);
		if (!place.scrolling) return { position: `${place.position}:${index}`, content };
		const occurrence = (occurrences.get(content) ?? 0) + 1;
		occurrences.set(content, occurrence);
		const hash = createHash('sha256').update(content).digest('base64url');
		return { position: `${place.position}:${hash}:${occurrence}`, content };
	});
}
