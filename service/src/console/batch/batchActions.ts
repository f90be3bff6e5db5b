import type { FastifyInstance } from 'fastify';
import { v4 as newUuid } from 'uuid';
import { ServiceError } from '../../errors/serviceError.ts';
import { deleteBatch } from '../../runs/retention.ts';
import { startRun } from '../../runs/runs.ts';
import { html, type Html } from '../../text/html.ts';
import { isUnfinished, type Batch } from '../../store/batch.ts';
import type { ConsoleParts } from '../consoleParts.ts';
import { entriesOf, tokenIn } from '../entries.ts';
import { batchPath, taskPath } from '../paths.ts';
import { requestedBatch, type BatchRequest } from './requestedBatch.ts';

/** A batch is stopped, started once more as it was, or deleted. */
export function batchActionRoutes(server: FastifyInstance, parts: ConsoleParts): void {
	server.post('/batches/:batchID/stop', async (request: BatchRequest, reply) => {
		const batch = await requestedBatch(parts, request.params.batchID);
		await parts.dispatcher.stop(batch.id);
		return reply.redirect(batchPath(batch), 303);
	});
	server.post('/batches/:batchID/again', async (request: BatchRequest, reply) => {
		const batch = await requestedBatch(parts, request.params.batchID);
		const { taskID, region, nodeCount } = batch;
		const start = await parts.batches.startOf(batch.id);
		if (!start) {
			throw new ServiceError(
				'conflict',
				'Nothing was started: the values of this batch were not kept. Start the task on its own page.',
			);
		}
		const id = tokenIn(entriesOf(request.body));
		const starter = { id, once: true, log: request.log };
		const started =
			(await parts.batches.startedBy(taskID, id)) ??
			(await startRun(parts, { taskID, region, nodeCount, ...start }, starter));
		return reply.redirect(batchPath(started), 303);
	});
	server.post('/batches/:batchID/delete', async (request: BatchRequest, reply) => {
		const batch = await requestedBatch(parts, request.params.batchID);
		await deleteBatch(parts.retention, batch, { log: request.log, signal: parts.closing });
		request.log.info({ deletedBatch: String(batch.id) }, 'batch deleted in the console');
		const isKnown = parts.tasks.find(batch.taskID) ?? (await parts.batches.count(batch.taskID)) > 0;
		return reply.redirect(isKnown ? `${taskPath(batch.taskID)}#runs` : '/console/', 303);
	});
}

/**
 * What can be done with a batch as it stands. By their ids, live updates make no form of another one:
 * what is pressed is what was seen.
 */
export async function batchActions({ batches, tasks }: ConsoleParts, batch: Batch): Promise<Html> {
	if (isUnfinished(batch)) {
		return html`<form id="stop" method="post" action="${batchPath(batch)}/stop">
			<button class="danger">Stop</button>
		</form>`;
	}
	const start = tasks.find(batch.taskID) && (await batches.startOf(batch.id));
	return html`${start && againForm(batch, start.actionParams !== '')} ${deleteForm(batch)}`;
}

function againForm(batch: Batch, hasValues: boolean): Html {
	return html`<form id="again" method="post" action="${batchPath(batch)}/again" data-once>
		<input type="hidden" name="token" value="${newUuid()}" />
		<button>${hasValues ? 'Run again with the same values' : 'Run again'}</button>
	</form>`;
}

/** Deletes an ended batch. */
export function deleteForm(batch: Batch): Html {
	return html`<form
		id="delete-${batch.id}"
		method="post"
		action="${batchPath(batch)}/delete"
		data-confirm="Delete this batch with all of its rows? This cannot be undone."
		data-once
	>
		<button class="danger" aria-label="Delete the batch ${batch.id}">Delete</button>
	</form>`;
}
