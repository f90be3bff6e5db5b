// The other side of bench/scraping: Crawlee's CheerioCrawler as its documentation shows it, rows kept in
// memory. Crawls the addresses of each message and answers with the rows.

import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';

log.setLevel(log.LEVELS.ERROR);

process.on('message', ({ addresses, atOnce, columns }) => {
	void crawl(addresses, atOnce, columns).then((answer) => process.send(answer));
});
process.on('disconnect', () => process.exit(0));
process.send({ pid: process.pid });

async function crawl(addresses, atOnce, columns) {
	const crawler = new CheerioCrawler(
		{
			// At once as many as said, from the start: Crawlee would begin with one and try more.
			minConcurrency: atOnce,
			maxConcurrency: atOnce,
			async requestHandler({ request, $, pushData }) {
				const values = columns.map(({ selector, attribute }) => {
					const element = $(selector).first();
					if (attribute === undefined) return element.text().replace(/\s+/g, ' ').trim();
					const value = element.attr(attribute);
					return value === undefined ? '' : new URL(value, request.loadedUrl).href;
				});
				await pushData({ address: request.url, values });
			},
		},
		new Configuration({ persistStorage: false }),
	);
	const began = performance.now();
	await crawler.run(addresses);
	const milliseconds = performance.now() - began;
	const { items } = await crawler.getData();
	return { milliseconds, rows: items };
}
