import type { Document, Element } from 'domhandler';
import { all, first } from '../../pages/http/select.ts';
import { ancestorsOf } from '../selectors/tree.ts';
import { isCell } from './columnName.ts';

/** A place that a selector says; cells of a table keep theirs. */
const saidPlace = /(?<!t[dh]):(nth|last)-/;
const placeOfCell = /t[dh]:nth-/;

/** Cells that move those behind or below them. */
const mergedCells = ['colspan', 'rowspan']
	.flatMap((name) => ['td', 'th'].map((cell) => `${cell}[${name}]:not([${name}="1"])`))
	.join();

/** Whether a selector tells what it finds by its place among others. */
export function saysPlace(selector: string): boolean {
	return saidPlace.test(selector);
}

/**
 * Whether nothing but its place tells what a selector finds in entries, or on the page, from the rest of
 * them: the selector says a place, or it finds more than one in any of them, of which the first is read.
 */
export function goesByPlace(selector: string, roots: (Element | Document)[]): boolean {
	if (saysPlace(selector)) return true;
	const known = new Set<Element | Document>(roots);
	let isOfCell = placeOfCell.test(selector);
	for (const root of roots) {
		const own = ownIn(root, selector, known);
		if (own.length < 2) continue;
		if (!areCellsOfRow(own)) return true;
		isOfCell = true;
	}
	return isOfCell && roots.some((root) => first(mergedCells, root) !== undefined);
}

/** The most that a selector finds in an entry, or on the page, where those are more than the cells of a row. */
export function maxInOne(selector: string, roots: (Element | Document)[]): number {
	const known = new Set<Element | Document>(roots);
	const counts = roots
		.map((root) => ownIn(root, selector, known))
		.map((own) => (areCellsOfRow(own) ? 1 : own.length));
	return counts.reduce((most, count) => Math.max(most, count), 0);
}

/** Of entries in entries, as answers to a comment are, each has its own. */
function ownIn(
	root: Element | Document,
	selector: string,
	known: ReadonlySet<Element | Document>,
): Element[] {
	return all(selector, root).filter((each) => {
		const entry = [each, ...ancestorsOf(each)].find((around) => known.has(around));
		return entry === undefined || entry === root;
	});
}

function areCellsOfRow([one, ...others]: Element[]): boolean {
	return one !== undefined && isCell(one) && others.every(({ parent }) => parent === one.parent);
}
