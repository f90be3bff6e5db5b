import { Readable } from 'node:stream';
import { create } from 'content-disposition';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Batch } from '../../store/batch.ts';
import { rowIn, valuesOf } from '../../store/row.ts';
import { firstPart } from '../words.ts';
import { taskNameOf } from './batchHeading.ts';
import { distinctColumns, type Column } from '../../tasks/distinctColumns.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { byteOrderMark, csvLines } from './csvLines.ts';
import { requestedBatch, type BatchRequest } from './requestedBatch.ts';
import { rowSlices } from './rowSlices.ts';

/** A kind of file: what stands before the rows, and a slice of rows as text. */
interface Format {
	extension: string;
	type: string;
	head(columns: Column[]): Promise<string> | string;
	body(columns: Column[], rows: string[]): Promise<string> | string;
}

const csv: Format = {
	extension: 'csv',
	type: 'text/csv; charset=utf-8',
	head: async (columns) => byteOrderMark + (await csvLines([columns.map(({ name }) => name)])),
	body: (columns, rows) =>
		csvLines(
			rows.map((row) => {
				const values = valuesOf(row);
				return columns.map(({ id }) => values.get(id) ?? '');
			}),
		),
};

const jsonLines: Format = {
	extension: 'jsonl',
	type: 'application/jsonl; charset=utf-8',
	head: () => '',
	body: (columns, rows) => rows.map((row) => `${jsonLine(columns, row)}\n`).join(''),
};

/** Characters of a task's name in that of a file. */
const maxName = 100;

/** Whole batches as files: rows.csv and rows.jsonl. */
export function downloadRoutes(server: FastifyInstance, parts: ConsoleParts): void {
	for (const format of [csv, jsonLines]) {
		server.get(
			`/batches/:batchID/rows.${format.extension}`,
			async (request: BatchRequest, reply) => {
				const batch = await requestedBatch(parts, request.params.batchID);
				return sendFile(parts, reply, batch, format);
			},
		);
	}
}

function sendFile(
	parts: ConsoleParts,
	reply: FastifyReply,
	batch: Batch,
	format: Format,
): FastifyReply {
	const task = firstPart(taskNameOf(parts, batch), maxName);
	const name = `${task} ${batch.id}.${format.extension}`;
	return reply
		.type(format.type)
		.header('content-disposition', contentDisposition(name))
		.send(Readable.from(fileParts(parts, batch, format)));
}

/** The rows that can be read at the start; they are read as fast as the client takes them, until its connection is cut. */
async function* fileParts(
	parts: ConsoleParts,
	batch: Batch,
	format: Format,
): AsyncGenerator<string> {
	const columns = distinctColumns(batch);
	const end = await parts.rows.count(batch);
	const slices = rowSlices(parts, batch, { end });
	const head = await format.head(columns);
	if (head !== '') yield head;
	for await (const { rows } of slices) yield await format.body(columns, rows);
}

/** Values as the API has them. Written by hand: an object of JavaScript would put names that are numbers before the others. */
function jsonLine(columns: Column[], row: string): string {
	const values = rowIn(row) ?? {};
	const members = columns
		.filter(({ id }) => Object.hasOwn(values, id))
		.map(({ id, name }) => `${JSON.stringify(name)}:${JSON.stringify(values[id])}`);
	return `{${members.join(',')}}`;
}

/** Names a download: for clients that know no other signs, with those that all of them know. */
function contentDisposition(name: string): string {
	const file = name
		.toWellFormed()
		.replace(/[\p{Cc}\p{Cf}"*/:<>?\\|]+/gu, ' ')
		.replace(/\s+/g, ' ')
		.trim();
	return create(file, { fallback: file.replace(/[^\w .()-]/g, '_') });
}
