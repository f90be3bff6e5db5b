import type { FastifyInstance } from 'fastify';
import type { ApiKeys } from '../keys/apiKeys.ts';
import type { Metrics, Watched } from '../runs/metrics.ts';
import type { Settings } from '../settings/settings.ts';
import { requireKey } from './authenticate.ts';

/** GET /metrics, for Prometheus, with an API key unless it is open. As GET /readyz, it is no line of the log. */
export function metricsRoute(
	server: FastifyInstance,
	metrics: Metrics,
	watched: Watched,
	{ apiKeys, access }: { apiKeys: ApiKeys; access: Settings['metrics'] },
): void {
	server.register((own, _options, done) => {
		if (access === 'key') requireKey(own, apiKeys);
		own.get('/metrics', { logLevel: 'warn' }, async (_request, reply) =>
			reply
				.header('cache-control', 'no-store')
				.type(metrics.contentType)
				.send(await metrics.read(watched)),
		);
		done();
	});
}
