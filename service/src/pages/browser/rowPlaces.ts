/// <reference lib="dom" />
import type { Offset, RowPlace } from '../page.ts';
import type { Scrolls } from './scrolls.ts';

export type PlacesOfRows = (rows: Element[]) => RowPlace[];

/** Runs in a document, so it can use nothing that is outside of it. */
export function keepRowPlaces(
	own: <Target extends Node>(node: Target) => Target,
	{ scrollerOf, scrollerAcross }: Scrolls,
): PlacesOfRows {
	const numbers = new WeakMap<Element, number>();
	let count = 0;
	const numberOf = (element: Element) => {
		const known = numbers.get(element) ?? (count += 1);
		numbers.set(element, known);
		return known;
	};

	return (rows) => {
		const scrolledAround = new Map<Element | null, Offset>([[null, [0, 0]]]);
		const scrolledBy = (element: Element | null): Offset => {
			const known = scrolledAround.get(element);
			if (known || !element) return known ?? [0, 0];
			const { parentElement, scrollLeft, scrollTop } = own(element);
			const [x, y] = scrolledBy(parentElement);
			const all: Offset = [x + scrollLeft, y + scrollTop];
			scrolledAround.set(element, all);
			return all;
		};
		const [first] = rows;
		const list = first && own(first).parentElement;
		const scroller = list && scrollerOf(list);
		const box = scroller && own(scroller).getBoundingClientRect();
		const end = box ? box.bottom : innerHeight;
		const carousel = list && scrollerAcross(list);
		const aside = carousel && own(carousel).getBoundingClientRect();
		const isLeftward = carousel && getComputedStyle(carousel).direction === 'rtl';
		const isBeside = ({ left, right, width }: DOMRect) => {
			if (!aside || width > aside.width) return false;
			return isLeftward ? left < aside.left - 1 : right > aside.right + 1;
		};
		// What is higher than what is seen at once has been in sight with its foot.
		const isBelow = ({ bottom }: DOMRect) => bottom > end + 1;
		const isAhead = (place: DOMRect) => place.height > 0 && (isBelow(place) || isBeside(place));
		return rows.map((row) => {
			const place = own(row).getBoundingClientRect();
			const [x, y] = scrolledBy(own(row).parentElement);
			return {
				at: [place.left + x, place.top + y],
				seenAt: [place.left, place.top],
				element: numberOf(row),
				isAhead: isAhead(place),
			};
		});
	};
}
