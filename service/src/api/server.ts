import { Ajv } from 'ajv';
import Fastify, {
	LogController,
	type FastifyBaseLogger,
	type FastifyError,
	type FastifyInstance,
	type FastifyReply,
} from 'fastify';
import { v4 as newUuid } from 'uuid';
import { requestIdOf } from './authenticate.ts';
import { noteAnswered, refuseBroken } from './brokenRequests.ts';
import { ApiError, errorCode, failureEnvelope } from './errors.ts';
import { decodeQuery, type QuerySchema } from './decodeQuery.ts';
import { toApiError } from './toApiError.ts';

/** Milliseconds that connections have to come to their end once the server closes. */
const closingTime = 1_500;

/**
 * An HTTP server without routes that answers whatever goes wrong with the envelope (section 2.1) and
 * logs one line a request. `errorsAs200`: failed requests carry HTTP 200. `requestTimeout`:
 * milliseconds for a request to come whole; a connection is cut a tenth later at most.
 */
export function createServer({
	log,
	errorsAs200,
	requestTimeout = 30_000,
}: {
	log: FastifyBaseLogger;
	errorsAs200: boolean;
	requestTimeout?: number;
}): FastifyInstance {
	// Written without the schema of the route's success, which a failure does not fit.
	const answer = (reply: FastifyReply, failure: ApiError) =>
		reply
			.code(errorsAs200 ? 200 : failure.httpStatus)
			.type('application/json; charset=utf-8')
			.serializer((envelope) => JSON.stringify(envelope))
			.send(failureEnvelope(failure));
	const server = Fastify({
		loggerInstance: log,
		logController: new LogController({
			disableRequestLogging: true,
			requestIdLogLabel: 'requestID',
		}),
		bodyLimit: 16 * 1024 * 1024,
		requestTimeout,
		http: {
			requestTimeout,
			// As long as Node.js waits for the headers, it does not mind the time of the whole request.
			headersTimeout: requestTimeout,
			connectionsCheckingInterval: requestTimeout / 10,
			// Node.js would refuse requests without a Host header itself, without an envelope.
			requireHostHeader: false,
		},
		routerOptions: { maxParamLength: 1000 },
		// A HEAD request would do what its GET does, and use up rows of a deduplicationID unseen.
		exposeHeadRoutes: false,
		forceCloseConnections: 'idle',
		// Requests that come while the server closes are answered as ever, not without an envelope.
		return503OnClosing: false,
		genReqId: ({ headers }) => requestIdOf(headers) ?? newUuid(),
		frameworkErrors: (error, _request, reply) => {
			void answer(reply, toApiError(error));
		},
		clientErrorHandler: refuseBroken,
	});

	// JSON is the only type of bodies; Fastify would read plain text, too.
	server.removeContentTypeParser('text/plain');
	const ajv = new Ajv();
	server.setValidatorCompiler<QuerySchema>(({ schema, httpPart }) => {
		const validate = ajv.compile(schema);
		if (httpPart !== 'querystring') return validate;
		return (query: Record<string, unknown>) => {
			const value = decodeQuery(schema, query);
			return validate(value) ? { value } : { error: validate.errors ?? [] };
		};
	});
	server.setErrorHandler<FastifyError | ApiError>((error, request, reply) => {
		const failure = toApiError(error);
		if (failure.httpStatus === 500) request.log.error(error);
		request.log.info({ code: failure.code, reason: failure.message }, 'request refused');
		// Fastify would close the connection to a client that is still sending, which then reads no answer.
		if (failure.httpStatus === 413) reply.removeHeader('connection');
		return answer(reply, failure);
	});
	server.setNotFoundHandler((request, reply) => {
		const failure = new ApiError(
			errorCode.notFound,
			`There is no ${request.method} ${request.url.slice(0, 200)} here.`,
		);
		return answer(reply, failure);
	});
	// Node.js would refuse expectations that it does not know itself, without an envelope; a server is
	// free to ignore them (RFC 9110, 10.1.1).
	server.server.on('checkExpectation', (request, response) => {
		server.server.emit('request', request, response);
	});
	// A client that never ends its request would keep the server from closing.
	server.addHook('preClose', (done) => {
		setTimeout(() => server.server.closeAllConnections(), closingTime).unref();
		done();
	});
	server.addHook('onSend', (request, _reply, payload, done) => {
		noteAnswered(request.raw);
		done(null, payload);
	});
	server.addHook('onResponse', (request, reply, done) => {
		request.log.info(
			{
				method: request.method,
				url: request.url,
				statusCode: reply.statusCode,
				milliseconds: Math.round(reply.elapsedTime),
			},
			'request',
		);
		done();
	});
	return server;
}
