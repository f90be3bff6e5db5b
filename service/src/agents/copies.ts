/** Fewer that differ may be there equally often by chance. */
const fewest = 5;

/**
 * How often each of these texts is there, where all are equally often, and more than once: a page has its list twice, as
 * for small and large screens with one of them hidden, or each entry leads to its page by two links.
 */
export function timesOfEach(texts: string[]): number | undefined {
	const [first] = texts;
	// Mostly that is all there is to look at.
	if (first === undefined || !texts.includes(first, 1)) return undefined;
	const counts = new Map<string, number>();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	const [times = 0, ...others] = new Set(counts.values());
	return others.length === 0 && times > 1 && counts.size >= fewest ? times : undefined;
}
