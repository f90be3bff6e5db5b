/**
 * Lets minutes pass at once for whoever measures time; real waiting stays as it is. Returns how
 * to let time pass, and how to set the clock right again.
 */
export function shiftedClock() {
	const realNow = performance.now.bind(performance);
	let shift = 0;
	performance.now = () => realNow() + shift;
	return {
		pass(minutes: number) {
			shift += minutes * 60_000;
		},
		/** To a time of this clock, unless it is over. */
		passUntil(time: number) {
			shift += Math.max(0, time - realNow() - shift);
		},
		restore: () => {
			performance.now = realNow;
		},
	};
}
