import { isOutlived } from './outlived';
import { shiftedClock } from './shiftedClock';

/**
 * So many times shorter are pauses between tries and polls: `beside` a test that does something while
 * the node waits, or `alone`, where all that happens is an answer.
 */
const faster = { beside: 100, alone: 1_000 };

/** From here on it is no pause, but the time after which an answer is given up. */
const timeOutFromMs = 60_000;

const shortTimeOutsMs = { answer: 1_500, wholeAnswer: 3_000 };

type FastClock = ReturnType<typeof startFastClock>;

let current: FastClock | undefined;

/**
 * Lets the node wait shorter between tries, and, if wished, for answers; sockets and servers are as
 * they are. Its clock says that the whole pause has passed, so five minutes of tries take no time.
 * Returns how to let minutes pass at once, and how to set the clock right again: where
 * `useFastClock` holds for the whole block, that is left to it.
 */
export function fastClock(options: { shortTimeOuts: boolean }): FastClock {
	return current ? { ...current, restore: () => {} } : startFastClock(options, faster.beside);
}

/** Gives a fast clock to each test of a block; `pauses` are those that have begun, in milliseconds. */
export function useFastClock(): { pauses: () => number[] } {
	beforeEach(() => {
		current = startFastClock({ shortTimeOuts: false }, faster.alone);
	});
	afterEach(() => {
		current?.restore();
		current = undefined;
	});
	return { pauses: () => current?.pauses ?? [] };
}

function startFastClock({ shortTimeOuts }: { shortTimeOuts: boolean }, times: number) {
	const clock = shiftedClock();
	const realTimer = globalThis.setTimeout;
	const realSignal = AbortSignal.timeout.bind(AbortSignal);
	const pauses: number[] = [];
	const shorter = (milliseconds = 0) => {
		if (milliseconds >= timeOutFromMs) return shortTimeOuts ? shortTimeOutsMs.answer : milliseconds;
		pauses.push(milliseconds);
		return milliseconds / times;
	};
	const timer = (callback: () => void, milliseconds = 0) => {
		// An end of its own: it would let time pass for the test that is running now.
		if (isOutlived()) return realTimer(() => {}).unref();
		const due = performance.now() + milliseconds;
		const isPause = milliseconds < timeOutFromMs;
		const started = realTimer(() => {
			if (isOutlived()) return;
			if (isPause) clock.passUntil(due);
			callback();
		}, shorter(milliseconds));
		// The tests are over before it is.
		return isPause ? started : started.unref();
	};
	globalThis.setTimeout = Object.assign(timer, { __promisify__: realTimer.__promisify__ });
	AbortSignal.timeout = (milliseconds) =>
		realSignal(shortTimeOuts ? shortTimeOutsMs.wholeAnswer : milliseconds);
	return {
		pauses,
		passMinutes: (minutes: number) => clock.pass(minutes),
		restore: () => {
			clock.restore();
			globalThis.setTimeout = realTimer;
			AbortSignal.timeout = realSignal;
		},
	};
}
