import type { FastifyBaseLogger } from 'fastify';
import type { PageLoop } from '../tasks/task.ts';

/** Lists that "next" adds to: what an agent has found of them. */
export class GrowingLists {
	readonly #log: FastifyBaseLogger;
	/** The loops of which was told. */
	readonly #told = new Set<PageLoop>();

	constructor(log: FastifyBaseLogger) {
		this.#log = log;
	}

	/** A loop that reads rows has gone on to more of what was there before: told of once. */
	note(loop: PageLoop, url: string): void {
		if (this.#told.has(loop)) return;
		this.#told.add(loop);
		const reason = `${loop.selector} adds to the list, or leaves rows in it, so that rounds read once more what was there before; an extractData behind the loop, which then only waits, reads once what the list holds in the end`;
		this.#log.warn({ url, reason }, 'list read again');
	}
}
