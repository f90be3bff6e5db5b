import type { Element } from 'domhandler';
import { innerText } from '../../service/src/pages/http/innerText.ts';
import { parseHtml } from '../../service/src/pages/http/parseHtml.ts';
import { columnOf } from '../../service/src/picker/document/column.ts';
import { listOf } from '../../service/src/picker/document/list.ts';
import { selectorOfList } from '../../service/src/picker/selectors/selectorOf.ts';
import { ancestorsOf } from '../../service/src/picker/selectors/tree.ts';
import { all, first } from '../../service/src/pages/http/select.ts';

/** What pointing has found: the entries by their marks, their selector, and all of it on the page as it is later. */
interface Pointed {
	entries: string[];
	selector?: string;
	columns?: (string | undefined)[];
	later?: { mark: string; values: (string | undefined)[] }[];
}

/** Points at elements of a page by their `data-mark`, and looks for the same on the page as it is later. */
export function pointAt(asked: {
	before: string;
	pointedAt: string[];
	columns: string[];
	after: string;
}): Pointed {
	const page = parseHtml(asked.before);
	const marked = (mark: string | undefined) => {
		const element = first(`[data-mark="${mark}"]`, page);
		if (!element) throw new Error(`Nothing is marked ${mark}.`);
		return element;
	};
	const [one, other] = asked.pointedAt;
	const list = listOf(marked(one), marked(other));
	const selector = list && selectorOfList(list, page);
	if (list === undefined || selector === undefined) {
		return { entries: list?.entries.map(markOf) ?? [] };
	}
	const { entries } = list;
	const found = asked.columns.map((mark) => {
		const element = marked(mark);
		const entry = [element, ...ancestorsOf(element)].find((each) => entries.includes(each));
		const alike = mark === one ? marked(other) : undefined;
		return entry && columnOf(element, entry, entries, { alike });
	});
	const later = all(selector, parseHtml(asked.after));
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

function valueOf(selector: string | undefined, entry: Element): string {
	const element = selector === undefined ? entry : first(selector, entry);
	return element ? innerText(element).trim() : '';
}

/** Of an entry, or of the only one in an element that is around it alone. */
function markOf(element: Element): string {
	const marked = element.attribs['data-mark'] ? [element] : all('[data-mark^="entry-"]', element);
	return (marked.length === 1 && marked[0]?.attribs['data-mark']) || '';
}
