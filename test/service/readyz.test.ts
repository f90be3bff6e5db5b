import { rename, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import Fastify from 'fastify';
import { readyz } from '../../service/src/api/readyz.ts';
import { startService } from '../support/inProcess/startService';

const asked = async (baseUrl: string) => {
	const answer = await fetch(`${baseUrl}/readyz`);
	return { status: answer.status, body: (await answer.json()) as unknown };
};

test('says that a service is ready, without an API key, and fills no log', async () => {
	const service = await startService();
	expect(await asked(service.baseUrl)).toEqual({ status: 200, body: { ready: true } });
	await service.stop();
	expect(JSON.stringify(service.log)).not.toContain('readyz');
});

test('says why no task starts while the database is away, also where failures carry 200', async () => {
	const service = await startService({ env: { SERVICE_ERRORS_AS_200: 'true' } });
	const data = join(service.folder, 'service.db');
	await rename(data, `${data}.away`);
	expect(await asked(service.baseUrl)).toEqual({
		status: 503,
		body: {
			ready: false,
			reason: `The database ${data} was removed or replaced while the service runs: what is stored now is lost when it ends. Restart the service, then start the task again.`,
		},
	});
	await rename(`${data}.away`, data);
	expect((await asked(service.baseUrl)).status).toBe(200);
	await service.stop();
});

test('takes the room in reserve again that a full disk has cost', async () => {
	const service = await startService();
	const reserve = join(service.folder, 'service.db.reserve');
	await rm(reserve);
	expect((await asked(service.baseUrl)).status).toBe(200);
	// Cannot be cut unless it is there.
	await truncate(reserve, 0);
	await service.stop();
});

test('asks at each request, and not once', async () => {
	const server = Fastify();
	const reasons = ['The service has not begun its work yet.', undefined, 'The service is ending.'];
	readyz(server, () => Promise.resolve(reasons.shift()));
	const codes = [];
	for (let count = 0; count < 3; count += 1) {
		codes.push((await server.inject('/readyz')).statusCode);
	}
	expect(codes).toEqual([503, 200, 503]);
	await server.close();
});
