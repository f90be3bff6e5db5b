import { randomInt } from 'node:crypto';

/** Identifiers are the milliseconds since then, followed by random bits. */
const epoch = Date.UTC(2020, 0, 1);

/** With 13 bits they are exact numbers of JavaScript until 2054; with 22 they have 60 bits. */
const randomBits = { small: 13, large: 22 };

/** What identifiers of a size are below: of small ones the first that JavaScript does not hold exactly. */
export function identifierLimit(large: boolean): bigint {
	return large ? 2n ** 63n - 1n : 2n ** 53n;
}

/**
 * An identifier above the `newest` of its size, whatever the clock says. Where that has been ahead, the newest batch may
 * be deleted and another one started again and again: by the random bits, it is not the one that was deleted.
 */
export function identifierAfter(newest: bigint, now: number, large: boolean): bigint {
	const bits = large ? randomBits.large : randomBits.small;
	const random = BigInt(randomInt(2 ** bits));
	const fromClock = (BigInt(now - epoch) << BigInt(bits)) + random;
	return fromClock > newest ? fromClock : newest + 1n + random;
}
