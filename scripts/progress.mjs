const second = 1000;
const logEverySeconds = 15;

/**
 * Does one step of a long job under the eyes of its user: says what begins, how much time has passed
 * (a live line on a terminal, a line now and then in a log), and how long it took.
 * @template T
 * @param {string} title what is being done, such as "Install n8n 2.40"
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
	const startedAt = Date.now();
	const elapsed = () => duration(Date.now() - startedAt);
	const live = process.stdout.isTTY && !process.env.CI;
	process.stdout.write(live ? `… ${title}` : `… ${title}\n`);
	const timer = live
		? setInterval(() => rewriteLine(`… ${title} (${elapsed()})`), second)
		: setInterval(
				() => process.stdout.write(`  … ${title}: ${elapsed()} so far\n`),
				logEverySeconds * second,
			);
	const finish = (/** @type {string} */ sign) => {
		clearInterval(timer);
		const line = `${sign} ${title} (${elapsed()})`;
		if (live) rewriteLine(`${line}\n`);
		else process.stdout.write(`${line}\n`);
	};
	try {
		const result = await work();
		finish('✓');
		return result;
	} catch (error) {
		finish('✗');
		throw error;
	}
}

/**
 * Milliseconds as people say them: "0.4 s", "12 s", "3 min 05 s".
 * @param {number} milliseconds
 */
export function duration(milliseconds) {
	const seconds = milliseconds / second;
	if (seconds < 10) return `${seconds.toFixed(1)} s`;
	const whole = Math.round(seconds);
	if (whole < 60) return `${whole} s`;
	return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

/** @param {string} line */
function rewriteLine(line) {
	process.stdout.write(`\r\x1b[2K${line}`);
}
