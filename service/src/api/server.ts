import { STATUS_CODES } from 'node:http';
import { Ajv } from 'ajv';
import Fastify, {
	LogController,
	type FastifyBaseLogger,
	type FastifyError,
	type FastifyInstance,
	type FastifyReply,
} from 'fastify';
import type { Socket } from 'node:net';
import { v4 as newUuid, validate as isUuid } from 'uuid';
import { ApiError, errorCode } from './errors.ts';
import { toApiError } from './toApiError.ts';

const requestIdHeader = 'x-cp-request-id';

/**
 * An HTTP server without routes that answers whatever goes wrong with the envelope (section 2.1) and
 * logs one line a request. `errorsAs200`: failed requests carry HTTP 200.
 */
export function createServer({
	log,
	errorsAs200,
}: {
	log: FastifyBaseLogger;
	errorsAs200: boolean;
}): FastifyInstance {
	// Written without the schema of the route's success, which a failure does not fit.
	const answer = (reply: FastifyReply, failure: ApiError) =>
		reply
			.code(errorsAs200 ? 200 : failure.httpStatus)
			.type('application/json; charset=utf-8')
			.serializer((envelope) => JSON.stringify(envelope))
			.send(failed(failure));
	const server = Fastify({
		loggerInstance: log,
		logController: new LogController({
			disableRequestLogging: true,
			requestIdLogLabel: 'requestID',
		}),
		bodyLimit: 16 * 1024 * 1024,
		requestTimeout: 30_000,
		routerOptions: { maxParamLength: 1000 },
		forceCloseConnections: 'idle',
		genReqId: ({ headers }) => requestIdOf(headers[requestIdHeader]) ?? newUuid(),
		frameworkErrors: (error, _request, reply) => {
			void answer(reply, toApiError(error));
		},
		clientErrorHandler: refuse,
	});

	// Query values are strings and become what they stand for; JSON bodies say what they mean.
	const validators = { query: new Ajv({ coerceTypes: true }), body: new Ajv() };
	server.setValidatorCompiler(({ schema, httpPart }) =>
		validators[httpPart === 'querystring' ? 'query' : 'body'].compile(schema),
	);
	server.setErrorHandler<FastifyError | ApiError>((error, request, reply) => {
		const failure = toApiError(error);
		if (failure.httpStatus === 500) request.log.error(error);
		request.log.info({ code: failure.code, reason: failure.message }, 'request refused');
		return answer(reply, failure);
	});
	server.setNotFoundHandler((request, reply) => {
		const failure = new ApiError(
			errorCode.notFound,
			`There is no ${request.method} ${request.url.slice(0, 200)} here.`,
		);
		return answer(reply, failure);
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

/** Refuses requests without a known API key (section 5), then those without a request id. */
export function authenticate(server: FastifyInstance, apiKeys: string[]): void {
	const accepted = new Set(apiKeys.map((key) => `Bearer ${key}`));
	server.addHook('onRequest', (request, _reply, done) => {
		if (!accepted.has(request.headers.authorization ?? '')) {
			done(
				new ApiError(
					errorCode.unauthorized,
					'The API key is missing or wrong: send the header Authorization: Bearer <API_KEY>.',
				),
			);
		} else if (requestIdOf(request.headers[requestIdHeader]) === undefined) {
			done(new ApiError(errorCode.badRequest, `The header ${requestIdHeader} must be a UUID.`));
		} else {
			done();
		}
	});
}

function requestIdOf(header: string | string[] | undefined): string | undefined {
	return typeof header === 'string' && isUuid(header) ? header : undefined;
}

function failed({ code, message }: ApiError) {
	return { code, msg: message, data: null };
}

/** Answers what is no HTTP request at all, and closes the connection. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
	if (error.code === 'ECONNRESET' || !socket.writable) {
		socket.destroy();
		return;
	}
	const body = JSON.stringify(
		failed(new ApiError(errorCode.unreadable, 'This is not a readable HTTP request.')),
	);
	socket.end(
		[
			`HTTP/1.1 400 ${STATUS_CODES[400]}`,
			'Content-Type: application/json; charset=utf-8',
			`Content-Length: ${Buffer.byteLength(body)}`,
			'Connection: close',
			'',
			body,
		].join('\r\n'),
	);
}
