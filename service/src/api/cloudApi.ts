import type { FastifyInstance } from 'fastify';
import type { ApiKeys } from '../keys/apiKeys.ts';
import { authenticate } from './authenticate.ts';
import { answerWithFaults, type FaultyParts } from './faultyAnswers.ts';
import { LargeAnswers, sendInPieces } from './largeAnswers.ts';
import { listBatches } from './listBatches.ts';
import { readData, type DataParts } from './readData.ts';
import { startTask } from './startTask.ts';
import { stopTask } from './stopTask.ts';
import { cutUntakenAnswers } from './untakenAnswers.ts';

/** What the endpoints work with. */
interface CloudParts extends DataParts {
	apiKeys: ApiKeys;
	/** Absent: none can be switched on. */
	faulty?: FaultyParts;
}

/** The four endpoints of section 4. */
export function cloudApi(parts: CloudParts) {
	return (server: FastifyInstance, _options: object, done: () => void): void => {
		cutUntakenAnswers(server);
		authenticate(server, parts.apiKeys);
		if (parts.faulty) answerWithFaults(server, parts.faulty);
		sendInPieces(server);
		startTask(server, parts);
		stopTask(server, parts);
		const large = new LargeAnswers();
		listBatches(server, parts, large);
		readData(server, parts, large);
		done();
	};
}
