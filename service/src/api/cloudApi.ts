import type { FastifyInstance } from 'fastify';
import type { CloudParts } from './cloudParts.ts';
import { listBatches } from './listBatches.ts';
import { readData } from './readData.ts';
import { authenticate } from './authenticate.ts';
import { startTask } from './startTask.ts';
import { stopTask } from './stopTask.ts';

/** The four endpoints of section 4. */
export function cloudApi(parts: CloudParts) {
	return (server: FastifyInstance, _options: object, done: () => void): void => {
		authenticate(server, parts.apiKeys);
		startTask(server, parts);
		stopTask(server, parts);
		listBatches(server, parts);
		readData(server, parts);
		done();
	};
}
