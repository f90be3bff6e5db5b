import { cloudClient, type Batch } from '../../support/service/cloudClient';
import { startService, type RunningService } from '../../support/service/startService';
import { extract, loop, step, task, uuidOf } from '../../support/service/taskFiles';
import { readText } from './readText';

/** What the service scraped of a page: a text an element, or why there is none. */
export interface ScrapedPage {
	texts: string[];
	failure?: string;
}

/** Runs at once. */
const agents = 4;
/** Pages of a run: a browser takes longer to get ready for a run than to open a page. */
const pagesOfRun = 10;

/** A row for each page, whatever is on it, then one for each element in the order of the page. */
const newPageField = uuidOf('new page');
const newPage = extract({ Page: { id: newPageField, selector: 'title' } });
const texts = extract({ Text: {} }, readText);
const eachPage = loop(
	{ loopType: 'list', listType: 'urlList', urls: ['http://127.0.0.1/'] },
	[step('navigate', { useLoopItem: true }), newPage, texts],
	'each page',
);

/** Has a service scrape the texts of the pages. */
export async function scrapedTexts(
	page: 'http' | 'browser',
	addresses: string[],
): Promise<ScrapedPage[]> {
	const service = await startService({
		tasks: { texts: task('texts', [eachPage], { page, requestsPerHost: agents }) },
		env: { SERVICE_AGENTS: String(agents) },
	});
	try {
		const scraped: ScrapedPage[] = addresses.map(() => ({ texts: [] }));
		const starts = addresses.map((_, index) => index).filter((index) => index % pagesOfRun === 0);
		const waiting = starts.values();
		const readers = Array.from({ length: agents }, async () => {
			for (const start of waiting) {
				const part = addresses.slice(start, start + pagesOfRun);
				scraped.splice(start, part.length, ...(await scrape(service, part)));
			}
		});
		await Promise.all(readers);
		return scraped;
	} finally {
		await service.stop();
	}
}

/** Scrapes pages in one run; once more, one by one, if one of them failed, to know which. */
async function scrape(service: RunningService, addresses: string[]): Promise<ScrapedPage[]> {
	const client = cloudClient(service);
	const actionParams = [{ id: eachPage.id, path: 'config.urls', value: addresses }];
	const started = await client.start(uuidOf('texts'), { actionParams });
	const batch = await client.waitFor(started, ({ status }) => status >= 3);
	const pages: ScrapedPage[] = [];
	for (const row of await client.rawRowsOf(batch)) {
		if (newPageField in row) pages.push({ texts: [] });
		else pages.at(-1)?.texts.push(...Object.values(row));
	}
	if (pages.length === addresses.length) return pages;
	if (addresses.length === 1) return [{ texts: [], failure: failureOf(service, batch) }];
	const alone = [];
	for (const address of addresses) alone.push(...(await scrape(service, [address])));
	return alone;
}

/** What the service's log says of a page that could not be read. */
function failureOf({ log }: RunningService, { batchID }: Batch): string | undefined {
	const failed = log.filter((line) => line.batchID === batchID && line.reason !== undefined).at(-1);
	return failed && String(failed.reason);
}
