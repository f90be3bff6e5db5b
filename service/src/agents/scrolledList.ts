import type { FastifyBaseLogger } from 'fastify';
import type { Page } from '../pages/page.ts';
import type { ScrollLoop, Step } from '../tasks/task.ts';
import { readingsOf } from './pageReadings.ts';

/** The list that a loop by scroll reads: whether there is more of it. */
export class ScrolledList {
	readonly #page: Page;
	readonly #loop: ScrollLoop;
	readonly #behind: Step[];
	readonly #log: FastifyBaseLogger;
	/** How many rows had been read before this round. */
	#before: number;
	/** How many rows the list had when scrolling brought nothing new. */
	#length = 0;

	/** `read`: how many rows have been read before. */
	constructor(
		page: Page,
		loop: ScrollLoop,
		{ behind, log, read }: { behind: Step[]; log: FastifyBaseLogger; read: number },
	) {
		this.#page = page;
		this.#loop = loop;
		this.#behind = behind;
		this.#log = log;
		this.#before = read;
	}

	/**
	 * After a round, by whose end so many rows have been read: scrolls on, and whether there is more to read. What has come while the
	 * round was at work, as where its clicks bring the end of the list into sight, no scroll brings again.
	 */
	async goOn(read: number): Promise<boolean> {
		const { selector, steps } = this.#loop;
		const { hasMore, lack } = await this.#page.scroll(selector);
		const inRound = read - this.#before;
		this.#before = read;
		if (hasMore) return true;
		const { each } = await this.#page.fingerprint(readingsOf(steps, this.#behind));
		if (each.length > Math.max(inRound, this.#length)) {
			this.#length = each.length;
			return true;
		}
		if (lack) this.#log.warn({ url: this.#page.address(), reason: lack }, 'loop ended');
		return false;
	}
}
