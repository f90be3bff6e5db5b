import type { INodeParameters } from 'n8n-workflow';

import { runOn } from '../../support/engine/runNode';
import type { ScriptedService } from '../../support/scriptedService/scriptedService';

/** The message of the error, once it is sure that nothing was sent. */
export async function refusedInput(
	service: ScriptedService,
	parameters: INodeParameters,
): Promise<string | undefined> {
	const { error } = await runOn(service, parameters);
	expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
	expect(service.requests).toEqual([]);
	return error?.message;
}
