import type { Page } from '../wire';

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
