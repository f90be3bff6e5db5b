import type { FastifyBaseLogger } from 'fastify';
import type { PageLoop } from '../tasks/task.ts';
import { readsRows } from './pageReadings.ts';

/** Lists that "next" adds to: what an agent has found of them. */
export class GrowingLists {
	readonly #log: FastifyBaseLogger;
	/** The loops of which was told. */
	readonly #told = new Set<PageLoop>();

	constructor(log: FastifyBaseLogger) {
		this.#log = log;
	}

	/** A loop has gone on to all that was there before, and more: what reads it in each round is told of, once. */
	note(loop: PageLoop, url: string): void {
		if (!readsRows(loop.steps) || this.#told.has(loop)) return;
		this.#told.add(loop);
		const reason = `${loop.selector} adds to the list, so that each round reads once more what was there before; an extractData behind the loop, which then only waits, reads each row once`;
		this.#log.warn({ url, reason }, 'list read again');
	}
}
