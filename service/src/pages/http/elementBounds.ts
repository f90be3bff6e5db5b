import { PageError } from '../page.ts';

/** Parsers look through all open elements at each tag; browsers stop at 512. */
const maxDepth = 2_000;

/** As many take some 300 MB; a thread that has no memory left may end the process. */
const maxElements = 500_000;

/** Counts the elements of a page while it is parsed; throws a PageError at more than can be kept. */
export class ElementBounds {
	#elements = 0;
	#depth = 0;

	made(): void {
		this.#elements += 1;
		if (this.#elements > maxElements) {
			throw new PageError(`The page has more than ${maxElements} elements.`);
		}
	}

	opened(): void {
		this.#depth += 1;
		if (this.#depth > maxDepth) {
			throw new PageError(`The page has more than ${maxDepth} elements in one another.`);
		}
	}

	closed(): void {
		this.#depth -= 1;
	}
}
