import type { SeenRequest } from '../../support/scriptedService/scriptedService';
import type { Fault } from './faults';
import type { Place } from './places';

export type Often = 'once' | 'always';

/** A run that is waited for outlives a fault that is over after so many requests. */
export const whileWaiting = 6;

const tries = 4;

/** What the place's endpoint must see, and whether the operation succeeds all the same. */
export interface Expectation {
	/** How many exactly; absent where it is tried for minutes. */
	requests: number | undefined;
	succeeds: boolean;
}

/** What is right for a fault at a place; `hit` is the request that it hit. */
export function expectation(
	fault: Fault,
	{ kind, endpoint, before, inAll, rows, isFirst, isWanted }: Place,
	often: Often,
	hit: SeenRequest | undefined,
): Expectation {
	const fails = (requests: number) => ({ requests, succeeds: false });
	const succeeds = (requests: number) => ({ requests, succeeds: true });
	if (fault.sentAgain === 'none needed') return succeeds(inAll);
	// The start is asked for all the same, and says what is wrong.
	if (endpoint === 'batchesBefore') return succeeds(inAll);
	if (isWanted && often === 'always') return { requests: undefined, succeeds: false };
	if (isWanted) return succeeds(inAll + 1);
	if (fault.sentAgain === 'reads, with smaller pages' && kind === 'read') {
		const size = Number(hit?.query.size);
		if (often === 'always') return fails(before + 1 + Math.floor(Math.log2(size)));
		if (endpoint !== 'data') return succeeds(inAll + 1);
		// Pages of two become pages of one; behind page 1 it is asked first whether a row alone comes.
		const alone = before > 0 ? 1 : 0;
		return succeeds(before + 1 + alone + (rows.length - before * size));
	}
	const reads =
		fault.sentAgain === 'reads' ||
		(fault.sentAgain === 'reads of a service that has answered' && !isFirst);
	const isOnce = fault.sentAgain === 'the same, but once' && !isFirst && kind !== 'act';
	if (isOnce) return often === 'once' ? succeeds(inAll + 1) : fails(before + 2);
	const again = fault.sentAgain === 'all' || (reads && kind !== 'act');
	const outlived = kind === 'wait' && fault.passes;
	if (!again && !outlived) return fails(before + 1);
	if (often === 'once') return succeeds(inAll + 1);
	return outlived ? succeeds(inAll + whileWaiting) : fails(before + tries);
}

/** How an error is shown, and what it says: that rows are missing where the service gives no further page. */
export function errorOf(
	{ sentAgain, shown, message }: Fault,
	{ endpoint, before }: Place,
): Pick<Fault, 'shown' | 'message'> {
	const isGap = sentAgain === 'reads, with smaller pages' && endpoint === 'data' && before > 0;
	return isGap ? { shown: 'no answer', message: 'refuses to return the rest' } : { shown, message };
}

/** What an error says of a start or stop that it hit. */
export function certainty(fault: Fault, { endpoint, kind }: Place): string {
	if (kind !== 'act') return '';
	const done = endpoint === 'start' ? 'started' : 'stopped';
	if (fault.address || fault.isTurnedAway || fault.sentAgain === 'all')
		return `The task was not ${done}.`;
	return fault.inDoubt ? `The task may have been ${done} anyway.` : '';
}
