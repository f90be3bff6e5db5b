import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../errors/serviceError.ts';
import { findTask, type Runs } from '../runs/runs.ts';
import type { Batch } from '../store/batch.ts';
import { ownTurn } from '../text/ownTurn.ts';
import { maxPageBytes, piece, type LargeAnswers } from './largeAnswers.ts';
import {
	batchRecord,
	batchSchema,
	chosenHere,
	envelopeOf,
	pageOf,
	pageQuery,
	success,
	taskID,
	wholeNumber,
} from './wire.ts';

const querystring = z.object({
	...pageQuery,
	taskID: taskID(),
	orderBy: wholeNumber.pipe(
		z
			.int()
			.min(0)
			.max(2)
			.meta({
				description:
					'Largest first, by 0: creation time, 1: running time, 2: number of scraped rows.',
				...chosenHere('Of equal ones, the newest first.'),
			}),
	),
});
type ListQuery = z.infer<typeof querystring>;
const schema = {
	operationId: 'listBatches',
	summary: 'Lists the batches of a task.',
	querystring,
	response: { 200: envelopeOf(pageOf(batchSchema)) },
};

type ListAnswer = ReturnType<typeof success<{ list: string[]; pagination: object }>>;

/** GET /cloud/batches (section 4.3). Batches stay listed when the file of their task is gone. */
export function listBatches(server: FastifyInstance, parts: Runs, large: LargeAnswers): void {
	const options = { schema, serializerCompiler: () => writtenAnswer };
	server.get<{ Querystring: ListQuery }>('/cloud/batches', options, async ({ query }, reply) => {
		const { page, size, orderBy, taskID: id } = query;
		const total = await parts.batches.count(id);
		if (total === 0) findTask(parts, id);
		const window = { offset: (page - 1) * size, size };
		const count = Math.min(size, total - window.offset);
		const read = (maxBytes: number) => parts.batches.list(id, orderBy, window, maxBytes);
		const writeMany = async () => {
			const batches = await read(maxPageBytes);
			// What was deleted since it was counted is no part of the page.
			if (batches.length < count && batches.length > 0) throw tooLarge(batches.length);
			const list = await inTurns(batches);
			return { list, bytes: list.reduce((sum, text) => sum + text.length, 0) };
		};
		const few = await read(piece);
		const { list } =
			few.length < count ? await large.make(reply.raw, writeMany) : { list: await inTurns(few) };
		return success({ list, pagination: { page, size, total } });
	});
}

function tooLarge(fitting: number): ServiceError {
	return new ServiceError(
		'invalid',
		`The batches of this page have too many fields, more than 32 MiB or 8 MiB of different ones: ask for a smaller size, ${fitting} at most.`,
	);
}

/** The batches as JSON. JSON.stringify writes very many fields in a quarter of the time that the schema's writer takes. */
async function inTurns(batches: Batch[]): Promise<string[]> {
	const list: string[] = [];
	let since = piece;
	for (const batch of batches) {
		if (since >= piece) {
			await ownTurn();
			since = 0;
		}
		const batchID = JSON.rawJSON(String(batch.id));
		const text = JSON.stringify({ ...batchRecord(batch), batchID });
		since += text.length;
		list.push(text);
	}
	return list;
}

/** The envelope around batches that are JSON already, joined at once: a large text is copied as often as something is added. */
function writtenAnswer({ code, msg, data: { list, pagination } }: ListAnswer): string {
	const start = `{"code":${code},"msg":${JSON.stringify(msg)},"data":{"list":[`;
	const batches = list.flatMap((batch, index) => (index > 0 ? [',', batch] : [batch]));
	return [start, ...batches, `],"pagination":${JSON.stringify(pagination)}}}`].join('');
}
