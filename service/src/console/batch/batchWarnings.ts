import { z } from 'zod';
import { html, type Html } from '../../text/html.ts';
import { isUnfinished, type Batch } from '../../store/batch.ts';
import { maxKeptLines } from '../../store/batchLogStore.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { counted, shortened } from '../words.ts';
import { placeLink } from './rowTable.ts';

/** Different warnings that are shown: the newest. */
const shownWarnings = 10;

/** Characters of an address or a reason. */
const maxText = 500;

/** What a step found odd on a page, as its line in the log says; a page that is tried again has no address there. */
const oddity = z.object({ url: z.string(), reason: z.string() });

interface Warning {
	message: string;
	reason: string;
	/** Where that was seen last. */
	url: string;
	times: number;
}

/** What the log warns of, once each: no page has failed, and yet rows may be missing. */
export async function batchWarnings({ logs }: ConsoleParts, batch: Batch): Promise<Html> {
	const { lines } = await logs.newest(batch.id, maxKeptLines);
	const warnings = new Map<string, Warning>();
	for (const { level, message, details } of lines) {
		if (level !== 'warn') continue;
		const said = oddity.safeParse(JSON.parse(details));
		if (!said.success) continue;
		const { url, reason } = said.data;
		const known = warnings.get(`${message} ${reason}`);
		if (known) known.times += 1;
		else warnings.set(`${message} ${reason}`, { message, reason, url, times: 1 });
	}
	if (warnings.size === 0) return html``;
	return html`<section id="warnings">
		<h2>Warnings${isUnfinished(batch) && ' so far'}</h2>
		<div class="notice warn">
			<p>
				No page failed here, but rows may be missing, or there more than once. Open the page and
				compare.
			</p>
			<ul>
				${[...warnings.values()].slice(0, shownWarnings).map(warningItem)}
			</ul>
		</div>
	</section>`;
}

function warningItem({ message, reason, url, times }: Warning): Html {
	return html`<li>
		${message[0]?.toUpperCase()}${message.slice(1)}${url !== '' && html` at ${placeLink(url, maxText)}`}:
		<bdi>${shortened(reason, maxText)}</bdi>${times > 1 && html` (${counted(times, 'time')})`}
	</li>`;
}
