import type { Document, Element } from 'domhandler';
import { state } from './nameLists.ts';
import { stableClasses } from './stableNames.ts';
import { childrenOf, classesOf, pageOf } from './tree.ts';

/**
 * The classes by which a selector tells entries that say how they are, and not what they are: an adjective
 * ("unread"), or one that stands on the page only beside another one, which others have as well.
 */
export function statesIn(selector: string, [entry]: Element[]): string[] {
	const [last = ''] = selector.replace(/\[.*?\]|\(.*\)/g, '').match(/[^\s>+]*$/) ?? [];
	const names = [...last.matchAll(/\.([^.:]+)/g)].flatMap(([, name]) => name ?? []);
	return names.filter((name) => entry && (state.test(name) || isOfSome(name, entry)));
}

/** "pinned" of "thread pinned", where there are other threads. */
function isOfSome(name: string, element: Element): boolean {
	const page = pageOf(element);
	if (!page) return false;
	const having = havingClasses(page);
	const own = having.get(name) ?? [];
	return stableClasses(element).some(
		(other) =>
			(having.get(other)?.length ?? 0) > own.length &&
			own.every((each) => classesOf(each).includes(other)),
	);
}

const known = new WeakMap<Document, Map<string, Element[]>>();

/** The elements of a page by their classes. */
function havingClasses(page: Document): Map<string, Element[]> {
	const before = known.get(page);
	if (before) return before;
	const found = new Map<string, Element[]>();
	const collect = (parent: Document | Element) => {
		for (const element of childrenOf(parent)) {
			for (const name of classesOf(element)) {
				const having = found.get(name);
				if (having) having.push(element);
				else found.set(name, [element]);
			}
			collect(element);
		}
	};
	collect(page);
	known.set(page, found);
	return found;
}
