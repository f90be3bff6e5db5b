import type { INodeParameters } from 'n8n-workflow';

import { runOn } from '../../support/engine/runNode';
import type { ScriptedService } from '../../support/scriptedService/scriptedService';
import type { ScriptedBatch } from '../../support/scriptedService/scriptedStore';

export const goOn = { onError: 'continueRegularOutput' } as const;

export const rows = ['{"n":1}', '{"n":2}', '{"n":3}'];

/** Runs with a budget on the service of a test, looked at each second. */
export function budgetedRun(service: ScriptedService) {
	const newest = () => service.batches[service.batches.length - 1];
	return {
		/** Run and Get Data; or, of a batch that is there, Get Data that waits for its end. */
		run: async (options: INodeParameters, batchId?: string) =>
			await runOn(service, {
				...(batchId === undefined
					? { operation: 'runAndGetData', timeout: 1 }
					: { operation: 'getData', batch: 'id', batchId }),
				options: {
					...(batchId !== undefined && { waitForEnd: true }),
					pollInterval: 1,
					...options,
				},
			}),
		newest,
		/** Changes the newest batch before the `nth` look at the list is answered. */
		atPoll: (nth: number, change: Partial<ScriptedBatch>) =>
			service.script(
				'batches',
				() => {
					Object.assign(newest(), change);
					return undefined;
				},
				{ skip: nth - 1, times: 1 },
			),
	};
}
