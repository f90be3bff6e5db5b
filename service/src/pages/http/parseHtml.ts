import { load, type CheerioAPI } from 'cheerio';
import { adapter } from 'parse5-htmlparser2-tree-adapter';
import { PageError } from '../page.ts';

/** Parsed and stored in about a second, in which the service does nothing else. */
const maximumElements = 100_000;
/** The parser looks through all open elements at each tag. */
const maximumDepth = 2_000;

/** Parses a page; throws a PageError at more than 100,000 elements, or 2,000 in one another. */
export function parseHtml(html: string): CheerioAPI {
	let elements = 0;
	let depth = 0;
	return load(html, {
		treeAdapter: {
			...adapter,
			createElement(...element) {
				elements += 1;
				if (elements > maximumElements) {
					throw new PageError(`The page has more than ${maximumElements} elements.`);
				}
				return adapter.createElement(...element);
			},
			onItemPush() {
				depth += 1;
				if (depth > maximumDepth) {
					throw new PageError(`The page has more than ${maximumDepth} elements in one another.`);
				}
			},
			onItemPop() {
				depth -= 1;
			},
		},
	});
}
