import { isTag, type Element } from 'domhandler';
import { textContent } from 'domutils';
import { closest } from './controls.ts';
import { first, isForeign } from './select.ts';

/** In a feed, the links that lead to an entry's own page: `self`, `edit` and others lead elsewhere. */
const feedLinks = 'link:not([rel]), link[rel="alternate" i], a[href]';
/** The entries of a sitemap, which have the address in their `loc`. */
const sitemapEntry = /^(url|sitemap)$/;

/** The link that an element is, or is in: `link[rel=next]` too, which nobody sees. */
export function linkAround(element: Element): Element | undefined {
	return closest(element, (each) => addressOf(each) !== undefined);
}

/** The link that an element is, is in, or has. */
export function linkOf(element: Element): Element | undefined {
	return linkAround(element) ?? first(linksIn(element), element);
}

function linksIn(element: Element): string {
	if (!isForeign(element)) return 'a[href]';
	return sitemapEntry.test(element.name) ? ':scope > loc' : feedLinks;
}

/** What a link leads to, as it says it: in RSS and in sitemaps, by its text. Undefined for what is no link. */
export function addressOf(element: Element): string | undefined {
	const { name, attribs, parent } = element;
	const isPlace =
		name === 'loc' && parent !== null && isTag(parent) && sitemapEntry.test(parent.name);
	if (name !== 'a' && name !== 'link' && !isPlace) return undefined;
	if (attribs.href !== undefined || name === 'a' || !isForeign(element)) return attribs.href;
	return textContent(element).trim() || undefined;
}

/** Whether a class of a link, or of what it stands in, says that it is disabled: style sheets make it look so. */
export function looksDisabled(link: Element): boolean {
	const around = link.parent && isTag(link.parent) ? [link.parent] : [];
	return [link, ...around].some(({ attribs }) =>
		/(?:^|[\s_-])disabled(?:$|\s)/i.test(attribs.class ?? ''),
	);
}
