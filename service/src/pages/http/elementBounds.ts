import { PageError } from '../page.ts';

/** Parsers look through all open elements at each tag; browsers stop at 512. */
const maximumDepth = 2_000;

/** As many take some 300 MB; a thread that has no memory left may end the process. */
const maximumElements = 500_000;

/** Counts the elements of a page while it is parsed; throws a PageError at more than can be kept. */
export class ElementBounds {
	#elements = 0;
	#depth = 0;

	made(): void {
		this.#elements += 1;
		if (this.#elements > maximumElements) {
			throw new PageError(`The page has more than ${maximumElements} elements.`);
		}
	}

	opened(): void {
		this.#depth += 1;
		if (this.#depth > maximumDepth) {
			throw new PageError(`The page has more than ${maximumDepth} elements in one another.`);
		}
	}

	closed(): void {
		this.#depth -= 1;
	}
}
