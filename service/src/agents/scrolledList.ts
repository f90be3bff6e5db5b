import type { FastifyBaseLogger } from 'fastify';
import type { Bookmark, Page } from '../pages/page.ts';
import type { ScrollLoop, Step } from '../tasks/task.ts';
import { readingsOf } from './pageReadings.ts';
import type { ScrolledRows } from './scrolledRows.ts';

const skipped =
	'the list stands farther on than it was scrolled, with other rows in the place of those before: rows between may be missing';

const overParts =
	'holds only a part of its rows, and a loop inside of the loop by scroll goes over them by their numbers: rows may be there twice, and in another order; an extractData inside of the loop by scroll reads each once';

/** The list that a loop by scroll reads: whether there is more of it. */
export class ScrolledList {
	readonly #page: Page;
	readonly #loop: ScrollLoop;
	readonly #behind: Step[];
	/** Whether a loop by page clicks on what brings more. */
	readonly #isClickedOn: boolean;
	readonly #log: FastifyBaseLogger;
	/** How many rows had been read before this round. */
	#before: number;
	/** How many rows the list had when scrolling brought nothing new. */
	#length = 0;
	readonly #shown: Map<string, ScrolledRows>;
	#hasSkipped = false;
	/** What the elements said that loops inside have gone over, by their selector; undefined once that was told. */
	#goneOver: Map<string, string[]> | undefined = new Map();
	/** The document that it is in. */
	#here: Bookmark;

	/** `isTurned`: whether the page is one of a loop by page; `read`: how many rows have been read before; `shown`: what the list has shown. */
	constructor(
		page: Page,
		loop: ScrollLoop,
		{
			behind,
			isTurned,
			log,
			read,
			shown,
		}: {
			behind: Step[];
			isTurned: boolean;
			log: FastifyBaseLogger;
			read: number;
			shown: Map<string, ScrolledRows>;
		},
	) {
		this.#page = page;
		this.#loop = loop;
		this.#behind = behind;
		this.#isClickedOn =
			isTurned || behind.some(({ type, config }) => type === 'loop' && config.loopType === 'page');
		this.#log = log;
		this.#before = read;
		this.#shown = shown;
		this.#here = page.bookmark();
	}

	/**
	 * After a round, by whose end so many rows have been read: scrolls on, and whether there is more to read. What has come while the
	 * round was at work, as where its clicks bring the end of the list into sight, no scroll brings again.
	 */
	async goOn(read: number): Promise<boolean> {
		const { selector, steps } = this.#loop;
		await this.#noteParts();
		const readings = readingsOf(steps, this.#behind);
		const rows = readings.find((each) => each.selector !== undefined)?.selector;
		const {
			hasMore,
			hasSkipped = false,
			isLonger = false,
			leftToClicks,
			lack = this.#isClickedOn ? undefined : leftToClicks,
		} = await this.#page.scroll(selector, rows);
		for (const each of this.#shown.values()) each.mayGoOn = isLonger;
		if (hasSkipped && !this.#hasSkipped) {
			this.#log.warn({ url: this.#page.address(), reason: skipped }, 'list holds a part');
		}
		this.#hasSkipped ||= hasSkipped;
		if (!this.#here.isLast()) {
			// The list begins anew: what it shows is not what follows.
			for (const each of this.#shown.values()) each.beginAnew();
			this.#here = this.#page.bookmark();
		}
		const inRound = read - this.#before;
		this.#before = read;
		if (hasMore) return true;
		const { each } = await this.#page.fingerprint(readings);
		if (each.length > Math.max(inRound, this.#length)) {
			this.#length = each.length;
			return true;
		}
		if (lack) this.#log.warn({ url: this.#page.address(), reason: lack }, 'loop ended');
		return false;
	}

	/** Says so where a loop inside has gone over other elements in the place of those of the round before. */
	async #noteParts(): Promise<void> {
		for (const { type, config } of this.#loop.steps) {
			if (type !== 'loop' || config.loopType !== 'list' || config.listType !== 'elements') continue;
			const before = this.#goneOver?.get(config.selector);
			const { each } = await this.#page.fingerprint([{ selector: config.selector, fields: [] }]);
			this.#goneOver?.set(config.selector, each);
			const [first] = before ?? [];
			if (!before || first === undefined) continue;
			if (each.length > before.length || each.includes(first)) continue;
			this.#goneOver = undefined;
			const reason = `${config.selector} ${overParts}`;
			this.#log.warn({ url: this.#page.address(), reason }, 'list holds a part');
		}
	}
}
