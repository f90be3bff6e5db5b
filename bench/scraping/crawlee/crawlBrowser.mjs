// The other side of bench/scraping --browser: Crawlee's PlaywrightCrawler as its documentation shows it, rows
// kept in memory, with the browser that the service takes. Answers as crawl.mjs does.

import { Configuration, log, PlaywrightCrawler } from '@crawlee/playwright';

log.setLevel(log.LEVELS.ERROR);

process.on('message', ({ addresses, atOnce, columns }) => {
	void crawl(addresses, atOnce, columns).then((answer) => process.send(answer));
});
process.on('disconnect', () => process.exit(0));
process.send({ pid: process.pid });

async function crawl(addresses, atOnce, columns) {
	const crawler = new PlaywrightCrawler(
		{
			minConcurrency: atOnce,
			maxConcurrency: atOnce,
			launchContext: {
				launchOptions: { executablePath: process.env.BENCH_BROWSER, args: ['--no-sandbox'] },
			},
			async requestHandler({ request, page, pushData }) {
				// It waits for the event `load` and no longer: what comes later has to be waited for.
				await page.waitForSelector('.card');
				const values = [];
				for (const { selector, all } of columns) {
					const texts = await page.$$eval(selector, (elements) =>
						elements.map(({ innerText }) => innerText.replace(/\s+/g, ' ').trim()),
					);
					values.push(all ? texts.join('\n') : (texts[0] ?? ''));
				}
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
