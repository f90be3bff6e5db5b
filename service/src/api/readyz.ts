import type { FastifyInstance } from 'fastify';

/**
 * GET /readyz, for what watches over a service: 200 while requests are served and work is taken, else
 * 503 with the reason. It needs no API key. `whyNot`: the reason, for people; undefined: there is none.
 */
export function readyz(server: FastifyInstance, whyNot: () => Promise<string | undefined>): void {
	// It is asked every few seconds, and each request would be a line of the log.
	server.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
		const reason = await whyNot();
		return reply
			.header('cache-control', 'no-store')
			.code(reason === undefined ? 200 : 503)
			.send(reason === undefined ? { ready: true } : { ready: false, reason });
	});
}
