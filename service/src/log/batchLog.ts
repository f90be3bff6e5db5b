import type { FastifyBaseLogger } from 'fastify';
import { isObject } from '../errors/mistakeOf.ts';
import type { UnfinishedBatch } from '../store/batch.ts';
import type { BatchLogStore } from '../store/batchLogStore.ts';

const levels: Record<number, string> = { 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };

/** A log whose lines are about a batch. */
export function logOf(
	{ id, taskID, requestID }: Omit<UnfinishedBatch, 'region'>,
	log: FastifyBaseLogger,
): FastifyBaseLogger {
	return log.child({ batchID: String(id), taskID, requestID });
}

/** Keeps a line of the log, a JSON object, if it is about a batch and of the level "info" at least. */
export function keepBatchLine(store: BatchLogStore, text: string): void {
	// Most lines are about requests.
	if (!text.includes('"batchID":"')) return;
	const line: unknown = JSON.parse(text);
	if (!isObject(line)) return;
	const { batchID, level, time, msg, taskID: _task, requestID: _request, ...details } = line;
	const name = levels[Number(level)];
	if (typeof batchID !== 'string' || !/^\d+$/.test(batchID) || name === undefined) return;
	store.add(BigInt(batchID), {
		time: Number(time),
		level: name,
		message: String(msg),
		details: JSON.stringify(details),
	});
}
