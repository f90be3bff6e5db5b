import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../errors/serviceError.ts';
import { maxCount, startRun, type Runs } from '../runs/runs.ts';
import { regions } from '../store/batch.ts';
import { isGivenUp } from './arrivals.ts';
import {
	batchRecord,
	batchSchema,
	chosenHere,
	countingNumber,
	envelopeOf,
	success,
	taskID,
} from './wire.ts';

const body = z.object({
	taskID: taskID(),
	region: z
		.string()
		.pipe(
			z.enum(['', ...regions]).meta({
				description: 'Where agents run. Empty or absent: the default region.',
				...chosenHere(
					'Without one, any agent of the service; with one, those of that region (SERVICE_REGIONS).',
				),
			}),
		)
		.optional(),
	nodeCount: countingNumber(maxCount).meta({ description: 'Concurrent agents at most.' }),
	jobCount: countingNumber(maxCount).meta({
		description: 'Jobs to split the run into.',
		...chosenHere(
			'Only a list loop as the outermost step is split, into as many jobs as it has items at most.',
		),
	}),
	actionParams: z
		.string()
		.meta({
			description:
				'A JSON array of {id, path, value}, as text: values of steps that are replaced in this run.',
			...chosenHere('An empty text is none.'),
		})
		.optional(),
});
const schema = {
	operationId: 'startTask',
	summary: 'Starts a task; creates a batch, which waits.',
	body,
	response: { 200: envelopeOf(batchSchema) },
};

/** POST /cloud/start (section 4.1): stores a waiting batch and returns it at once. */
export function startTask(server: FastifyInstance, parts: Runs): void {
	server.post<{ Body: z.infer<typeof body> }>('/cloud/start', { schema }, async (request) => {
		if (await isGivenUp(request)) {
			throw new ServiceError(
				'conflict',
				'The client has hung up before the task was started: nothing was started.',
			);
		}
		return success(batchRecord(await startRun(parts, request.body, request)));
	});
}
