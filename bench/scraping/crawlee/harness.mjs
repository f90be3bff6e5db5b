// What both crawlers of Crawlee share here: each crawls the addresses of a message and answers with the rows,
// which are kept in memory.

/** `crawlerFor` makes a crawler of what is asked for, with these options and this configuration. */
export function answerWith({ Configuration, log }, crawlerFor) {
	log.setLevel(log.LEVELS.ERROR);

	async function crawl({ addresses, atOnce, columns }) {
		// At once as many as said, from the start: Crawlee would begin with one and try more.
		const options = { minConcurrency: atOnce, maxConcurrency: atOnce };
		const configuration = new Configuration({ persistStorage: false });
		const crawler = crawlerFor(columns, options, configuration);
		const began = performance.now();
		await crawler.run(addresses);
		const milliseconds = performance.now() - began;
		const { items } = await crawler.getData();
		return { milliseconds, rows: items };
	}

	process.on('message', (asked) => void crawl(asked).then((answer) => process.send(answer)));
	process.on('disconnect', () => process.exit(0));
	process.send({ pid: process.pid });
}
