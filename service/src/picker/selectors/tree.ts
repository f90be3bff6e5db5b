import { isDocument, isTag, type Document, type Element, type ParentNode } from 'domhandler';

/** The elements that an element is in, the innermost first. */
export function ancestorsOf(element: Element): Element[] {
	const ancestors: Element[] = [];
	for (let above = element.parent; above && isTag(above); above = above.parent) {
		ancestors.push(above);
	}
	return ancestors;
}

/** The page that an element is in. */
export function pageOf(element: Element): Document | undefined {
	let above: ParentNode | null = element;
	while (above && !isDocument(above)) above = above.parent;
	return above ?? undefined;
}

/** Elements inside of an element or page. */
export function childrenOf(parent: Element | Document): Element[] {
	return parent.children.filter(isTag);
}

/** All elements of its name that are in the same parent, itself among them. */
export function siblingsOf({ parent, name }: Element): Element[] {
	return (parent?.children ?? []).filter(isTag).filter((each) => each.name === name);
}

/** What stands beside some elements, has their name, and is none of them. */
export function othersBeside(elements: Element[]): Element[] {
	const own = new Set(elements);
	const firsts = new Map(elements.map((each) => [each.parent, each]));
	return [...firsts.values()].flatMap(siblingsOf).filter((each) => !own.has(each));
}

/** Which one of its kind an element is among its siblings, from 1: `:nth-of-type`. */
export function placeOf(element: Element): number {
	return siblingsOf(element).indexOf(element) + 1;
}

/** The innermost element that both are in; undefined if one is in the other, or they share none. */
export function commonAncestor(a: Element, b: Element): Element | undefined {
	const above = new Set(ancestorsOf(a));
	if (a === b || above.has(b)) return undefined;
	const common = ancestorsOf(b);
	return common.includes(a) ? undefined : common.find((each) => above.has(each));
}

/** The elements from below `top` down to `element`, which is the last. */
export function pathBelow(top: Element, element: Element): Element[] {
	const above = ancestorsOf(element);
	return [...above.slice(0, above.indexOf(top)).reverse(), element];
}

/** All classes of an element, each once. */
export function classesOf({ attribs }: Element): string[] {
	return [...new Set((attribs.class ?? '').split(/\s+/).filter((name) => name !== ''))];
}
