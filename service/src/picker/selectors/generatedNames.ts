import { isTag, type Document, type Element, type ParentNode } from 'domhandler';
import { fiveLetters, rarePair } from './nameLists.ts';
import { classesOf, pageOf } from './tree.ts';

/** A name of one word, as tools make them up, with what some of them put before it. */
const bareName = /^(?:_|[a-z]{1,2}-)?([a-z]{5,8})$/i;

/** What stands behind two underscores: a part of a block ("card__title"), or what CSS modules put there. */
const moduleName = /__([\w-]+)$/;

/** As many tools set CSS modules up: "Card_title__x1Y2z". */
const usualModuleName = /^[a-z\d-]+_[a-z\d-]+__([\w-]{5})$/i;
/** Names of a pattern that a page must have, so that something can be said of them together. */
const minNames = 3;

/** Whether letters and digits look as if they were put together by chance. */
function isByChance(text: string): boolean {
	return rarePair.test(text) || /\d/.test(text);
}

/**
 * Whether a class is one of those that a tool has made up, as the others of its pattern on the page tell:
 * most names of one word are no words; or what CSS modules add has the same length in each.
 */
export function isGeneratedOnPage(name: string, element: Element): boolean {
	const page = pageOf(element);
	if (!page) return false;
	if (bareName.test(name)) return generatedOn(page).bare;
	const [, end] = usualModuleName.exec(name) ?? [];
	if (end !== undefined && !fiveLetters.test(end)) return true;
	return moduleName.test(name) && generatedOn(page).ofModules;
}

interface Generated {
	bare: boolean;
	ofModules: boolean;
}

const known = new WeakMap<Document, Generated>();

function generatedOn(page: Document): Generated {
	const before = known.get(page);
	if (before) return before;
	const names = [...namesIn(page)];
	const words = names.flatMap((name) => bareName.exec(name)?.[1] ?? []);
	const ends = names.flatMap((name) => moduleName.exec(name)?.[1] ?? []);
	const [end = ''] = ends;
	const found = {
		bare: words.length >= minNames && words.filter(isByChance).length >= words.length / 2,
		ofModules:
			end.length >= 5 && ends.every(({ length }) => length === end.length) && ends.some(isByChance),
	};
	known.set(page, found);
	return found;
}

function namesIn(parent: ParentNode, names = new Set<string>()): Set<string> {
	for (const child of parent.children) {
		if (!isTag(child)) continue;
		for (const name of classesOf(child)) names.add(name);
		namesIn(child, names);
	}
	return names;
}
