import { html, type Html } from '../../text/html.ts';
import { lonePagesOf, warningsOf, type Oddity, type Warning } from '../../runs/warnings.ts';
import { isUnfinished, type Batch } from '../../store/batch.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { counted, shortened } from '../words.ts';
import { placeLink } from './rowTable.ts';

/** Different warnings that are shown: the newest. */
const shownWarnings = 10;

/** Characters of an address or a reason. */
const maxText = 500;

/** What the log warns of, once each. */
export async function batchWarnings({ logs }: ConsoleParts, batch: Batch): Promise<Html> {
	const [warnings, lonePages] = [
		await warningsOf(logs, batch.id),
		await lonePagesOf(logs, batch.id),
	];
	const isWarned = warnings.length > 0;
	return html`${
		isWarned &&
		html`<section id="warnings">
			<h2>Warnings${isUnfinished(batch) && ' so far'}</h2>
			${warningNotice(warnings)}
		</section>`
	}
	${
		lonePages.length > 0 &&
		html`<section id="lone-pages">
			<h2>${loneLoop}</h2>
			${lonePageNotice(lonePages)}
		</section>`
	}`;
}

export const loneLoop = 'A loop by page has read one page';

/** Most lists have more pages; one that has not is as it should be. */
export function lonePageNotice(lonePages: Oddity[]): Html {
	return html`<div class="notice">
		<p>Where there are more, its selector finds nothing, or what nobody sees:</p>
		<ul>
			${lonePages
				.slice(0, shownWarnings)
				.map(
					({ url, reason }) =>
						html`<li><bdi>${shortened(reason, maxText)}</bdi> at ${placeLink(url, maxText)}</li>`,
				)}
		</ul>
	</div>`;
}

/** For people: to be looked into, though no page has failed. */
export function warningNotice(warnings: Warning[]): Html {
	return html`<div class="notice warn">
		<p>
			None of these pages failed, but rows may be missing, or there more than once. Open the page
			and compare.
		</p>
		<ul>
			${warnings.slice(0, shownWarnings).map(warningItem)}
		</ul>
	</div>`;
}

function warningItem({ message, reason, url, times }: Warning): Html {
	return html`<li>
		${message[0]?.toUpperCase()}${message.slice(1)}${url !== '' && html` at ${placeLink(url, maxText)}`}:
		<bdi>${shortened(reason, maxText)}</bdi>${times > 1 && html` (${counted(times, 'time')})`}
	</li>`;
}
