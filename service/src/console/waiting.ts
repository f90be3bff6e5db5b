import type { FastifyReply } from 'fastify';
import type { ConsoleParts } from './consoleParts.ts';

/** Aborted when nobody waits for an answer any more: its reader is gone, or the service ends. */
export function untilGone({ closing }: ConsoleParts, { raw }: FastifyReply): AbortSignal {
	const gone = new AbortController();
	raw.once('close', () => gone.abort());
	return AbortSignal.any([gone.signal, closing]);
}
