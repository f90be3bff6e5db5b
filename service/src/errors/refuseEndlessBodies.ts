import type { FastifyInstance } from 'fastify';
import { ServiceError } from './serviceError.ts';

/**
 * Refuses bodies that come in chunks without a length, where nobody has to be known: of chunks of a byte each, some
 * megabytes take gigabytes of memory. Browsers say how long a form is.
 */
export function refuseEndlessBodies(server: FastifyInstance): void {
	server.addHook('onRequest', ({ headers }, _reply, done) => {
		const isEndless = headers['transfer-encoding'] !== undefined;
		done(
			isEndless
				? new ServiceError('invalid', 'The length of the body is missing: send Content-Length.')
				: undefined,
		);
	});
}
