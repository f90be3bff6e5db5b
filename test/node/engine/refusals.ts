import type { INodeParameters } from 'n8n-workflow';

import { runOn } from '../../support/engine/runNode';
import { startScriptedService } from '../../support/scriptedService/scriptedService';
import type { ScriptedService } from '../../support/scriptedService/scriptedService';

/** Gives the tests of a block a service with one batch, to which nothing is to be sent. */
export function useRefusals() {
	const service = {} as ScriptedService;
	beforeAll(async () => {
		Object.assign(service, await startScriptedService());
		service.addBatch({ rows: ['{}'] });
	});
	afterAll(async () => {
		await service.stop();
	});
	return {
		service,
		/** The message of the error, once it is sure that nothing was sent, and that it says what to do. */
		refused: async (parameters: INodeParameters): Promise<string | undefined> => {
			const { error } = await runOn(service, parameters);
			expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
			expect(error?.description).toMatch(/[Ee]nter|[Cc]orrect|[Cc]hoose|[Pp]ass|[Aa]dd/);
			expect(service.requests).toEqual([]);
			return error?.message;
		},
	};
}
