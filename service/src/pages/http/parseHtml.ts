import type { Document } from 'domhandler';
import { parse } from 'parse5';
import { adapter, type Htmlparser2TreeAdapterMap } from 'parse5-htmlparser2-tree-adapter';
import { PageError } from '../page.ts';

/** The parser looks through all open elements at each tag; browsers stop at 512. */
const maximumDepth = 2_000;

/** Parses a page; throws a PageError at more than 2,000 elements in one another. */
export function parseHtml(html: string): Document {
	let depth = 0;
	return parse<Htmlparser2TreeAdapterMap>(html, {
		treeAdapter: {
			...adapter,
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
