import Fastify, {
	LogController,
	type FastifyBaseLogger,
	type FastifyError,
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
} from 'fastify';
import { v4 as newUuid } from 'uuid';
import type { z } from 'zod';
import { ServiceError, serviceErrorOf } from '../errors/serviceError.ts';
import { requestIdOf } from './authenticate.ts';
import { leaveUnread, refuseBroken } from './brokenRequests.ts';
import { gatherChunks } from './chunkedBodies.ts';
import { failureEnvelope, httpStatusOf } from './errors.ts';
import { jsonParser } from './jsonBody.ts';
import { takeOneAtATime } from './oneAtATime.ts';
import { schemaMistake } from './schemaMistake.ts';

/** Connections at once: agents need some of the descriptors that the process has, and the stores. */
const maxConnections = 2_000;
/** Milliseconds that connections have to come to their end once the server closes: the process ends within five seconds. */
const closingTime = 3_000;

/** Answers a request with an envelope that says what has failed. */
type AnswerFailure = (reply: FastifyReply, failure: ServiceError) => FastifyReply;

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
	const answerFailure = failureAnswers(errorsAs200);
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
			void answerFailure(reply, serviceErrorOf(error));
		},
		clientErrorHandler: refuseBroken,
	});
	limitConnections(server);
	takeOneAtATime(server);
	gatherChunks(server);
	takeJsonOnly(server);
	checkRequests(server);
	answerFailures(server, answerFailure);
	refuseBodiesForNothing(server);
	ignoreExpectations(server);
	closeInTime(server);
	logRequests(server);
	return server;
}

/** Says so once a minute at most. */
function limitConnections({ server, log }: FastifyInstance): void {
	server.maxConnections = maxConnections;
	let told = -Infinity;
	server.on('drop', () => {
		if (performance.now() - told < 60_000) return;
		told = performance.now();
		log.warn({ maxConnections }, 'connections refused: too many are open');
	});
}

function failureAnswers(errorsAs200: boolean): AnswerFailure {
	// Written without the schema of the route's success, which a failure does not fit.
	return (reply, failure) =>
		reply
			.code(errorsAs200 ? 200 : httpStatusOf(failure))
			.type('application/json; charset=utf-8')
			.serializer((envelope) => JSON.stringify(envelope))
			.send(failureEnvelope(failure));
}

/** JSON is the only type of bodies; Fastify would read plain text, too. */
function takeJsonOnly(server: FastifyInstance): void {
	server.removeAllContentTypeParsers();
	server.addContentTypeParser<string>(
		'application/json',
		{ parseAs: 'string' },
		jsonParser(server),
	);
}

function checkRequests(server: FastifyInstance): void {
	server.setValidatorCompiler<z.ZodType>(({ schema }) => (value: unknown) => {
		const { success, data, error } = schema.safeParse(value);
		return success ? { value: data } : { error: schemaMistake(value, error) };
	});
}

function answerFailures(server: FastifyInstance, answerFailure: AnswerFailure): void {
	server.setErrorHandler<FastifyError>((error, request, reply) => {
		const failure = serviceErrorOf(error);
		if (failure.kind === 'failed') request.log.error(error);
		const { code, msg } = failureEnvelope(failure);
		request.log.info({ code, reason: msg }, 'request refused');
		// Fastify would close the connection to a client that is still sending, which then reads no answer.
		if (failure.kind === 'tooLarge') reply.removeHeader('connection');
		return answerFailure(reply, failure);
	});
	server.setNotFoundHandler((request, reply) => answerFailure(reply, nothingAt(request)));
	server.addHook('onSend', (request, _reply, payload, done) => {
		leaveUnread(request.raw);
		done(null, payload);
	});
}

function nothingAt({ method, url }: FastifyRequest): ServiceError {
	return new ServiceError('notFound', `There is no ${method} ${url.slice(0, 200)} here.`);
}

/** Nobody has to be known to ask for what is not there: no body of such a request is read. */
function refuseBodiesForNothing(server: FastifyInstance): void {
	server.addHook('onRequest', (request, _reply, done) => {
		const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
		const hasBody = length !== '0' || coding !== undefined;
		done(request.is404 && hasBody ? nothingAt(request) : undefined);
	});
}

/**
 * Node.js would refuse expectations that it does not know itself, without an envelope; a server is
 * free to ignore them (RFC 9110, 10.1.1).
 */
function ignoreExpectations({ server }: FastifyInstance): void {
	server.on('checkExpectation', (request, response) => {
		server.emit('request', request, response);
	});
}

/** A client that never ends its request would keep the server from closing. */
function closeInTime(server: FastifyInstance): void {
	server.addHook('preClose', (done) => {
		setTimeout(() => server.server.closeAllConnections(), closingTime).unref();
		done();
	});
}

/** Who reads the log must not come into the console by it. */
function withoutToken(url: string): string {
	return url.replace(/([?&]token=)[^&]*/g, '$1***');
}

function logRequests(server: FastifyInstance): void {
	server.addHook('onResponse', (request, reply, done) => {
		request.log.info(
			{
				method: request.method,
				url: withoutToken(request.url),
				statusCode: reply.statusCode,
				milliseconds: Math.round(reply.elapsedTime),
			},
			'request',
		);
		done();
	});
}
