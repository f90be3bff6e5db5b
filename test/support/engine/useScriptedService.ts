import { startScriptedService } from '../scriptedService/scriptedService';
import type { ScriptedService, ScriptedServiceOptions } from '../scriptedService/scriptedService';

/** Gives a service of its own to each test of a block, with options of its own: started before it, stopped after it. */
export function useScriptedService(options?: () => ScriptedServiceOptions): ScriptedService {
	// The same object for all tests, so that what a block declares may name it; no test sees it empty.
	const service = {} as ScriptedService;
	beforeEach(async () => {
		Object.assign(service, await startScriptedService(options?.()));
	});
	afterEach(async () => {
		await service.stop();
	});
	return service;
}
