// The other side of bench/scraping --browser: Crawlee's PlaywrightCrawler as its documentation shows it, with
// the browser that the service takes.

import * as crawlee from '@crawlee/playwright';
import { answerWith } from './harness.mjs';

const launchOptions = { executablePath: process.env.BENCH_BROWSER, args: ['--no-sandbox'] };

answerWith(crawlee, (columns, options, configuration) => {
	const requestHandler = async ({ request, page, pushData }) => {
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
	};
	return new crawlee.PlaywrightCrawler(
		{ ...options, launchContext: { launchOptions }, requestHandler },
		configuration,
	);
});
