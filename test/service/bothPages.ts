import { cloudClient, type CloudClient } from '../support/service/cloudClient';
import {
	startService,
	type RunningService,
	type ServiceOptions,
} from '../support/inProcess/startService';
import {
	startSite,
	type Site,
	type SiteAnswer,
	type SiteRequest,
} from '../support/service/startSite';
import { onBothPages, uuidOf } from '../support/service/taskFiles';

/** A site, and a service whose tasks read it. */
export interface Ground {
	site: Site;
	service: RunningService;
	client: CloudClient;
	stop(): Promise<void>;
}

/** Starts a site, and a service with each task on both kinds of pages; `answer`: what the site says. */
export async function startOnBothPages(
	tasks: Record<string, object>,
	answer: (request: SiteRequest) => SiteAnswer | Promise<SiteAnswer>,
	options: ServiceOptions = {},
): Promise<Ground> {
	const site = await startSite(answer);
	try {
		const service = await startService({ ...options, tasks: onBothPages(tasks, site.baseUrl) });
		const stop = async () => {
			await service.stop();
			await site.stop();
		};
		return { site, service, client: cloudClient(service), stop };
	} catch (error) {
		await site.stop();
		throw error;
	}
}

/** The names that a task has read, and of which pages, by the end of their address, it was told that they are not whole. */
export async function readAsWhole({ client, service }: Ground, name: string) {
	const { batch, rows } = await client.run(uuidOf(name));
	const { batchID } = batch;
	await service.logged({ batchID, msg: 'batch successful' });
	const lines = service.log.filter(
		(line) => line.batchID === batchID && line.msg === 'page not whole',
	);
	return {
		names: rows.map(({ Name }) => Name),
		warnings: lines.map(({ url, reason }) => [String(url).replace(/.*\//, ''), reason]),
	};
}
