import type { FastifyInstance } from 'fastify';
import { html, type Html } from '../../text/html.ts';
import type { Batch } from '../../store/batch.ts';
import type { FailedPage } from '../../store/failureStore.ts';
import { aboveBatchPart } from './batchHeading.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { page, sendPage } from '../layout.ts';
import { requestedBatch, type BatchRequest } from './requestedBatch.ts';
import { placeLink } from './rowTable.ts';
import { batchPath } from '../paths.ts';
import { table } from '../table.ts';
import { counted, grouped, placeInWords, shortened, timeOf } from '../words.ts';

/** Failed pages that the page of the batch shows; all that are kept have a page of their own. */
const shownFailures = 10;

/** Characters of an address or a reason. */
const maxText = 500;

/** The page of all failed pages of a batch that are kept. */
export function failureRoutes(server: FastifyInstance, parts: ConsoleParts): void {
	server.get('/batches/:batchID/failures', async (request: BatchRequest, reply) => {
		const batch = await requestedBatch(parts, request.params.batchID);
		const failures = await parts.failures.of(batch.id);
		return sendPage(
			reply,
			page({
				title: 'Failed pages',
				section: 'tasks',
				above: aboveBatchPart(batch),
				content: html`<p>${countOf(batch, failures)}</p>
					${failures.length > 0 && failureTable(failures)}`,
			}),
		);
	});
}

/** The first failed pages of a batch, if there are any. */
export async function batchFailures({ failures }: ConsoleParts, batch: Batch): Promise<Html> {
	if (batch.failedPages === 0) return html``;
	const all = await failures.of(batch.id);
	return html`<section id="failures">
		<h2>Failed pages</h2>
		<p>${countOf(batch, all)}</p>
		${failureTable(all.slice(0, shownFailures))}
		${
			all.length > shownFailures &&
			html`<p><a href="${batchPath(batch)}/failures">Show all ${grouped(all.length)}</a></p>`
		}
	</section>`;
}

function countOf({ failedPages }: Batch, kept: FailedPage[]): string {
	if (failedPages === 0) return 'No page of this batch has failed.';
	const count = `${counted(failedPages, 'page')} failed, so the rows lack what is on ${failedPages === 1 ? 'it' : 'them'}, and what ${failedPages === 1 ? 'it leads' : 'they lead'} on to.`;
	if (kept.length >= failedPages) return count;
	return `${count} The first ${grouped(kept.length)} are kept; for the others, see the service’s log.`;
}

function failureTable(failures: FailedPage[]): Html {
	return table(
		'Failed pages',
		['Page', 'Reason', { name: 'Tries', isNumber: true }, 'Time'],
		failures.map(
			({ what, address, reason, tries, time }) =>
				html`<tr>
					<td>
						<div class="value">${placeLink(address || placeInWords(what), maxText)}</div>
						${address !== '' && what !== address && what !== 'steps' && html`<div class="value muted"><bdi>${shortened(placeInWords(what), maxText)}</bdi></div>`}
					</td>
					<td>
						<div class="value">
							<bdi>${shortened(reasonBeside(address, reason), maxText)}</bdi>
						</div>
					</td>
					<td class="number" data-label="Tries">${grouped(tries)}</td>
					<td data-label="Time">${timeOf(time)}</td>
				</tr>`,
		),
		'texts',
	);
}

/** A reason that begins with the address says it once more. */
function reasonBeside(address: string, reason: string): string {
	return address !== '' && reason.startsWith(`${address} `)
		? reason.slice(address.length + 1)
		: reason;
}
