import { PageError, type Page } from '../pages/page.ts';
import type { Assignment } from './assignment.ts';
import { DocumentEnds } from './documentEnds.ts';

/** Pages that are brought once more in vain: on a site where that never helps, it is not tried for ever. */
const maxVain = 3;

/** Pages that lack something which was to come, such as data that their site has refused, or their end. */
export class WholePages {
	readonly #page: Page;
	readonly #job: Assignment;
	#vain = 0;

	constructor(page: Page, job: Assignment) {
		[this.#page, this.#job] = [page, job];
	}

	/** Opens a page, and once more where it lacks something. Says so where it still does; of its end, who reads it does. */
	async open(url: string, step: string, open: () => Promise<void>): Promise<void> {
		await open();
		if (await this.#isWhole(step)) return;
		if (this.#vain < maxVain) await open();
		if (await this.#isWhole(step)) return;
		this.#vain += 1;
		const reason = this.#page.lack();
		if (reason !== undefined) this.#job.log.warn({ url, reason }, 'page not whole');
	}

	async #isWhole(step: string): Promise<boolean> {
		const cut = await this.#job.documentEnds.cutShort(this.#page, step);
		return cut === undefined && this.#page.lack() === undefined;
	}
}

/** The same of pages that "next" brings, in a loop by page: they are brought once more by another try. */
export class WholeTurns {
	readonly #page: Page;
	readonly #ends = new DocumentEnds();
	#wasAskedAgain = false;
	#vain = 0;

	constructor(page: Page) {
		this.#page = page;
	}

	/** Takes note of the first page. */
	async begin(): Promise<void> {
		await this.#cutShort();
	}

	/**
	 * Throws where the page that has come lacks data that was refused for it, or its end. `mayAskAgain`: there is another
	 * try; `byAddress`: that brings this page, and not the one behind it, as a form may whose site counts by itself.
	 */
	async check({ mayAskAgain, byAddress }: Record<'mayAskAgain' | 'byAddress', boolean>) {
		const missing = await this.#page.missing();
		const cut = byAddress ? await this.#cutShort() : undefined;
		if (!missing?.isRefused && cut === undefined) return void (this.#wasAskedAgain = false);
		if (this.#wasAskedAgain) this.#vain += 1;
		this.#wasAskedAgain = mayAskAgain && !this.#wasAskedAgain && this.#vain < maxVain;
		if (!this.#wasAskedAgain) return;
		if (missing?.isRefused) throw missing.failure(true);
		throw new PageError(`${this.#page.address()} is not whole: ${cut}`, {
			outage: { of: 'answer' },
		});
	}

	#cutShort(): Promise<string | undefined> {
		return this.#ends.cutShort(this.#page, 'next');
	}
}
