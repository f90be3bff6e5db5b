import type { FastifyError, FastifyInstance } from 'fastify';
import { serviceErrorOf } from '../errors/serviceError.ts';
import type { ApiKeys } from '../keys/apiKeys.ts';
import { faultsIn } from '../testControl/fault.ts';
import { batchOf, seedBatches, seedOf } from '../testControl/seed.ts';
import { resetAll, type TestControl } from '../testControl/testControl.ts';
import { requireKey } from './authenticate.ts';
import { httpStatusOf } from './errors.ts';

/** What tests of other programs ask for: plain JSON, without the envelope and its rules; an API key is needed. */
export function testControlRoutes(control: TestControl, apiKeys: ApiKeys) {
	return (server: FastifyInstance, _options: object, done: () => void): void => {
		requireKey(server, apiKeys);
		answerFailures(server);
		server.post('/test/reset', async ({ log }) => {
			await resetAll(control);
			log.info('all batches and faults forgotten');
			return {};
		});
		server.register(seedRoute(control));
		server.get<{ Params: { id: string } }>('/test/batches/:id', async ({ params }) =>
			seedOf(control.rows, await batchOf(control.batches, params.id)),
		);
		server.get('/test/faults', () => control.faults.list);
		server.put('/test/faults', ({ body, log }) => {
			const faults = faultsIn(body);
			control.faults.set(faults);
			log.info({ faults }, 'faults set');
			return faults;
		});
		server.delete('/test/faults', ({ log }) => {
			control.faults.set([]);
			log.info('faults deleted');
			return [];
		});
		done();
	};
}

/** Its JSON is read as a text, so that its numbers stay as they are written. */
function seedRoute(control: TestControl) {
	return (server: FastifyInstance, _options: object, done: () => void): void => {
		server.removeContentTypeParser('application/json');
		server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
			done(null, body),
		);
		server.post<{ Body?: string }>('/test/seed', async ({ body = '', log }, reply) => {
			const ids = await seedBatches(control.batches, body);
			log.info({ batches: ids.length }, 'batches seeded');
			// JSON has integers of any size, JSON.stringify has not.
			return reply.type(json).send(`{"batchIDs":[${ids.join(',')}]}`);
		});
		done();
	};
}

const json = 'application/json; charset=utf-8';

function answerFailures(server: FastifyInstance): void {
	// So that a POST or DELETE without a body may name the type of one; seeds have any number of rows.
	const parse = server.getDefaultJsonParser('error', 'ignore');
	server.removeContentTypeParser('application/json');
	server.addContentTypeParser<string>(
		'application/json',
		{ parseAs: 'string' },
		(request, body, done) => (body === '' ? done(null, undefined) : parse(request, body, done)),
	);
	server.setErrorHandler<FastifyError>((error, { log }, reply) => {
		const failure = serviceErrorOf(error);
		if (failure.kind === 'failed') log.error(error);
		return reply.code(httpStatusOf(failure)).type(json).send({ error: failure.message });
	});
}
