// The other side of bench/scraping: Crawlee's CheerioCrawler as its documentation shows it.

import * as crawlee from '@crawlee/cheerio';
import { answerWith } from './harness.mjs';

answerWith(crawlee, (columns, options, configuration) => {
	const requestHandler = async ({ request, $, pushData }) => {
		const values = columns.map(({ selector, attribute }) => {
			const element = $(selector).first();
			if (attribute === undefined) return element.text().replace(/\s+/g, ' ').trim();
			const value = element.attr(attribute);
			return value === undefined ? '' : new URL(value, request.loadedUrl).href;
		});
		await pushData({ address: request.url, values });
	};
	return new crawlee.CheerioCrawler({ ...options, requestHandler }, configuration);
});
