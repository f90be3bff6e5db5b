import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../errors/serviceError.ts';
import type { Batch } from '../../store/batch.ts';
import { identifierLimit } from '../../store/identifiers.ts';
import type { ConsoleParts } from '../consoleParts.ts';

/** A request for something below /console/batches/:batchID. */
export type BatchRequest = FastifyRequest<{ Params: { batchID: string } }>;

/** The batch that a page is about; throws a ServiceError where there is none. */
export async function requestedBatch(
	{ batches }: Pick<ConsoleParts, 'batches'>,
	batchID: string,
): Promise<Batch> {
	const id = /^\d{1,19}$/.test(batchID) ? BigInt(batchID) : 0n;
	const batch = id > 0n && id < identifierLimit(true) ? await batches.find(id) : undefined;
	if (batch) return batch;
	throw new ServiceError(
		'notFound',
		`There is no batch ${batchID.slice(0, 100)}. It may have been deleted, with its rows, some days after its end.`,
	);
}

/** What the address of a request asks for. */
export function queryOf(request: FastifyRequest): URLSearchParams {
	return new URL(request.url, 'http://service').searchParams;
}

/** A whole number from 1 on; `otherwise` for any other text, and for none. */
export function numberFromOne(text: string | null, otherwise = 1): number {
	return /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : otherwise;
}
