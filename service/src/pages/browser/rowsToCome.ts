/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import type { RowsToCome } from '../page.ts';
import type { Scrolls } from './scrolls.ts';

/**
 * Which rows are still to come, of a list that holds only those that are in sight. Its script leaves room for the others:
 * an element with a height of its own (`style`), of which the part below the rows, out of sight, is empty; or has rows
 * there that say nothing yet.
 */
export type RowsToComeOf = (rows: Element[]) => RowsToCome | undefined;

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepRowsToCome(
	own: <Target extends Node>(node: Target) => Target,
	{ scrollerOf }: Scrolls,
): RowsToComeOf {
	const boxOf = (element: Element) => own(element).getBoundingClientRect();
	const parentOf = (element: Element) => own(element).parentElement;
	/** Pixels that a script has given to an element, or to what is in it below all else. */
	const isGivenRoom = (element: Element) => {
		if (!(element instanceof HTMLElement)) return false;
		const { height, minHeight, paddingBottom, marginBottom } = own(element).style;
		return [height, minHeight, paddingBottom, marginBottom].some((each) => each.endsWith('px'));
	};
	const says = (element: Element) =>
		/\S/.test(own(element).textContent ?? '') ||
		own(element).matches('img, picture, svg, canvas, video, iframe') ||
		own(element).querySelector('img, picture, svg, canvas, video, iframe') !== null;
	const nameOf = (element: Element) => {
		const { id, classList, localName } = own(element);
		const [first] = classList;
		if (id) return `#${CSS.escape(id)}`;
		return first === undefined ? localName : `.${CSS.escape(first)}`;
	};

	/** How many rows are looked at, out of sight and before. */
	const most = 500;

	return (rows) => {
		const [first, last] = [rows[0], rows.at(-1)];
		if (!first || !last || first === last) return undefined;
		let list = parentOf(first);
		while (list && !own(list).contains(last)) list = parentOf(list);
		if (!list) return undefined;
		const scroller = scrollerOf(list);
		const inside: Element[] = [];
		const outer: (Element | undefined)[] = [scroller, document.body, document.documentElement];
		for (let each: Element | null = list; each && !outer.includes(each); each = parentOf(each))
			inside.push(each);
		const places = rows.map(boxOf);
		const boxes = places.filter(({ height }) => height > 0);
		// More numbers than a call takes arguments, perhaps.
		const highest = (all: number[]) => all.reduce((most, each) => Math.max(most, each), -Infinity);
		const bottom = highest(boxes.map((box) => box.bottom));
		const size = (bottom + highest(boxes.map((box) => -box.top))) / boxes.length;
		const seen = scroller ? boxOf(scroller).bottom : innerHeight;
		const beside = [...inside, ...(scroller ? [scroller] : [])]
			.flatMap((each) => [...own(each).children])
			.filter((each) => !inside.includes(each));
		const named = scroller && { scroller: nameOf(scroller) };
		const start = places.findIndex(({ top }) => top >= seen);
		const isHigh = (_: Element, place: number) => (places[start + place]?.height ?? 0) > 0;
		const below = start < 0 ? [] : rows.slice(start, start + most).filter(isHigh);
		const bare = below.filter((row) => !says(row));
		const isFilled = rows.slice(Math.max(0, start - most), Math.max(0, start)).every(says);
		if (isFilled && start > 0 && bare.length > 1 && 2 * bare.length > below.length) {
			const count = Math.round((bare.length / below.length) * (rows.length - start));
			return { count, ...named };
		}
		// In the middle of a page, a picture or an advertisement may still be to come.
		const spacer = scroller ? 0 : seen;
		const isRoom = (each: Element) =>
			isGivenRoom(each) &&
			boxOf(each).bottom > bottom &&
			boxOf(each).height > spacer &&
			!says(each);
		const given = [...inside.filter(isGivenRoom), ...beside.filter(isRoom)];
		const end = highest(given.map((each) => boxOf(each).bottom));
		const count = Math.round((end - bottom) / size);
		// Whatever is in sight is there, so what is left begins below that.
		if (!(Number.isFinite(count) && count > 0 && bottom >= seen - 1)) return undefined;
		const isInRoom = ({ top, bottom: low }: DOMRect) => top < end - 1 && low > bottom + 1;
		if (beside.some((each) => isInRoom(boxOf(each)) && says(each))) return undefined;
		return { count, ...named };
	};
}
