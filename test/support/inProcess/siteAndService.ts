import { startSite, type Site } from '../service/startSite';
import { startService, type RunningService, type ServiceOptions } from './startService';

/** Gives a web site, and a service without tasks unless `options` says otherwise, to the tests of a file or block. */
export function useSiteAndService(
	answer: Parameters<typeof startSite>[0],
	options: () => ServiceOptions = () => ({ tasks: {} }),
): { site: Site; service: RunningService } {
	// The same objects for all tests, so that what a file declares may name them; no test sees them empty.
	const site = {} as Site;
	const service = {} as RunningService;
	const running: { stop(): Promise<void> }[] = [];
	beforeAll(async () => {
		running.unshift(Object.assign(site, await startSite(answer)));
		running.unshift(Object.assign(service, await startService(options())));
	}, 300_000);
	afterAll(async () => {
		for (const each of running) await each.stop();
	});
	return { site, service };
}
