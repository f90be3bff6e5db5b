import { randomInt } from 'node:crypto';

import { sleep } from 'n8n-workflow';

import { BegunMark } from './begunMark';
import type { EntryStore } from './entryStore';

/**
 * The binary digits of a read's number. The highest come first: should the store drop some, what is left
 * is no number of an earlier read.
 */
const places = Array.from({ length: 32 }, (_place, n) => 31 - n);
const allDigits = 2 ** places.length - 1;

/** Numbers begin at random in the lower half: there is room for two thousand million reads behind. */
const maxFirst = 2 ** 31;

/** How often, and with which pauses, it is looked whether another execution has ended its read. */
const maxLooks = 20;
const pauseMs = 500;

/** A read that has begun. */
export interface OpenRead {
	/** The number of the read before it; undefined when nothing that was remembered can be trusted. */
	last: number | undefined;
	number: number;
	/** Whether there was no read before. */
	isFirst: boolean;
	/** An entry that has served. */
	used: string;
}

/**
 * Numbers the reads of a node one after the other. The store cannot be read, only asked, and what is
 * asked for is remembered. So a number is its digits: all of them are asked for, which sets them all,
 * and at the end of the read they are taken out and those of its number are put in.
 *
 * Another entry stands from the beginning of a read to its end. Whoever finds it waits for the other
 * execution; when it stays, that execution has died. Then its read may have left any traces, and a new
 * row of numbers begins at random, far from all that was used before: rows come out again, none is lost.
 */
export class ReadNumbers {
	readonly #store: EntryStore;
	readonly #name: string;
	readonly #begun: BegunMark;
	readonly #pause: typeof sleep;

	constructor(store: EntryStore, name: string, pause = sleep) {
		this.#store = store;
		this.#name = name;
		this.#begun = new BegunMark(name);
		this.#pause = pause;
	}

	async open(): Promise<OpenRead> {
		const there = await this.#store.record([this.#underWay, ...this.#begun.entries]);
		const isFirst = this.#begun.isFirst(there);
		const used = this.#begun.older(there);
		const anew = { last: undefined, number: randomInt(1, maxFirst), isFirst, used };
		if (there.has(this.#underWay) && !(await this.#hasEnded())) return anew;
		const set = await this.#store.record(this.#digitsOf(allDigits));
		const last = places.reduce(
			(sum, place) => (set.has(this.#digit(place)) ? sum + 2 ** place : sum),
			0,
		);
		return last === 0 ? anew : { last, number: last + 1, isFirst, used };
	}

	/** Ends a read with the entries that it leaves, the oldest first, in one step with its number. */
	async close({ number, used }: OpenRead, entries: Iterable<string>): Promise<void> {
		await this.#store.remove([used, ...this.#digitsOf(allDigits)]);
		await this.#store.recordAndTrim([...entries, ...this.#digitsOf(number)]);
		await this.#store.remove([this.#underWay]);
	}

	/** The first read was none. */
	async forgetBegin(): Promise<void> {
		await this.#store.remove(this.#begun.entries);
	}

	/** Waits for another read, until this one is under way instead; false when it does not end. */
	async #hasEnded(): Promise<boolean> {
		for (let looks = 1; looks <= maxLooks; looks++) {
			await this.#pause(pauseMs);
			const there = await this.#store.record([this.#underWay]);
			if (there.size === 0) return true;
		}
		return false;
	}

	get #underWay(): string {
		return `${this.#name} under way`;
	}

	#digit(place: number): string {
		return `${this.#name} digit ${place}`;
	}

	#digitsOf(number: number): string[] {
		return places
			.filter((place) => Math.floor(number / 2 ** place) % 2 === 1)
			.map((place) => this.#digit(place));
	}
}
