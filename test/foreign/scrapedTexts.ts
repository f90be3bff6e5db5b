import { cloudClient, type Batch } from '../service/cloudClient';
import { startService, type RunningService } from '../service/startService';
import { extract, step, task, uuidOf } from '../service/taskFiles';
import { readText } from './readText';

/** What the service scraped of a page: a text an element, or why there is none. */
export interface ScrapedPage {
	texts: string[];
	failure?: string;
}

/** Pages at once. */
const agents = 4;

/**
 * Has a service scrape the pages, with a run for each: it opens the page and extracts a row for each
 * element, in the order of the page.
 */
export async function scrapedTexts(
	page: 'http' | 'browser',
	addresses: string[],
): Promise<ScrapedPage[]> {
	const open = step('navigate', { url: 'http://127.0.0.1/' }, 'open');
	const service = await startService({
		tasks: { texts: task('texts', [open, extract({ Text: {} }, readText)], { page }) },
		env: { SERVICE_AGENTS: String(agents) },
	});
	try {
		const client = cloudClient(service);
		const scraped: ScrapedPage[] = addresses.map(() => ({ texts: [] }));
		const waiting = addresses.entries();
		const readers = Array.from({ length: agents }, async () => {
			for (const [index, value] of waiting) {
				const actionParams = [{ id: open.id, path: 'config.url', value }];
				const { batch, rows } = await client.run(uuidOf('texts'), { actionParams });
				scraped[index] = {
					texts: rows.map(({ Text: text }) => text ?? ''),
					failure: failureOf(service, batch),
				};
			}
		});
		await Promise.all(readers);
		return scraped;
	} finally {
		await service.stop();
	}
}

/** What the service's log says of a page that could not be read. */
function failureOf({ log }: RunningService, { batchID }: Batch): string | undefined {
	const failed = log.filter((line) => line.batchID === batchID && line.reason !== undefined).at(-1);
	return failed && String(failed.reason);
}
