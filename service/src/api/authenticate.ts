import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { validate as isUuid } from 'uuid';
import { ServiceError } from '../errors/serviceError.ts';
import type { ApiKeys } from '../keys/apiKeys.ts';

const missingKey = new ServiceError(
	'unauthorized',
	'The API key is missing: it stands in the header Authorization, behind "Bearer" and a space.',
);
const wrongKey = new ServiceError(
	'unauthorized',
	'The API key is wrong: this service does not know it. Its console makes keys, on the page Keys.',
);
const tooManyKeys = new ServiceError(
	'tooManyTries',
	'Too many wrong API keys came from this address. Try again in a minute.',
);

const requestIdHeader = 'x-cp-request-id';
const noRequestId = `The header ${requestIdHeader} must be a UUID.`;

/** Refuses requests without a known API key (section 5), then those without a request id. */
export function authenticate(server: FastifyInstance, apiKeys: ApiKeys): void {
	requireKey(server, apiKeys);
	server.addHook('onRequest', (request, _reply, done) => {
		const isThere = requestIdOf(request.headers) !== undefined;
		done(isThere ? undefined : new ServiceError('badRequest', noRequestId));
	});
}

/** Refuses requests without a known API key. */
export function requireKey(server: FastifyInstance, apiKeys: ApiKeys): void {
	server.addHook('onRequest', async (request) => {
		const [, key] = /^Bearer (.*)$/.exec(request.headers.authorization ?? '') ?? [];
		const { remoteAddress } = request.socket;
		if (key === undefined) throw missingKey;
		const checked = await apiKeys.check(key, remoteAddress);
		if (checked !== 'accepted') throw checked === 'refused' ? tooManyKeys : wrongKey;
		apiKeys.noteUse(key, `${request.method} ${request.routeOptions.url ?? ''}`);
	});
}

/** The client's id of a request (section 5.3); undefined if it is missing or no UUID. */
export function requestIdOf(headers: IncomingHttpHeaders): string | undefined {
	const id = headers[requestIdHeader];
	return typeof id === 'string' && isUuid(id) ? id : undefined;
}
