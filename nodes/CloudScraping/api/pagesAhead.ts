import type { Page } from './wire';

/** A page, or `refused` when the service does not accept its size (9000001), or gives no page so far back. */
export type PageAnswer<T> = Page<T> | { refused: Error };

/** Asks for a page. `signal` aborts when the read is over, so that no page is on its way for nobody. */
export type FetchPage<T> = (
	page: number,
	size: number,
	signal?: AbortSignal,
) => Promise<PageAnswer<T>>;

/** The service answers in a way in which no read can be whole. */
export class PagingError extends Error {
	override name = 'PagingError';

	/** More may be said of what the list is part of. */
	description: string;

	constructor(message: string, description: string) {
		super(message);
		this.description = description;
	}
}

/**
 * Pages of one size in the order in which they are needed, of which up to `concurrency` are asked for
 * at once. A page is named by the place of its first item, a multiple of the size.
 */
export class PagesAhead<T> {
	// The page that is needed next, and those after it. A Map would do, but V8 then keeps pages that
	// were used long ago until it collects everything: a table that was outgrown leads to the next one.
	#inFlight: Array<Promise<PageAnswer<T>>> = [];

	#size = 0;

	readonly #fetchPage: FetchPage<T>;

	readonly #concurrency: number;

	constructor(fetchPage: FetchPage<T>, concurrency: number) {
		this.#fetchPage = fetchPage;
		this.#concurrency = concurrency;
	}

	get areInFlight(): boolean {
		return this.#inFlight.length > 0;
	}

	/** Asks for the pages from place `first` on, which is needed next, that begin before place `end`. */
	ask(first: number, size: number, end: number): void {
		this.#keepOnly(size);
		for (;;) {
			const place = first + this.#inFlight.length * size;
			if (place >= end || this.#inFlight.length >= this.#concurrency) return;
			const asked = this.again(place, size);
			// One that is abandoned, because an earlier one failed, must not be an unhandled rejection.
			asked.catch(() => {});
			this.#inFlight.push(asked);
		}
	}

	/** The page that is needed next, asked for now unless it is on its way. */
	async take(place: number, size: number): Promise<PageAnswer<T>> {
		this.#keepOnly(size);
		return await (this.#inFlight.shift() ?? this.again(place, size));
	}

	/** The page asked for now, apart from those on their way. */
	async again(place: number, size: number): Promise<PageAnswer<T>> {
		const page = place / size + 1;
		const answer = await this.#fetchPage(page, size);
		if ('list' in answer) checkEcho(page, answer.pagination.page);
		return answer;
	}

	/** Those that are on their way are asked for anew: what they hold may have changed. */
	forget(): void {
		this.#inFlight = [];
	}

	#keepOnly(size: number): void {
		if (size !== this.#size) this.forget();
		this.#size = size;
	}
}

function checkEcho(asked: number, echoed: number | undefined): void {
	if (echoed === undefined || echoed === asked) return;
	throw new PagingError(
		`The service sent page ${echoed} when page ${asked} was asked for`,
		'Nothing was returned, because rows would be missing or doubled. Report this to the service.',
	);
}
