/** One of those who scrape the same pages. */
export interface Contender {
	pid: number;
	/** Scrapes each address, so many at once; the values are in the order of the columns. */
	scrape(addresses: string[], atOnce: number): Promise<Scraped>;
	stop(): Promise<void>;
}

export interface Scraped {
	milliseconds: number;
	/** In the order of the addresses. Rows that are missing make it fail. */
	rows: string[][];
}
