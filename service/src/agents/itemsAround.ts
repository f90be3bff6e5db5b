import { shortened } from '../text/shortened.ts';
import type { Place } from './place.ts';

/** Characters that are said of the items around one. */
const maxSaid = 500;

/** What is worked on at a place, for people, with the items of the lists around it: `element 2 of .card in red lamp`. */
export function inItems(what: string, { within }: Pick<Place, 'within'>): string {
	return within === undefined ? what : `${what} in ${shortened(within, maxSaid)}`;
}

/** Where an item of a list at a place is worked on. `what`: for people. */
export function insideItem(place: Place, index: number, what: string) {
	return { ...place, position: `${place.position}.${index}`, within: inItems(what, place) };
}
