import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Metrics, Watched } from '../runs/metrics.ts';
import { refuseForeignRequests, type ServiceNames } from './foreignRequests.ts';
import { metricsRoute } from './metricsRoute.ts';
import { readyz } from './readyz.ts';
import { createServer } from './server.ts';

/** A server for a process without an API: it says whether work is taken (GET /readyz), and its figures (GET /metrics). */
export function watchServer(
	names: ServiceNames,
	{ log, metrics, watched }: { log: FastifyBaseLogger; metrics: Metrics; watched: Watched },
): FastifyInstance {
	const server = createServer({ log, errorsAs200: false });
	refuseForeignRequests(server, names);
	readyz(server, watched.whyNotReady);
	metricsRoute(server, metrics, watched);
	return server;
}
