import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { stopRunOf, type Runs } from '../runs/runs.ts';
import { hasHungUp, isGivenUp, watchArrivals } from './arrivals.ts';
import { batchRecord, batchSchema, chosenHere, envelopeOf, success, taskID } from './wire.ts';

const body = z.object({ taskID: taskID() });
const schema = {
	operationId: 'stopTask',
	summary: 'Stops a task: its batch ends with status 4.',
	...chosenHere(
		'Of those that were there when the request came, the running batch is stopped, else a waiting one, the newest of several; where there is none, the code is 9000002.',
	),
	body,
	response: { 200: envelopeOf(batchSchema) },
};

/** POST /cloud/stop (section 4.2): the running batch is stopped, else a waiting one, the newest of several. */
export function stopTask(server: FastifyInstance, parts: Runs): void {
	const earliestArrival = watchArrivals(server);
	server.post<{ Body: z.infer<typeof body> }>('/cloud/stop', { schema }, async (request) => {
		const now = performance.now();
		const came = (await isGivenUp(request)) ? earliestArrival(request) : now;
		const isAwaited = () => !hasHungUp(request);
		const stopped = await stopRunOf(parts, request.body.taskID, { came, isAwaited });
		return success(batchRecord(stopped));
	});
}
