import type { Element } from 'domhandler';
import type { HtmlDocument } from '../../pages/http/htmlDocument.ts';
import { linkOf } from '../../pages/http/links.ts';
import { all, first } from '../../pages/http/select.ts';
import { PageError } from '../../pages/page.ts';
import { selectorOfElement } from '../selectors/selectorOf.ts';
import { ancestorsOf } from '../selectors/tree.ts';
import { columnOf } from './column.ts';
import { nameOf } from './columnName.ts';
import { elementOf } from './numbering.ts';
import { selectorWithoutStruckOut } from './struckOut.ts';

/** A column that was found by an element of it. */
export interface FoundColumn {
	name: string;
	/** What people want of it, unless they say something else. */
	usual: 'text' | 'href' | 'src';
	/** Where each is to be found that the column can hold. */
	selectors: {
		text: FoundSelector;
		href?: FoundSelector;
		src?: FoundSelector;
		datetime?: FoundSelector;
	};
}

/** Inside of an entry, or on the page without entries; without a selector: the entry itself. */
export interface FoundSelector {
	selector: string | undefined;
}

/**
 * An element of an entry stands for a column; `entries`: their selector, without which the page is one;
 * `alike`: the same in another entry.
 */
export function foundColumn(
	{ page }: HtmlDocument,
	entries: string | undefined,
	number: number,
	alike?: number,
): FoundColumn {
	const element = elementOf(number, page);
	const usual = element.name === 'img' ? 'src' : 'text';
	if (entries === undefined) {
		const onPage = (each: Element) => ({
			selector: selectorWithoutStruckOut(selectorOfElement(each, page), each),
		});
		const selectors = { text: onPage(element), ...linkPictureAndTime(element, onPage) };
		return { name: nameOf(element), usual, selectors };
	}
	const found = all(entries, page);
	const around = new Set([element, ...ancestorsOf(element)]);
	const entry = found.find((each) => around.has(each));
	if (!entry) {
		throw new PageError('This is in no entry of the list: point at something inside one.');
	}
	const other = alike === undefined ? undefined : elementOf(alike, page);
	const inEntry = (each: Element) => {
		const isInside = each === entry || ancestorsOf(each).includes(entry);
		return isInside
			? { selector: columnOf(each, entry, found, { isExact: true, alike: other }).selector }
			: undefined;
	};
	const { selector, name, isSameLink } = columnOf(element, entry, found, { alike: other });
	return {
		name,
		usual: isSameLink ? 'href' : usual,
		selectors: { text: { selector }, ...linkPictureAndTime(element, inEntry) },
	};
}

/** Where the link, the picture and the time for machines are to be found that an element is or has. */
function linkPictureAndTime(
	element: Element,
	selectorOf: (element: Element) => FoundSelector | undefined,
): Omit<FoundColumn['selectors'], 'text'> {
	const link = linkOf(element);
	const picture = element.name === 'img' ? element : first('img', element);
	const href = link && selectorOf(link);
	const src = picture && selectorOf(picture);
	const time =
		[element, ...ancestorsOf(element).slice(0, 1)].find(isTime) ?? first(timeTag, element);
	const datetime = time && selectorOf(time);
	return { ...(href && { href }), ...(src && { src }), ...(datetime && { datetime }) };
}

/** A time that says itself for machines, too. */
const timeTag = 'time[datetime]';

function isTime({ name, attribs }: Element): boolean {
	return name === 'time' && attribs.datetime !== undefined;
}
