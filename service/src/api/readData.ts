import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../errors/serviceError.ts';
import { refuseWhereLost, type Runs } from '../runs/runs.ts';
import type { Batch } from '../store/batch.ts';
import type { DeduplicationStore } from '../store/deduplicationStore.ts';
import { rowIn } from '../store/row.ts';
import { hashOf } from '../store/rowStore.ts';
import { ownTurn } from '../text/ownTurn.ts';
import { maxPageBytes, nobodyWaits, smallAnswer, type LargeAnswers } from './largeAnswers.ts';
import { chosenHere, envelopeOf, integerText, pageOf, pageQuery, success, truth } from './wire.ts';

/** What rows are read from. */
export interface DataParts extends Runs {
	deduplication: DeduplicationStore;
}

const querystring = z.object({
	...pageQuery,
	// 64 bits do not fit into a number of JavaScript.
	batchID: integerText.transform(BigInt).pipe(
		z
			.bigint()
			.min(1n)
			.max(2n ** 63n - 1n)
			.meta({ description: 'Batch to read.' }),
	),
	preview: truth.meta({
		description: 'true: each field is truncated.',
		...chosenHere('To 100 characters.'),
	}),
	deduplication: truth
		.meta({
			description:
				'true: without duplicate rows, and without those that earlier requests with this deduplicationID have returned.',
			...chosenHere(
				'Duplicates are left out of the page that they fall on; total counts all rows.',
			),
		})
		.optional(),
	deduplicationID: z
		.string()
		.refine((id) => [...id].length <= 256, 'must have at most 256 characters')
		.meta({
			description: 'Needed where deduplication is true; forgotten an hour after its last use.',
			...chosenHere('256 characters at most.'),
		})
		.optional(),
});
type DataQuery = z.infer<typeof querystring>;
const rowSchema = {
	type: 'string',
	description: 'A row: a JSON object, with values by the ids of their fields.',
};
const schema = {
	operationId: 'getData',
	summary: 'Reads rows that a batch has scraped.',
	...chosenHere('A running batch can be read, too: rows never change their place.'),
	querystring,
	response: { 200: envelopeOf(pageOf(rowSchema)) },
};

const noHash = new Uint8Array();

/** Characters that a preview shows of a value. */
const previewLength = 100;

/**
 * GET /cloud/data (section 4.4). `total` counts all rows that can be read; duplicates are left out of
 * the page that they fall on, so pages get shorter and not fewer.
 */
export function readData(server: FastifyInstance, parts: DataParts, large: LargeAnswers): void {
	server.get<{ Querystring: DataQuery }>('/cloud/data', { schema }, async (request, reply) => {
		const { query, log } = request;
		const { page, size, preview } = query;
		const deduplicationID = query.deduplication ? deduplicationIDOf(query) : undefined;
		const batch = await parts.batches.find(query.batchID);
		if (!batch) throw noBatch(query.batchID);
		log.debug({ batchID: String(query.batchID) }, 'reading rows');
		const total = await parts.rows.count(batch);
		const offset = (page - 1) * size;
		const end = Math.min(offset + size, total);
		const isHashed = deduplicationID !== undefined;
		const wanted = { offset, end, preview, isHashed };
		const rows =
			(await fewRows(parts, batch, wanted)) ??
			(await large.make(reply.raw, (signal) => manyRows(parts, batch, wanted, signal))).rows;
		// To write a large answer takes as long as to read its rows: each is done between two other requests.
		await ownTurn();
		// What was returned is remembered, and what nobody hears any more is not.
		if (reply.raw.destroyed) throw nobodyWaits();
		if (isHashed) refuseWhereLost(parts);
		const list = isHashed ? await parts.deduplication.newOf(deduplicationID, rows) : rows;
		return success({
			list: list.map(({ shown }) => shown),
			pagination: { page, size, total },
		});
	});
}

function noBatch(id: bigint): ServiceError {
	return new ServiceError('notFound', `There is no batch ${id}.`);
}

/** The rows `offset` to `end` (excluded) of a batch, and whether they are cut for a preview, and told apart by hashes. */
interface RowPage {
	offset: number;
	end: number;
	preview: boolean;
	isHashed: boolean;
}

/** A row as it is sent, and the hash of the whole, where that is asked for. */
interface ShownRow {
	shown: string;
	hash: Uint8Array;
}

/** The rows of a page; undefined where they are large together. */
async function fewRows(
	{ rows }: Runs,
	batch: Batch,
	page: RowPage,
): Promise<ShownRow[] | undefined> {
	await ownTurn();
	const { offset, end } = page;
	const size = Math.max(end - offset, 0);
	const list = await rows.read(batch, { offset, size }, smallAnswer);
	const characters = list.reduce((sum, row) => sum + row.length, 0);
	const isAll = list.length === size && characters <= smallAnswer;
	return isAll ? list.map((row) => shownRow(row, page)) : undefined;
}

/**
 * The rows of a page, read in slices, between which others have a turn. Throws when the page is too large to be sent,
 * unless it has only one row, and the reason of `signal`: then nothing is remembered as returned.
 */
async function manyRows(
	{ rows }: Runs,
	batch: Batch,
	page: RowPage,
	signal: AbortSignal,
): Promise<{ rows: ShownRow[]; bytes: number }> {
	const { offset, end } = page;
	const list: ShownRow[] = [];
	let bytes = 0;
	while (offset + list.length < end) {
		await ownTurn();
		signal.throwIfAborted();
		const before = list.length;
		const window = { offset: offset + before, size: end - offset - before };
		for (const content of await rows.read(batch, window)) {
			const row = shownRow(content, page);
			bytes += Buffer.byteLength(row.shown);
			if (bytes > maxPageBytes && list.length > 0) {
				throw new ServiceError(
					'invalid',
					`The rows of this page are larger than 32 MiB: ask for a smaller size, ${list.length} at most.`,
				);
			}
			list.push(row);
		}
		// It is being deleted: whoever got what is left would take it for all.
		if (list.length === before) throw noBatch(batch.id);
	}
	return { rows: list, bytes };
}

function shownRow(row: string, { preview, isHashed }: RowPage): ShownRow {
	return { shown: preview ? previewOf(row) : row, hash: isHashed ? hashOf(row) : noHash };
}

function deduplicationIDOf({ deduplicationID }: DataQuery): string {
	if (deduplicationID) return deduplicationID;
	throw new ServiceError('unreadable', 'deduplicationID is missing; deduplication needs it.');
}

function previewOf(content: string): string {
	const row = rowIn(content);
	if (!row) return content;
	const values = Object.entries<unknown>({ ...row });
	const isLong = values.some(
		([, value]) => typeof value === 'string' && value.length > previewLength,
	);
	if (!isLong) return content;
	return JSON.stringify(
		Object.fromEntries(
			values.map(([id, value]) => [id, typeof value === 'string' ? firstCharacters(value) : value]),
		),
	);
}

/** Counts characters, not UTF-16 units, so that none is cut in half. */
function firstCharacters(text: string): string {
	if (text.length <= previewLength) return text;
	return Array.from(text.slice(0, 2 * previewLength))
		.slice(0, previewLength)
		.join('');
}
