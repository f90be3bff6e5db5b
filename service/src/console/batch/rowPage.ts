import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../errors/serviceError.ts';
import { cutAtPlace, html, type Html } from '../../text/html.ts';
import { slicesOf } from '../../text/inSlices.ts';
import type { Batch } from '../../store/batch.ts';
import { valuesOf } from '../../store/row.ts';
import { aboveBatchPart } from './batchHeading.ts';
import { pageOfRow } from './batchRows.ts';
import { distinctColumns } from '../../tasks/distinctColumns.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { page, sendPageInParts } from '../layout.ts';
import { numberFromOne, requestedBatch } from './requestedBatch.ts';
import { addressLink, isWebAddress } from './rowTable.ts';
import { batchPath } from '../paths.ts';
import { firstPart, grouped } from '../words.ts';

/** Characters of a value: more would make browsers slow. The downloads have all. */
const maxValue = 4 * 1024 * 1024;

/** A row by itself, each value in full. */
export function rowRoutes(server: FastifyInstance, parts: ConsoleParts): void {
	server.get<{ Params: { batchID: string; number: string } }>(
		'/batches/:batchID/rows/:number',
		async ({ params }, reply) => {
			const batch = await requestedBatch(parts, params.batchID);
			const number = numberFromOne(params.number, 0);
			const window = { offset: number - 1, size: 1 };
			const [row] = number > 0 ? await parts.rows.read(batch, window) : [];
			const count = await parts.rows.count(batch);
			if (row === undefined) {
				throw new ServiceError(
					'notFound',
					`Batch ${batch.id} has no row ${params.number.slice(0, 100)}; it has ${grouped(count)}.`,
				);
			}
			const pageAround = (place: string) =>
				page({
					title: `Row ${grouped(number)}`,
					section: 'tasks',
					above: aboveBatchPart(batch),
					actions: neighbours(batch, number, count),
					content: html`<dl class="card whole">${place}</dl>`,
				});
			return sendPageInParts(reply, pageAround, wholeRow(batch, row));
		},
	);
}

async function* wholeRow(batch: Batch, row: string): AsyncGenerator<Html> {
	const values = valuesOf(row);
	for (const [index, { id, name }] of distinctColumns(batch).entries()) {
		const value = values.get(id) ?? '';
		const part = firstPart(value, maxValue);
		const [before, behind] = cutAtPlace(
			(place) =>
				html`<div id="column-${index + 1}">
					<dt><bdi>${name}</bdi></dt>
					<dd>${shownValue(value, part.length, place)}</dd>
				</div>`,
		);
		yield before;
		if (!behind) continue;
		for await (const slice of slicesOf(part)) yield html`${slice}`;
		yield behind;
	}
}

/** A value, of which the text, or so many characters of it, comes at `place`; or in its place what says more. */
function shownValue(value: string, length: number, place: string): Html {
	if (value === '') return html`<span class="muted">empty</span>`;
	if (isWebAddress(value)) return addressLink(value);
	if (length === value.length) return html`<bdi class="text">${place}</bdi>`;
	return html`<bdi class="text">${place}…</bdi>
		<p class="notice warn">
			These are the first ${grouped(length)} of ${grouped(value.length)} characters. Download the
			rows to get all of them.
		</p>`;
}

function neighbours(batch: Batch, number: number, total: number): Html {
	const path = batchPath(batch);
	return html`
		${number > 1 && html`<a class="button" href="${path}/rows/${number - 1}">Previous row</a>`}
		${number < total && html`<a class="button" href="${path}/rows/${number + 1}">Next row</a>`}
		<a class="button" href="${path}?page=${pageOfRow(number)}#rows">In the table</a>
	`;
}
