import { isTag, type Element } from 'domhandler';
import { findAll, textContent } from 'domutils';
import { foldSpaces } from '../../pages/fieldValue.ts';
import type { HtmlDocument } from '../../pages/http/htmlDocument.ts';
import { all } from '../../pages/http/select.ts';
import { ancestorsOf } from '../selectors/tree.ts';

/** What the entries of a page are: names of elements, and what each of them says. */
export interface SaidEntries {
	names: string[];
	texts: string[];
}

/** What entries say, by which they are known on another page. */
export function saidEntries({ page }: HtmlDocument, entries: string): SaidEntries {
	const found = all(entries, page);
	return { names: [...new Set(found.map(({ name }) => name))], texts: found.map(textOf) };
}

/** Whether most of the entries of another page stand on this one, outside of its own. */
export function standElsewhere(
	{ page }: HtmlDocument,
	entries: string,
	{ names, texts }: SaidEntries,
): boolean {
	const own = new Set(all(entries, page));
	const isOther = (element: Element) =>
		names.includes(element.name) &&
		![element, ...ancestorsOf(element)].some((each) => own.has(each));
	const others = new Set(findAll(isOther, page.children.filter(isTag)).map(textOf));
	return texts.filter((text) => text !== '' && others.has(text)).length * 2 > texts.length;
}

function textOf(element: Element): string {
	return foldSpaces(textContent(element));
}
