import { shiftedClock } from './shiftedClock';

/** Pauses between tries and polls are this many times shorter. */
const faster = 100;

/** From here on it is no pause, but the time after which an answer is given up. */
const timeOutFromMs = 60_000;

const shortTimeOutsMs = { answer: 1_500, wholeAnswer: 3_000 };

/**
 * Lets the node wait shorter between tries, and, if wished, for answers; sockets and servers are as
 * they are. Its clock says that the whole pause has passed, so five minutes of tries take no time. Returns how to let minutes pass at once, and how to set the clock right again.
 */
export function fastClock({ shortTimeOuts }: { shortTimeOuts: boolean }) {
	const clock = shiftedClock();
	const realTimer = globalThis.setTimeout;
	const realSignal = AbortSignal.timeout.bind(AbortSignal);
	const shorter = (milliseconds = 0) => {
		if (milliseconds < timeOutFromMs) return milliseconds / faster;
		return shortTimeOuts ? shortTimeOutsMs.answer : milliseconds;
	};
	const timers = jest
		.spyOn(globalThis, 'setTimeout')
		.mockImplementation((callback, milliseconds = 0) => {
			const due = performance.now() + milliseconds;
			const isPause = milliseconds < timeOutFromMs;
			return realTimer(() => {
				if (isPause) clock.passUntil(due);
				callback();
			}, shorter(milliseconds));
		});
	const signals = jest
		.spyOn(AbortSignal, 'timeout')
		.mockImplementation((milliseconds) =>
			realSignal(shortTimeOuts ? shortTimeOutsMs.wholeAnswer : milliseconds),
		);
	return {
		passMinutes: (minutes: number) => clock.pass(minutes),
		restore: () => {
			clock.restore();
			timers.mockRestore();
			signals.mockRestore();
		},
	};
}
