import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isObject, valueAt } from '../errors/mistakeOf.ts';
import type { Clock } from '../pages/clock.ts';
import type { BatchStore } from '../store/batchStore.ts';
import type { AnswerFault } from '../testControl/fault.ts';
import type { Faults, FaultyRequest, Taken } from '../testControl/faults.ts';
import { httpStatusOfCode } from './errors.ts';

/** What is needed to answer with faults. */
export interface FaultyParts {
	faults: Faults;
	batches: BatchStore;
	clock: Clock;
	/** Aborted when the service ends. */
	closing: AbortSignal;
	/** Failed requests carry HTTP 200. */
	errorsAs200: boolean;
}

/** Has requests go wrong that are right otherwise, as the faults say that are on when they come. */
export function answerWithFaults(server: FastifyInstance, parts: FaultyParts): void {
	const takenBy = new WeakMap<FastifyRequest, Taken>();
	server.addHook('preHandler', async (request, reply) => {
		if (parts.faults.list.length === 0) return;
		const taken = parts.faults.takeFor(await faultyRequest(request, parts.batches));
		if (!taken) return;
		takenBy.set(request, taken);
		const { fault, forgotten } = taken;
		if (fault.shorten === undefined) taken.happened();
		request.log.info({ fault }, 'fault');
		if (fault.delay !== undefined) {
			const given = AbortSignal.any([parts.closing, forgotten]);
			await parts.clock.sleep(fault.delay, given).catch(() => undefined);
		}
		// What was sent before a reset does nothing after it.
		if (forgotten.aborted) return endConnection(reply);
		if (fault.drop === 'before') return endConnection(reply);
		if (fault.code !== undefined) return sendEnvelope(reply, fault, parts.errorsAs200);
		if (fault.status !== undefined) return sendWritten(reply, fault);
	});
	server.addHook('preSerialization', (request, _reply, payload, done) => {
		const taken = takenBy.get(request);
		done(null, taken?.fault.shorten === undefined ? payload : shortened(payload, taken));
	});
	server.addHook<string | null>('onSend', (request, reply, payload, done) => {
		const { drop, cut } = takenBy.get(request)?.fault ?? {};
		if (drop === 'after') endConnection(reply);
		else if (cut) sendHalf(reply, payload ?? '');
		else done(null, payload);
	});
}

/** What faults tell requests by. */
async function faultyRequest(
	{ routeOptions, query, body }: FastifyRequest,
	batches: BatchStore,
): Promise<FaultyRequest> {
	const page = valueAt(query, 'page');
	const batchID = valueAt(query, 'batchID');
	const batch = typeof batchID === 'bigint' ? await batches.find(batchID) : undefined;
	const taskID = batch?.taskID ?? valueAt(query, 'taskID') ?? valueAt(body, 'taskID');
	return {
		path: routeOptions.url ?? '',
		page: typeof page === 'number' ? page : undefined,
		taskID: typeof taskID === 'string' ? taskID : undefined,
	};
}

function endConnection(reply: FastifyReply): FastifyReply {
	reply.hijack();
	reply.raw.destroy();
	return reply;
}

function sendEnvelope(
	reply: FastifyReply,
	{ status, headers = {}, code = 0, msg = '' }: AnswerFault,
	errorsAs200: boolean,
): FastifyReply {
	return reply
		.code(status ?? (errorsAs200 ? 200 : httpStatusOfCode(code)))
		.type('application/json; charset=utf-8')
		.headers(headers)
		.serializer((envelope) => JSON.stringify(envelope))
		.send({ code, msg, data: null });
}

function sendWritten(
	reply: FastifyReply,
	{ status = 200, headers = {}, body = '' }: AnswerFault,
): FastifyReply {
	const isText = typeof body === 'string';
	return reply
		.code(status)
		.type(isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
		.headers(headers)
		.serializer((text) => String(text))
		.send(isText ? body : JSON.stringify(body));
}

/** A page without so many of its last entries; what has none is as it was, and the fault is for the next one. */
function shortened(payload: unknown, taken: Taken): unknown {
	const data = valueAt(payload, 'data');
	const entries: unknown = isObject(data) ? data.list : undefined;
	if (!isObject(payload) || !isObject(data) || !Array.isArray(entries) || entries.length === 0) {
		taken.missed();
		return payload;
	}
	taken.happened();
	const list: unknown[] = entries.slice(
		0,
		Math.max(0, entries.length - (taken.fault.shorten ?? 0)),
	);
	return { ...payload, data: { ...data, list } };
}

/** Of no body at all, a byte is missing. */
function sendHalf(reply: FastifyReply, payload: string): void {
	const { raw } = reply.hijack();
	const bytes = Buffer.from(payload);
	for (const [name, value] of Object.entries(reply.getHeaders())) {
		if (value !== undefined) raw.setHeader(name, value);
	}
	raw.setHeader('content-length', Math.max(1, bytes.length));
	raw.writeHead(reply.statusCode);
	raw.write(bytes.subarray(0, bytes.length >> 1), () => raw.destroy());
}
