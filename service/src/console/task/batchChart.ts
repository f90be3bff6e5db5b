import { html, type Html } from '../../text/html.ts';
import type { Batch } from '../../store/batch.ts';
import { runTimeOf, statusClass, statusName } from '../batchStatus.ts';
import { batchPath } from '../paths.ts';
import { counted, durationOf, timeText } from '../words.ts';

/** Batches that the chart shows. */
export const chartedBatches = 50;

/** Bars are no wider than if there were so many. */
const leastPlaces = 16;

/** Rows and duration of the last batches, a bar each; `newest`: the newest first. Nothing for one batch. */
export function batchChart(newest: Batch[]): Html | undefined {
	if (newest.length < 2) return undefined;
	const batches = newest.toReversed();
	return html`<div class="charts">
		${chart(
			'Rows',
			batches,
			({ lineCount }) => lineCount,
			(rows) => counted(rows, 'row'),
		)}
		${chart('Duration', batches, (batch) => runTimeOf(batch) ?? 0, durationOf)}
	</div>`;
}

/** The table beside it says the same to people who do not see it. */
function chart(
	name: string,
	batches: Batch[],
	valueOf: (batch: Batch) => number,
	inWords: (value: number) => string,
): Html {
	const values = batches.map(valueOf);
	const [least, most] = [Math.min(...values), Math.max(...values)];
	const range = least === most ? inWords(most) : `${inWords(least)} to ${inWords(most)}`;
	const places = Math.max(batches.length, leastPlaces);
	const bar = (batch: Batch, index: number) => {
		const value = values[index] ?? 0;
		// A batch without any is still there to be seen and clicked.
		const height = Math.max(most === 0 ? 0 : (value / most) * 100, 1.5);
		const x = places - batches.length + index;
		const start = timeText(batch.startTime || batch.createTime);
		return html`<a href="${batchPath(batch)}" tabindex="-1"
			><title>${inWords(value)} – ${start}, ${statusName(batch).toLowerCase()}</title
			><rect class="reach" x="${x}" y="0" width="1" height="100"></rect
			><rect
				class="bar-of ${statusClass(batch)}"
				x="${x + 0.1}"
				y="${100 - height}"
				width="0.8"
				height="${height}"
			></rect
		></a>`;
	};
	return html`<figure>
		<figcaption>
			<b>${name}</b>
			<span class="muted">${range} in the last ${batches.length} batches</span>
		</figcaption>
		<svg viewBox="0 0 ${places} 100" preserveAspectRatio="none" aria-hidden="true">
			${batches.map(bar)}
		</svg>
	</figure>`;
}
