import { startService } from '../service/startService';
import type { RunningService } from '../service/startService';
import { startTestN8n } from './n8n';
import type { OwnN8n, TestN8n } from './n8n';
import { isN8nShared, sharedN8n } from './sharedN8n';

const startWithinMs = 240_000;
const stopWithinMs = 60_000;

export interface Stage {
	service: RunningService;
	n8n: TestN8n;
	/** The id of n8n's credential for the service. */
	credential: string;
}

/**
 * Starts a local service before the tests of a file, and a real n8n where the suite has none that its
 * files share, and afterwards stops what has been started, whether or not all of it came up. To be
 * called in a `describe`; its parts are there once the tests run.
 */
export function useStage(startOther = startService): Stage {
	const started: { stop(): Promise<void> }[] = [];
	let stage: Stage | undefined;

	const own = async (): Promise<OwnN8n> => {
		const n8n = await startTestN8n();
		started.push(n8n);
		return n8n;
	};

	beforeAll(async () => {
		const service = await startOther();
		started.push(service);
		const n8n = isN8nShared() ? sharedN8n() : await own();
		stage = { service, n8n, credential: await n8n.storeCredential(service) };
	}, startWithinMs);

	afterAll(async () => {
		for (const part of started.reverse()) await part.stop();
	}, stopWithinMs);

	const up = () => {
		if (!stage) throw new Error('The stage is up once the tests run, not before');
		return stage;
	};
	return {
		get service() {
			return up().service;
		},
		get n8n() {
			return up().n8n;
		},
		get credential() {
			return up().credential;
		},
	};
}
