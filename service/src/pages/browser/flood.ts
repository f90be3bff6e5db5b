import { randomUUID } from 'node:crypto';
import type { ConsoleMessage, Dialog, Frame, Page as Tab, Request } from 'playwright-core';
import { shortened } from '../../text/shortened.ts';
import { PageError } from '../page.ts';

/**
 * What a page makes the browser tell us, in bytes: all tasks share the way that it takes. What a page of
 * 5,000 requests at once brings is less. What it downloads does not come this way.
 */
export const maxTold = 24_000_000;
/** The same while something is done on a page, and the browser hangs: on a busy machine, it may tell no more by then. */
const maxToldHung = 4_000_000;
/** Bytes that it may have told more for each second since: pages that stay may tell for ever. */
const perSecond = 200_000;
/** The text of what is told in the place of a message that is longer than `maxTold`. */
export const floodMark = randomUUID();
/** Bytes that count for anything told, beside its texts; a frame or a worker comes with much else. */
const costs = { event: 4_000, frame: 24_000 };

/** A page has kept the browser so busy that others came to a halt. */
export class Flood extends PageError {}

/** What a tab tells about its page; a page that tells too much is given up. */
export class FloodGate {
	readonly #tab: Tab;
	readonly #giveUp: () => void;
	#told = 0;
	#toldInAll = 0;
	#since = performance.now();
	#fail: (flood: Flood) => void = () => undefined;
	/** Rejects with a Flood when there is one. */
	readonly flood = new Promise<never>((_resolve, reject) => (this.#fail = reject));

	constructor(tab: Tab, giveUp: () => void) {
		this.#tab = tab;
		this.#giveUp = giveUp;
		this.flood.catch(() => undefined);
		const told = (size: number, cost = costs.event) => this.#count(size + cost);
		tab.on('request', (request) => told(sizeOf(request)));
		tab.on('frameattached', (frame) => told(frame.name().length, costs.frame));
		tab.on('framenavigated', (frame: Frame) => told(frame.url().length + frame.name().length));
		tab.on('worker', (worker) => told(worker.url().length, costs.frame));
		tab.on('websocket', (socket) => told(socket.url().length));
		tab.on('console', (message: ConsoleMessage) => told(toldBy(message.text())));
		tab.on('dialog', (dialog: Dialog) =>
			told(dialog.message().length + dialog.defaultValue().length),
		);
		tab.on('pageerror', ({ message, stack = '' }) => told(message.length + stack.length));
	}

	/** Another page is opened in the tab. */
	reset(): void {
		this.#told = 0;
	}

	/** Something is done. What it returns tells whether the browser has hung by this page; undefined: it may be another. */
	watch(): () => Flood | undefined {
		const before = this.#toldInAll;
		return () => (this.#toldInAll - before > maxToldHung ? this.#floodOf(maxToldHung) : undefined);
	}

	#count(bytes: number): void {
		const now = performance.now();
		const since = ((now - this.#since) / 1000) * perSecond;
		this.#told = Math.max(this.#told - since, 0) + bytes;
		this.#toldInAll += bytes;
		this.#since = now;
		if (this.#told <= maxTold) return;
		this.#fail(this.#floodOf(maxTold));
		this.#tab.removeAllListeners('console');
		this.#giveUp();
	}

	#floodOf(limit: number): Flood {
		const url = shortened(this.#tab.url());
		return new Flood(
			`${url} was given up: it has made the browser tell more than ${limit / 1e6} MB of its requests (with what they send), frames, messages and addresses, on which other tasks wait. Leave this page out of the task, or read it with "page": "http".`,
			{ url },
		);
	}
}

function toldBy(text: string): number {
	return text === floodMark ? maxTold : text.length;
}

/** Of what is sent with it, its headers count: those of browsers are small. */
function sizeOf(request: Request): number {
	const headers = Object.values(request.headers());
	const sent = request.postDataBuffer()?.length ?? 0;
	return request.url().length + sent + headers.reduce((sum, { length }) => sum + length, 0);
}
