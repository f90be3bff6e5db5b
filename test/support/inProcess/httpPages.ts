import { cloudClient } from '../service/cloudClient';
import { startService } from './startService';
import { startSite, type SiteAnswer } from '../service/startSite';
import { extract, step, task, uuidOf } from '../service/taskFiles';

type Task = 'read' | 'readMarkup';

/** A site, and a service that reads the paragraphs of its pages without a browser. */
export type HttpPages = Awaited<ReturnType<typeof startHttpPages>>;

export async function startHttpPages() {
	/** What the site answers with, by path. */
	const pages: Record<string, SiteAnswer> = {};
	const site = await startSite(({ url: { pathname } }) => pages[pathname] ?? { status: 404 });
	const reading = (name: Task, selector: string) =>
		task(name, [step('navigate', { url: site.baseUrl }, 'open'), extract({ Text: {} }, selector)]);
	const service = await startService({
		tasks: { read: reading('read', 'p'), readMarkup: reading('readMarkup', '<p>') },
	});
	const client = cloudClient(service);

	/** Runs a task on what an address leads to; `reasons` says why that was not read. */
	async function open(url: string, name: Task = 'read') {
		const { batch, rows } = await client.run(uuidOf(name), {
			actionParams: [{ id: uuidOf('open'), value: url }],
		});
		await service.logged({ batchID: batch.batchID, msg: 'batch successful' });
		const reasons = service.log
			.filter((line) => line.batchID === batch.batchID && line.reason !== undefined)
			.map(({ reason }) => String(reason).replace(site.baseUrl, ''));
		return { texts: rows.map(({ Text: text }) => text), reasons: [...new Set(reasons)] };
	}

	return {
		site,
		pages,
		open,
		/** Serves a page and runs a task on it. */
		read(page: SiteAnswer, name?: Task) {
			pages['/page'] = page;
			return open(`${site.baseUrl}/page`, name);
		},
		async stop() {
			await service.stop();
			await site.stop();
		},
	};
}
