import type { INodeParameters } from 'n8n-workflow';

import { runOn } from '../../support/engine/runNode';
import type { ScriptedService } from '../../support/scriptedService/scriptedService';

/** Reads of batches with a name and a price in each row, deduplicated across executions. */
export function readsWithHistory(service: ScriptedService) {
	const history = { deduplication: 'history' };
	const fields = [
		{ id: 'f1', name: 'Name' },
		{ id: 'f2', name: 'Price' },
	];
	return {
		history,
		fields,
		/** The next batch has these rows: name and price. */
		scraped: (...rows: Array<[string, number]>) =>
			service.addBatch({ fields, rows: rows.map(([f1, f2]) => JSON.stringify({ f1, f2 })) }),
		getData: async (
			options: INodeParameters = {},
			{ limit, ...parameters }: INodeParameters = {},
		) =>
			await runOn(service, {
				operation: 'getData',
				...(limit === undefined ? { returnAll: true } : { limit }),
				...parameters,
				options: { ...history, ...options },
			}),
	};
}
