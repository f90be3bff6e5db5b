import { setImmediate as nextTurn } from 'node:timers/promises';

let last = Promise.resolve();

/**
 * Resolves in a turn of the event loop that nobody else has got here: of all that is done piece by piece, one piece is
 * done between two requests, however many wait for theirs.
 */
export function ownTurn(): Promise<void> {
	last = last.then(() => nextTurn());
	return last;
}
