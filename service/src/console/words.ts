import type { ReplaceableKind } from '../tasks/replaceableField.ts';
import { html, type Html } from '../text/html.ts';

export { firstPart, shortened } from '../text/shortened.ts';

const numbers = new Intl.NumberFormat('en-GB');
// The clock of the service: it is usually that of the reader, too.
const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** A number with its digits in groups. */
export function grouped(count: number): string {
	return numbers.format(count);
}

/** As in "1 row", "1,200 rows", "2 entries" and "3 batches". */
export function counted(count: number, what: string): string {
	return `${grouped(count)} ${count === 1 ? what : `${what.replace(/ry$/, 'rie').replace(/ch$/, 'che')}s`}`;
}

/** A time (milliseconds since 1970) on the clock of the service; of today without the date. */
export function timeOf(time: number): Html {
	return html`<time datetime="${new Date(time).toISOString()}">${timeText(time)}</time>`;
}

/** The same as plain text. */
export function timeText(time: number): string {
	const date = new Date(time);
	const isToday = date.toDateString() === new Date().toDateString();
	return isToday ? `today, ${clock.format(date)}` : days.format(date);
}

/** A span of time (milliseconds), as in "40 ms", "1.4 s", "12 s", "3 min 5 s" and "2 h 10 min". */
export function durationOf(milliseconds: number): string {
	const seconds = Math.floor(milliseconds / 1000);
	const minutes = Math.floor(seconds / 60);
	if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
	if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
	if (seconds < 60) return `${seconds} s`;
	if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
	return `${grouped(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/** The text from `start` on, without half a character at its start. */
export function partFrom(text: string, start: number): string {
	return text.slice(start).replace(/^[\uDC00-\uDFFF]/, '');
}

/** A text that can be copied with a click; `what` it is, for those who do not see the place. */
export function copyable(text: string, what: string): Html {
	return html`<span class="copyable"
		><code>${text}</code
		><button type="button" class="copy" data-copy="${text}" aria-label="Copy ${what}">
			Copy
		</button></span
	>`;
}

/** What n8n calls the step value of each kind. */
export const valueNames: Record<ReplaceableKind, string> = {
	url: 'Navigate: URL',
	text: 'Input: Text',
	times: 'Loop: Times',
	urls: 'Loop: URL List',
	texts: 'Loop: Text List',
};

/** Which entry of a page has failed, for people who see the page and no selector; any other place as it is. */
export function placeInWords(what: string): string {
	if (what === 'steps') return 'The first steps of the task';
	const [, number] = /^element (\d+) of /.exec(what) ?? [];
	return number === undefined ? what : `Entry ${number} of the list on the page (${what})`;
}
