import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ApiKeys } from '../keys/apiKeys.ts';
import type { Metrics, Watched } from '../runs/metrics.ts';
import type { AgentSettings } from '../settings/settings.ts';
import { refuseForeignRequests } from './foreignRequests.ts';
import { metricsRoute } from './metricsRoute.ts';
import { readyz } from './readyz.ts';
import { createServer } from './server.ts';

/** A server for a process without an API: it says whether work is taken (GET /readyz), and its figures (GET /metrics). */
export function watchServer(
	settings: AgentSettings,
	parts: { log: FastifyBaseLogger; metrics: Metrics; watched: Watched; apiKeys: ApiKeys },
): FastifyInstance {
	const { log, metrics, watched, apiKeys } = parts;
	const server = createServer({ log, errorsAs200: false });
	refuseForeignRequests(server, settings);
	readyz(server, watched.whyNotReady);
	metricsRoute(server, metrics, watched, { apiKeys, access: settings.metrics });
	return server;
}
