import type { Element } from 'domhandler';
import type { PickedList } from '../selectors/candidates.ts';
import { has, ofKind, stemsOf } from './kind.ts';
import { stableClasses } from '../selectors/stableNames.ts';
import {
	ancestorsOf,
	childrenOf,
	commonAncestor,
	pathBelow,
	placeOf,
	siblingsOf,
} from '../selectors/tree.ts';

/**
 * The list that two elements are meant to stand for. Its entries are not always what was pointed at, but
 * mostly something around it: pointing at the names of two products means their cards. Undefined if one
 * of the two is in the other.
 */
export function listOf(a: Element, b: Element): PickedList | undefined {
	const container = commonAncestor(a, b);
	if (!container) return undefined;
	const [pathA, pathB] = [pathBelow(container, a), pathBelow(container, b)];
	if (!isAligned(pathA, pathB)) return listAtAnyDepth(container, a, b);
	const names = pathA.map(({ name }) => name);
	const level = entryLevel(pathA, pathB);
	let entries = [container];
	for (const [depth, stepA] of pathA.slice(0, level + 1).entries()) {
		const peers = entries.flatMap(childrenOf).filter(({ name }) => name === stepA.name);
		entries = ofKind(peers, stepA, pathB[depth] ?? stepA, names.slice(depth + 1));
	}
	return { container, entries, path: names.slice(0, level + 1), inside: names.slice(level + 1) };
}

/** The same names all the way down. */
function isAligned(a: Element[], b: Element[]): boolean {
	return a.length === b.length && a.every(({ name }, level) => name === b[level]?.name);
}

/**
 * How far below the container the entries are: where the two paths part last, or further down, where
 * what they go through is repeated. A row of a table is an entry, whatever is repeated in it.
 */
function entryLevel(a: Element[], b: Element[]): number {
	let level = 0;
	for (let each = 1; each < a.length; each += 1) {
		const [inA, inB] = [a[each], b[each]];
		if (inA && inB && placeOf(inA) !== placeOf(inB) && isOneOfMany(inA, inB)) level = each;
	}
	if (a.slice(0, level + 1).some(({ name }) => name === 'tr')) return level;
	for (let each = level + 1; each < a.length - 1; each += 1) {
		if (isRepeated(a, each)) level = each;
	}
	return level;
}

/** Whether one of two elements has another one of its kind beside it: the parts of an entry differ, and may be missing. */
function isOneOfMany(a: Element, b: Element): boolean {
	return [a, b].some((element) => {
		const kind = semanticKindOf(element);
		return siblingsOf(element).some((each) => each !== element && semanticKindOf(each) === kind);
	});
}

/** The name of an element, and all that its classes say now. */
function semanticKindOf(element: Element): string {
	return [element.name, ...[...stemsOf(element)].sort()].join('.');
}

/** What lists are made of, besides rows of tables. */
const blocks = new Set(['li', 'dt', 'dd', 'article', 'section', 'div', 'figure']);

/** Whether beside the element at a level there are others of its kind with the same inside. */
function isRepeated(path: Element[], level: number): boolean {
	const element = path[level];
	const parent = path[level - 1];
	const inside = path.slice(level + 1).map(({ name }) => name);
	if (!element || !parent || !blocks.has(element.name)) return false;
	const kind = kindOf(element);
	return childrenOf(parent).some(
		(each) => each !== element && kindOf(each) === kind && has(each, inside),
	);
}

/**
 * Two elements at different places in a container: what is around each of the same name and classes in it;
 * in a tree, where one is in what belongs to the other, in the whole tree.
 */
function listAtAnyDepth(container: Element, a: Element, b: Element): PickedList | undefined {
	if (a.name !== b.name) return undefined;
	const ofBoth = (top: Element) => ofKind(everyOf(top, a.name), a, b, []);
	const others = stableClasses(b);
	if (!stableClasses(a).some((name) => others.includes(name))) {
		return { container, entries: ofBoth(container), path: undefined, inside: [] };
	}
	const entriesIn = (top: Element) => outermostAlone(ofBoth(top));
	const near = entriesIn(container);
	const ofContainer = near.entries.find((each) => each.parent === container);
	const isAnswer = ofContainer && [a, b].some((each) => ancestorsOf(each).includes(ofContainer));
	const { entries, inside } = isAnswer ? entriesIn(treeAround(container)) : near;
	return { container: aroundAll(entries) ?? container, entries, path: undefined, inside };
}

/** What the outermost of the elements of a kind is in, of which one is in another. */
function treeAround(element: Element): Element {
	const kind = kindOf(element);
	const isSemantic = element.name === 'li' || stableClasses(element).length > 0;
	const outermost = ancestorsOf(element).findLast((each) => isSemantic && kindOf(each) === kind);
	const [tree] = ancestorsOf(outermost ?? element);
	return isSemantic && tree ? tree : element;
}

/** The most that is around each of some elements alone. `inside`: the names from below it down to the element. */
function outermostAlone(elements: Element[]): { entries: Element[]; inside: string[] } {
	const counts = new Map<Element, number>();
	for (const above of elements.flatMap(ancestorsOf))
		counts.set(above, (counts.get(above) ?? 0) + 1);
	let entries = elements;
	const inside: string[] = [];
	for (;;) {
		const parents = entries.flatMap((each) => ancestorsOf(each)[0] ?? []);
		const [parent] = parents;
		const isSame = parent && parents.every(({ name }) => name === parent.name);
		const [entry] = entries;
		const isAlone = parents.every((each) => counts.get(each) === 1);
		if (!isSame || !entry || !isAlone) return { entries, inside };
		inside.unshift(entry.name);
		entries = parents;
	}
}

/** The innermost element that all are in. */
function aroundAll(elements: Element[]): Element | undefined {
	const [first, ...others] = elements;
	let around = first ? ancestorsOf(first) : [];
	for (const each of others) {
		const above = new Set(ancestorsOf(each));
		around = around.filter((common) => above.has(common));
	}
	return around[0];
}

function everyOf(top: Element, name: string): Element[] {
	return childrenOf(top).flatMap((each) => [
		...(each.name === name ? [each] : []),
		...everyOf(each, name),
	]);
}

function kindOf(element: Element): string {
	return [element.name, ...stableClasses(element).sort()].join('.');
}
