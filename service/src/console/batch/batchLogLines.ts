import { html, type Html } from '../../text/html.ts';
import type { Batch } from '../../store/batch.ts';
import type { LogLine } from '../../store/batchLogStore.ts';
import { hasNoRows, isIncomplete } from '../batchStatus.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { counted, shortened, timeOf } from '../words.ts';

/** Lines that are shown: the newest. */
const shownLines = 200;

/** Characters of one detail. */
const maxDetail = 1_000;

/** What the log says of a batch, the newest first. */
export async function batchLogLines({ logs }: ConsoleParts, batch: Batch): Promise<Html> {
	const { lines, dropped } = await logs.newest(batch.id, shownLines);
	if (lines.length === 0) return html`<p class="muted">The log has no lines about this batch.</p>`;
	return html`<ol class="log">
			${lines.map((line) => lineOf(line, batch))}
		</ol>
		${
			dropped > 0 &&
			html`<p class="muted">
				${counted(dropped, 'older line')} not shown. The service’s standard output has all of them.
			</p>`
		}`;
}

function lineOf({ time, level, message, details }: LogLine, batch: Batch): Html {
	// The word that stands at its status.
	const said = message === 'batch successful' ? endWords(batch) : message;
	return html`<li>
		<span class="muted">${timeOf(time)}</span>
		<span class="badge ${level}">${level}</span>
		<span
			><b><bdi>${said}</bdi></b> ${detailsOf(details)}</span
		>
	</li>`;
}

function endWords(batch: Batch): string {
	if (isIncomplete(batch)) return 'batch ended with failures';
	return hasNoRows(batch) ? 'batch ended without rows' : 'batch successful';
}

function detailsOf(json: string): Html[] {
	return membersOf(JSON.parse(json)).map(
		([name, value]) =>
			html`<span class="detail"
				><span class="muted">${name}:</span>
				<bdi>${shortened(wordsOf(value), maxDetail)}</bdi></span
			> `,
	);
}

/** What an object says, under the names of its members as words; of an error only what it is about. */
function membersOf(value: unknown): [string, unknown][] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value)
		.filter(([name]) => !['pid', 'hostname', 'stack', 'step'].includes(name))
		.map(([name, member]): [string, unknown] => [inWords(name), member])
		.filter(([, member]) => !(Array.isArray(member) && member.length === 0));
}

function wordsOf(value: unknown): string {
	if (Array.isArray(value)) return value.map(wordsOf).join('; ');
	if (typeof value !== 'object' || value === null) return String(value);
	return membersOf(value)
		.map(([name, member]) => `${name} ${wordsOf(member)}`)
		.join(', ');
}

/** "lineCount" is "line count". */
function inWords(name: string): string {
	return name === 'err' ? 'error' : name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
