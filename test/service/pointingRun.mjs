// Points at things on pages, each of which is a line of standard input, and prints a line for each:
// { before, pointedAt: [mark, mark], columns: [mark], after }, two HTML pages with data-mark in them.
import { createInterface } from 'node:readline';
import { parseHtml } from '../../service/src/pages/http/parseHtml.ts';
import { innerText } from '../../service/src/pages/http/innerText.ts';
import { all, first } from '../../service/src/pages/http/select.ts';
import { columnOf } from '../../service/src/pages/http/pointing/column.ts';
import { listOf } from '../../service/src/pages/http/pointing/entries.ts';
import { selectorOfList } from '../../service/src/pages/http/pointing/selectorOf.ts';
import { ancestorsOf } from '../../service/src/pages/http/pointing/tree.ts';

function pointed({ before, pointedAt, columns, after }) {
	const page = parseHtml(before);
	const marked = (mark) => first(`[data-mark="${mark}"]`, page);
	const list = listOf(...pointedAt.map(marked));
	const selector = list && selectorOfList(list, page);
	if (selector === undefined) return { entries: list?.entries.map(markOf) ?? [] };
	const { entries } = list;
	const found = columns.map((mark) => {
		const element = marked(mark);
		const entry = [element, ...ancestorsOf(element)].find((each) => entries.includes(each));
		return entry && columnOf(element, entry, entries);
	});
	const later = all(selector, parseHtml(after));
	return {
		entries: entries.map(markOf),
		selector,
		columns: found.map((column) => column?.selector),
		later: later.map((entry) => ({
			mark: markOf(entry),
			values: found.map((column) => column && valueOf(column.selector, entry)),
		})),
	};
}

function valueOf(selector, entry) {
	const element = selector === undefined ? entry : first(selector, entry);
	return element ? innerText(element).trim() : '';
}

/** Of an entry, or of the only one in an element that is around it alone. */
function markOf(element) {
	const marked = element.attribs['data-mark'] ? [element] : all('[data-mark^="entry-"]', element);
	return marked.length === 1 ? marked[0].attribs['data-mark'] : '';
}

for await (const line of createInterface({ input: process.stdin })) {
	console.log(JSON.stringify(pointed(JSON.parse(line))));
}
