import { isRead, type Fingerprint } from '../pages/seenPages.ts';

/** Whether most rows of a list were there before, and others were not. */
export function keepsMost(now: string[], before: string[]): boolean {
	const there = new Set(now);
	const kept = before.filter((row) => there.has(row)).length;
	return before.length > 1 && kept * 2 > before.length && kept < there.size;
}

/**
 * Whether a page that has come again is the one that it was: where its address does not tell, it says half at least
 * of what its rows said. Lists change meanwhile, and so do clocks in them; another list has other rows.
 */
export function isBack(now: Fingerprint, before: Fingerprint): boolean {
	const said = valuesIn(before);
	if (before.byAddress || said.size === 0) return !isRead(before.read) || isRead(now.read);
	const there = valuesIn(now);
	return [...said].filter((value) => there.has(value)).length * 2 >= said.size;
}

/**
 * Whether a page whose entries clicks may have opened since is another one all the same: that has more rows than before,
 * or less than half of the words by which those differed. Where none was read before such clicks, nothing tells.
 */
export function hasOtherEntries(now: Fingerprint, before: Fingerprint): boolean {
	if (before.each.length === 0) return false;
	if (now.each.length > before.each.length) return true;
	const [there, said] = [wordsIn(now), wordsIn(before)];
	const own = [...said].filter(([, rows]) => rows === 1).map(([word]) => word);
	return own.length === 0 || own.filter((word) => there.has(word)).length * 2 < own.length;
}

/** In how many rows each word is. */
function wordsIn({ each }: Fingerprint): Map<string, number> {
	const rows = new Map<string, number>();
	for (const row of each) {
		const words = textsIn(JSON.parse(row)).flatMap((text) => text.split(/\s+/));
		for (const word of new Set(words)) rows.set(word, (rows.get(word) ?? 0) + 1);
	}
	return rows;
}

/** What the rows of a page say, each value once. */
function valuesIn({ each }: Fingerprint): Set<string> {
	return new Set(each.flatMap((row) => textsIn(JSON.parse(row))));
}

function textsIn(said: unknown): string[] {
	if (typeof said === 'string') return said.trim() === '' ? [] : [said];
	return said instanceof Object ? Object.values(said).flatMap(textsIn) : [];
}
