const second = 1000;
const logEverySeconds = 15;

const isLive = process.stdout.isTTY && !process.env.CI;

/**
 * What the steps that go on show now: on a terminal they share a line.
 * @type {Set<() => string>}
 */
const running = new Set();
/** @type {NodeJS.Timeout | undefined} */
let redraw;

/**
 * Does one step of a long job under the eyes of its user: says what begins, how much time has passed
 * (a live line on a terminal, a line now and then in a log), and how long it took. Several steps may go
 * on side by side.
 * @template T
 * @param {string} title what is being done, such as "Install n8n 2.40"; how long it usually takes, if that is long
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
	const startedAt = Date.now();
	const elapsed = () => duration(Date.now() - startedAt);
	const words = () => `${title} (${elapsed()})`;
	running.add(words);
	if (!isLive) process.stdout.write(`… ${title}\n`);
	else redraw ??= setInterval(showLive, second);
	showLive();
	const timer = isLive
		? undefined
		: setInterval(
				() => process.stdout.write(`  … ${title}: ${elapsed()} so far\n`),
				logEverySeconds * second,
			);
	const finish = (/** @type {string} */ sign) => {
		clearInterval(timer);
		running.delete(words);
		if (running.size === 0) {
			clearInterval(redraw);
			redraw = undefined;
		}
		say(`${sign} ${words()}`);
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
 * Says something beside the steps that go on.
 * @param {string} text
 */
export function say(text) {
	process.stdout.write(`${isLive ? eraseLine : ''}${text}\n`);
	showLive();
}

const eraseLine = '\r\x1b[2K';

/** The live line, no longer than the terminal is wide: of what wraps, only the last part could be rewritten. */
function showLive() {
	if (!isLive || running.size === 0) return;
	const line = `… ${[...running].map((words) => words()).join(' · ')}`;
	const width = process.stdout.columns || 80;
	process.stdout.write(eraseLine + (line.length < width ? line : `${line.slice(0, width - 2)}…`));
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
