/**
 * Lets minutes pass at once for whoever asks for the time; real waiting stays as it is. Returns how
 * to let time pass, and how to set the clock right again.
 */
export function shiftedClock() {
	const realNow = Date.now;
	let shift = 0;
	Date.now = () => realNow() + shift;
	return {
		pass(minutes: number) {
			shift += minutes * 60_000;
		},
		restore: () => {
			Date.now = realNow;
		},
	};
}
