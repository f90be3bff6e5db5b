import type { Element } from 'domhandler';
import { state } from '../selectors/nameLists.ts';
import { semanticStem } from '../selectors/stableNames.ts';
import { childrenOf, classesOf, siblingsOf } from '../selectors/tree.ts';

/** Items of lists: their name says that they are entries, whatever is in them. */
const items = new Set(['li', 'dt', 'dd']);

/**
 * Those of some elements, all of one name, that are of the kind of two of them. Classes say it: the one
 * that most of the elements have tells entries from what else is among them; another one does so only
 * if those without it have nothing like what was pointed at, and are no entries of another category. One
 * that says a state tells no entries from those of another state.
 * `inside`: the names from below them down to what was pointed at.
 */
export function ofKind(peers: Element[], a: Element, b: Element, inside: string[]): Element[] {
	const shape = shapeOf(a);
	const isLike = (each: Element) =>
		inside.length > 0 ? has(each, inside) : shapeOf(each) === shape;
	const own = stemsOf(a);
	const isOtherwise = (each: Element) =>
		isLike(each) && [...stemsOf(each)].every((stem) => own.has(stem) || state.test(stem));
	let kind = peers;
	let isSaid = false;
	for (const stem of sharedStems(a, b, peers)) {
		const others = kind.filter((each) => !stemsOf(each).has(stem));
		const isOfKind = isSaid
			? !others.some(isLike)
			: !isStripe(stem, siblingsOf(a).filter(isLike)) &&
				!(state.test(stem) && others.some(isOtherwise));
		if (!isOfKind) continue;
		kind = kind.filter((each) => stemsOf(each).has(stem));
		isSaid = true;
	}
	return isSaid || items.has(a.name) ? kind : kind.filter(isLike);
}

/** Whether there is something at the end of a path of names. */
export function has(element: Element, path: string[]): boolean {
	const [name, ...rest] = path;
	return (
		name === undefined ||
		childrenOf(element).some((child) => child.name === name && has(child, rest))
	);
}

/** What the classes of two elements have in common, that of most of their peers first. */
function sharedStems(a: Element, b: Element, peers: Element[]): string[] {
	const others = stemsOf(b);
	const count = (stem: string) => peers.filter((each) => stemsOf(each).has(stem)).length;
	return [...stemsOf(a)]
		.filter((stem) => others.has(stem))
		.map((stem) => ({ stem, count: count(stem) }))
		.sort((one, other) => other.count - one.count)
		.map(({ stem }) => stem);
}

/** What the classes of an element say about its kind. */
export function stemsOf(element: Element): Set<string> {
	return new Set(classesOf(element).flatMap((name) => semanticStem(name) ?? []));
}

/** Whether every other one of some siblings has it, as the rows of a striped table have. */
function isStripe(stem: string, siblings: Element[]): boolean {
	const having = siblings.map((each) => stemsOf(each).has(stem));
	return (
		having.length > 2 && having.every((has, index) => index === 0 || has !== having[index - 1])
	);
}

function shapeOf(element: Element): string {
	return childrenOf(element)
		.map(({ name }) => name)
		.join();
}
