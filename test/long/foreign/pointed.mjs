// Points at things on pages with the service's own code, and prints what that makes of it as JSON.
// Standard input: [{ page, pointedAt: [text, text], columns: [text] }], or
// [{ page, pointedAt: [text or selector], elsewhere: [page] }].
import { json } from 'node:stream/consumers';
import { innerText } from '../../../service/src/pages/http/innerText.ts';
import { readDocument } from '../../../service/src/pages/http/readDocument.ts';
import { all, first } from '../../../service/src/pages/http/select.ts';
import { columnOf } from '../../../service/src/picker/document/column.ts';
import { listOf } from '../../../service/src/picker/document/list.ts';
import {
	selectorOfElement,
	selectorOfList,
} from '../../../service/src/picker/selectors/selectorOf.ts';
import { ancestorsOf } from '../../../service/src/picker/selectors/tree.ts';

const pages = new Map();

async function pageAt(address) {
	if (!pages.has(address)) {
		const answer = await fetch(address);
		const body = new Uint8Array(await answer.arrayBuffer());
		const { page } = readDocument(body, answer.headers.get('content-type') ?? '');
		const texts = new Map();
		for (const element of all('body *', page)) {
			const text = textOf(element);
			texts.set(text, [...(texts.get(text) ?? []), element]);
		}
		pages.set(address, { page, texts });
	}
	return pages.get(address);
}

function textOf(element) {
	return innerText(element).replace(/\s+/g, ' ').trim();
}

/** The innermost elements with exactly this text; after "#2" only the second. */
function elementWith(said, texts, isMeant = () => true) {
	const [, text, place = '1'] = /^(.*?)(?:#(\d+))?$/s.exec(said);
	const having = (texts.get(text) ?? []).filter(isMeant);
	const around = new Set(having.flatMap(ancestorsOf));
	const found = having.filter((each) => !around.has(each))[Number(place) - 1];
	if (!found) throw new Error(`There is no "${said}"`);
	return found;
}

function pointAtList({ page, texts }, [one, other], columns) {
	const list = listOf(elementWith(one, texts), elementWith(other, texts));
	if (!list) throw new Error('No list');
	const { entries } = list;
	const begun = performance.now();
	const selector = selectorOfList(list, page);
	const milliseconds = Math.round(performance.now() - begun);
	const found = selector === undefined ? [] : all(selector, page);
	return {
		entries: entries.length,
		first: textOf(entries.at(0)),
		last: textOf(entries.at(-1)),
		selector,
		isExact: found.length === entries.length && entries.every((each) => found.includes(each)),
		milliseconds,
		columns: columns.map((said) => columnFor(said, entries, texts)),
	};
}

function columnFor(said, entries, texts) {
	const entryOf = (element) => [element, ...ancestorsOf(element)].find((each) => inside.has(each));
	const inside = new Set(entries);
	try {
		const element = elementWith(said, texts, (each) => entryOf(each) !== undefined);
		const { name, selector } = columnOf(element, entryOf(element), entries);
		const values = entries.map((entry) => {
			const found = selector === undefined ? entry : first(selector, entry);
			return found ? textOf(found) : '';
		});
		return {
			name,
			selector,
			found: values.filter((value) => value !== '').length,
			last: values.at(-1),
			isAtOwnPlace: values[entries.indexOf(entryOf(element))] === textOf(element),
		};
	} catch (error) {
		return { failure: error.message };
	}
}

async function pointAtElement({ page, texts }, [said], elsewhere) {
	const isText = texts.has(said.replace(/#\d+$/, ''));
	const element = isText ? elementWith(said, texts) : first(said, page);
	const begun = performance.now();
	const selector = selectorOfElement(element, page);
	const milliseconds = Math.round(performance.now() - begun);
	const found = all(selector, page);
	const others = await Promise.all(elsewhere.map(pageAt));
	return {
		selector,
		isExact: found.length === 1 && found[0] === element,
		milliseconds,
		is: shownBy(element),
		elsewhere: others.map((other) => shownBy(first(selector, other.page))),
	};
}

/** The text of an element, and where a link around it leads. */
function shownBy(element) {
	if (!element) return [];
	const link = [element, ...ancestorsOf(element)].find(({ name }) => name === 'a');
	return [textOf(element), link?.attribs.href].filter(Boolean);
}

const results = [];
for (const { page, pointedAt, columns, elsewhere } of await json(process.stdin)) {
	try {
		const read = await pageAt(page);
		results.push(
			columns
				? pointAtList(read, pointedAt, columns)
				: await pointAtElement(read, pointedAt, elsewhere),
		);
	} catch (error) {
		results.push({ failure: error.message });
	}
}
console.log(JSON.stringify(results));
