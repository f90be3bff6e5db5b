import type { Page } from '../pages/page.ts';
import type { KnownSteps } from './knownSteps.ts';

const failed =
	'the document ends with an error of its site ("Fatal error"): the rest of it is missing';
const cut =
	'the document ends before </html>, as those before it did not: its site may have failed in the middle of it';

/** How the documents of a step end: a site that fails in the middle of one may send what it has, as if that were all. */
export class DocumentEnds {
	readonly #whole: KnownSteps;

	/** `whole`: the steps of which a page has had its end. */
	constructor(whole: KnownSteps = new Set<string>()) {
		this.#whole = whole;
	}

	/** Why the open page, which belongs to a step, is cut short; undefined: it is not, as far as is known. */
	async cutShort(page: Page, step: string): Promise<string | undefined> {
		const end = await page.documentEnd?.();
		if (end === 'whole') await this.#whole.add(step);
		if (end === 'failed') return failed;
		return end === 'open' && (await this.#whole.has(step)) ? cut : undefined;
	}
}
