import { randomInt } from 'node:crypto';

import { sleep } from 'n8n-workflow';

import { BegunMark } from './begunMark';
import type { EntryStore } from './entryStore';

/**
 * The binary digits of a read's number. The highest come first: should the store drop some, what is left
 * is no number of an earlier read.
 */
const places = placesBelow(32);

/** Those of the time of the newest batch: milliseconds until the year 2109, and how many digits of them are 0. */
const zerosPlaces = 6;
const timePlaces = placesBelow(42 + zerosPlaces);

function placesBelow(count: number): number[] {
	return Array.from({ length: count }, (_place, n) => count - 1 - n);
}

/** Reads of which it is remembered when their batches were created. */
const maxTimes = 16;

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
	/** When the newest batch was created that has been read; undefined where that is not known. */
	newest: number | undefined;
	/** When the batch that is read now was created, for reads that come later. */
	time?: number;
	/** Whether there was no read before. */
	isFirst: boolean;
	/** An entry that has served. */
	used: string;
}

/**
 * Numbers the reads of a node one after the other. The store cannot be read, only asked, and what is
 * asked for is remembered. So a number is its digits: all of them are asked for, which sets them all,
 * and at the end of the read they are taken out and those of its number are put in. The time of the newest
 * batch is kept alike. Digits of two times that were mixed, or some that are lost, would be a time in the
 * future: so it counts only where the number of its zeros is right, which no such mixture has.
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
		const anew = {
			last: undefined,
			number: randomInt(1, maxFirst),
			newest: undefined,
			isFirst,
			used,
		};
		if (there.has(this.#underWay) && !(await this.#hasEnded())) return anew;
		const set = await this.#store.record(this.#allDigits);
		const last = numberIn(places, this.#digit, set);
		const newest = timeIn(numberIn(timePlaces, this.#timeDigit, set));
		return last === 0 ? anew : { last, number: last + 1, newest, isFirst, used };
	}

	/** Ends a read with the entries that it leaves, the oldest first, in one step with its number. */
	async close({ number, newest, time, used }: OpenRead, entries: Iterable<string>): Promise<void> {
		await this.#store.remove([used, ...this.#allDigits]);
		const digits = [
			...setPlaces(places, number).map(this.#digit),
			...setTimePlaces(newest).map(this.#timeDigit),
			...setTimePlaces(time).map(this.#timeDigitOf(number)),
		];
		await this.#store.recordAndTrim([...entries, ...digits]);
		await this.#store.remove([this.#underWay]);
	}

	/**
	 * When the batches of the last reads were created, by number, the first read first; undefined where that
	 * is not known. What is asked for and was not there is taken out again: these digits stand for good.
	 */
	async times({ number }: OpenRead): Promise<Map<number, number | undefined>> {
		const numbers = Array.from({ length: maxTimes }, (_read, n) => number - maxTimes + n);
		const asked = numbers.flatMap((each) => timePlaces.map(this.#timeDigitOf(each)));
		const there = await this.#store.record(asked);
		await this.#store.remove(asked.filter((entry) => !there.has(entry)));
		return new Map(
			numbers.map((each) => [each, timeIn(numberIn(timePlaces, this.#timeDigitOf(each), there))]),
		);
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

	get #allDigits(): string[] {
		return [...places.map(this.#digit), ...timePlaces.map(this.#timeDigit)];
	}

	readonly #digit = (place: number) => `${this.#name} digit ${place}`;

	readonly #timeDigit = (place: number) => `${this.#name} newest ${place}`;

	readonly #timeDigitOf = (number: number) => (place: number) =>
		`${this.#name} time ${number} ${place}`;
}

/** The places at which a number has the binary digit 1. */
function setPlaces(all: readonly number[], number: number): number[] {
	return all.filter((place) => Math.floor(number / 2 ** place) % 2 === 1);
}

/** The number of which these digits are there. */
function numberIn(
	all: readonly number[],
	digit: (place: number) => string,
	there: ReadonlySet<string>,
): number {
	return all.reduce((sum, place) => (there.has(digit(place)) ? sum + 2 ** place : sum), 0);
}

function setTimePlaces(time: number | undefined): number[] {
	return time === undefined ? [] : setPlaces(timePlaces, withZeros(time));
}

/** A time, and behind it how many of its digits are 0. */
function withZeros(time: number): number {
	const digits = timePlaces.length - zerosPlaces;
	const zeros = digits - setPlaces(placesBelow(digits), time).length;
	return time * 2 ** zerosPlaces + zeros;
}

function timeIn(read: number): number | undefined {
	const time = Math.floor(read / 2 ** zerosPlaces);
	return withZeros(time) === read ? time : undefined;
}
