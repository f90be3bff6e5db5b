import type { FastifyBaseLogger } from 'fastify';
import type { Page } from '../pages/page.ts';

/** Pages that are opened once more in vain: on a site where that never helps, it is not tried for ever. */
const maxVain = 3;

/** Pages that lack something which was to come, such as data that their site has refused. */
export class WholePages {
	readonly #page: Page;
	readonly #log: FastifyBaseLogger;
	#vain = 0;

	constructor(page: Page, log: FastifyBaseLogger) {
		this.#page = page;
		this.#log = log;
	}

	/** Opens a page, and once more where it lacks something; says so where it still does. */
	async open(url: string, open: () => Promise<void>): Promise<void> {
		await open();
		if (this.#page.lack() === undefined) return;
		if (this.#vain < maxVain) await open();
		const reason = this.#page.lack();
		if (reason === undefined) return;
		this.#vain += 1;
		this.#log.warn({ url, reason }, 'page not whole');
	}
}
