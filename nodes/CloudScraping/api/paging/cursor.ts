import { sleep } from 'n8n-workflow';

import type { Page } from '../wire';
import { CapAtEnd } from './capAtEnd';
import { PagingError } from './page';
import type { FetchPage, PageAnswer } from './page';

interface CursorOptions {
	/** Items a page. */
	size: number;
	/** Where the read begins. */
	place?: number;
	/** Pages asked for at once. */
	concurrency?: number;
	/** How many items there are at least by another word of the service than `total`. */
	minCount?: number;
}

/**
 * Where a read of a paged list is (section 2.2): page p stands for the places (p - 1) * size to
 * p * size - 1. Up to `concurrency` pages are on their way at once, those of one size.
 */
export class Cursor<T> {
	/** Where the page begins that is read next, or has just been taken: a multiple of the size. */
	place: number;

	/** The highest `total` so far. */
	total = 0;

	/** Pages without items, one after the other, up to here. */
	emptyPages = 0;

	readonly capAtEnd = new CapAtEnd<T>();

	#size: number;

	// The page that is needed next, and those after it. A Map would do, but V8 then keeps pages that
	// were used long ago until it collects everything: a table that was outgrown leads to the next one.
	#inFlight: Array<Promise<PageAnswer<T>>> = [];

	readonly #fetchPage: FetchPage<T>;

	readonly #concurrency: number;

	readonly #minCount: number;

	constructor(fetchPage: FetchPage<T>, options: CursorOptions) {
		const { size, place = 0, concurrency = 1, minCount = 0 } = options;
		this.#fetchPage = fetchPage;
		this.#concurrency = concurrency;
		this.#minCount = minCount;
		this.#size = size;
		this.place = place;
	}

	get size(): number {
		return this.#size;
	}

	set size(size: number) {
		if (size !== this.#size) this.#inFlight = [];
		this.#size = size;
	}

	get page(): number {
		return this.place / this.size + 1;
	}

	/** The place behind the page. */
	get end(): number {
		return this.place + this.size;
	}

	/** How many items there are, as far as the service has said. */
	get count(): number {
		return Math.max(this.total, this.#minCount);
	}

	/** Asks for the next pages, as far as `limit` items and the known total need them. */
	askAhead(limit: number): void {
		const end = Math.min(this.total, this.place + limit);
		for (;;) {
			const place = this.place + this.#inFlight.length * this.size;
			if (place >= end || this.#inFlight.length >= this.#concurrency) return;
			const asked = this.#ask(place, this.size);
			// One that is abandoned, because an earlier one failed, must not be an unhandled rejection.
			asked.catch(() => {});
			this.#inFlight.push(asked);
		}
	}

	/**
	 * Where pages are on their way, lets the next ones travel while the last one is used; where none are,
	 * that one may be enough. n8n serves others meanwhile: answers come in groups, and using them one after
	 * the other at once would hold back the next requests until the last one is used.
	 */
	async sendAhead(limit: number): Promise<void> {
		if (this.#inFlight.length === 0) return;
		this.askAhead(limit);
		await sleep(0);
	}

	/** The page, asked for now unless it is on its way. */
	async take(): Promise<PageAnswer<T>> {
		return this.#counted(await (this.#inFlight.shift() ?? this.#ask(this.place, this.size)));
	}

	/** The first item of the page, asked for alone; undefined where the service refuses that, too. */
	async takeOne(): Promise<Page<T> | undefined> {
		const answer = await this.#ask(this.place, 1);
		return 'list' in answer ? answer : undefined;
	}

	/** The page, or the answer to the same question asked again, if that has as many items. */
	async fuller(page: Page<T>): Promise<Page<T>> {
		const again = await this.#ask(this.place, this.size);
		return 'list' in again && again.list.length >= page.list.length ? this.#counted(again) : page;
	}

	/** Whether a page has fewer items than belong on it. */
	lacksItems({ list }: Page<T>): boolean {
		return list.length < Math.min(this.size, this.count - this.place);
	}

	/** Has all asked for anew from here on, with this size: what is on its way may have changed. */
	restart(size: number): void {
		this.#inFlight = [];
		this.size = size;
	}

	/** Goes to the next page. */
	pass(page: Page<T>): void {
		this.capAtEnd.note(this, page);
		this.emptyPages = page.list.length === 0 ? this.emptyPages + 1 : 0;
		this.place += this.size;
	}

	async #ask(place: number, size: number): Promise<PageAnswer<T>> {
		const page = place / size + 1;
		const answer = await this.#fetchPage(page, size);
		if ('list' in answer) checkEcho(page, answer.pagination.page);
		return answer;
	}

	#counted<A extends PageAnswer<T>>(answer: A): A {
		if ('list' in answer) this.total = Math.max(this.total, answer.pagination.total);
		return answer;
	}
}

function checkEcho(asked: number, echoed: number | undefined): void {
	if (echoed === undefined || echoed === asked) return;
	throw new PagingError(
		`The service sent page ${echoed} when page ${asked} was asked for`,
		'Nothing was returned, because entries would be missing or duplicated. Report this to the service.',
	);
}
