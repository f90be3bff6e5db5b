import type { Element } from 'domhandler';
import { first } from '../../pages/http/select.ts';
import { childrenOf, othersBeside } from './tree.ts';

/** Levels below an entry that are looked at for what it alone has. */
const maxDepth = 5;
/** Ways down an entry that are compared with the other entries. */
const maxCompared = 60;
/** Of those the ones that become selectors. */
const maxFound = 3;

/** Ways down from the entries that each of them has, and nothing of their name beside them: by them alone they are told apart. */
export function waysOnlyInside(entries: Element[]): string[] {
	const [entry, ...others] = entries;
	const beside = othersBeside(entries);
	if (!entry || beside.length === 0) return [];
	const isIn = (path: string) => (element: Element) => first(`> ${path}`, element) !== undefined;
	return waysDown(entry)
		.filter((path) => others.every(isIn(path)) && !beside.some(isIn(path)))
		.slice(0, maxFound);
}

/** The names of what is in an element, level by level, as far down as entries are built. */
function waysDown(element: Element): string[] {
	const ways = new Set<string>();
	let level = childrenOf(element).map((each) => ({ each, way: each.name }));
	for (let depth = 0; depth < maxDepth && ways.size < maxCompared; depth += 1) {
		for (const { way } of level) ways.add(way);
		level = level.flatMap(({ each, way }) =>
			childrenOf(each).map((child) => ({ each: child, way: `${way} > ${child.name}` })),
		);
	}
	return [...ways];
}
