import type { FastifyInstance } from 'fastify';

/**
 * Cuts connections whose client takes nothing more of an answer for so many milliseconds, or twice as long:
 * it would be held in memory for as long as the client likes.
 */
export function cutUntakenAnswers(server: FastifyInstance, patience = 30_000): void {
	server.addHook('onSend', (_request, reply, payload, done) => {
		reply.raw.setTimeout(patience, () => reply.raw.destroy());
		done(null, payload);
	});
}
