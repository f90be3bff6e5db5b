import type { FastifyInstance } from 'fastify';
import type { Metrics, Watched } from '../runs/metrics.ts';

/** GET /metrics, for Prometheus. As GET /readyz, it needs no API key, and no line of the log. */
export function metricsRoute(server: FastifyInstance, metrics: Metrics, watched: Watched): void {
	server.get('/metrics', { logLevel: 'warn' }, async (_request, reply) =>
		reply
			.header('cache-control', 'no-store')
			.type(metrics.contentType)
			.send(await metrics.read(watched)),
	);
}
