/// <reference lib="dom" />
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from 'playwright-core';
import { Chance } from './chance.ts';
import type { IsolatedWorld } from './isolatedWorld.ts';
import type { Rest } from './rest.ts';

/** Milliseconds between two looks. */
const interval = 25;
/** What scripts may show something for, once it has come: a picture among them, and the data of another site. */
const telling = new Set(['image', 'fetch', 'xhr']);

/**
 * What a page has asked for that is still to come when it has had its usual time, and for which it is not waited as for data
 * of its own site: pictures, since a script may show an entry once its picture is there, and the data of other sites. It is
 * waited for until that has changed nothing that the document says twice in a row.
 */
export class LateAnswers {
	readonly #world: IsolatedWorld;
	readonly #rest: Rest;
	readonly #signal: AbortSignal;
	readonly #chance = new Chance();
	#isWaiting = false;

	constructor(world: IsolatedWorld, rest: Rest, signal: AbortSignal) {
		[this.#world, this.#rest, this.#signal] = [world, rest, signal];
	}

	/** Whether there are any; what comes of some is not waited for once more. */
	get areToCome(): boolean {
		return this.#late.length > 0 && this.#chance.isLeft && !this.#isWaiting;
	}

	/** Waits until they have come, or `isOver`, and has `settle` wait for what is made of them. */
	async come(isOver: () => boolean, settle: () => Promise<boolean>): Promise<boolean> {
		const late = this.#late;
		const areUnderWay = () => late.some((each) => this.#rest.isUnderWay(each));
		const before = await this.#said();
		while (areUnderWay() && !isOver()) await sleep(interval, undefined, { signal: this.#signal });
		const haveCome = !areUnderWay();
		this.#isWaiting = true;
		const isOther = await settle().finally(() => (this.#isWaiting = false));
		this.#chance.note(haveCome && (await this.#said()) !== before);
		return isOther;
	}

	get #late(): Request[] {
		return this.#rest.requests.filter((each) => telling.has(each.resourceType()));
	}

	/** How much the document says, and in how many elements; none while another page comes. */
	async #said(): Promise<string> {
		return String(await this.#world.call(lengthInPage, undefined).catch(() => ''));
	}
}

/** Runs in the page, so it can use nothing that is outside of it. */
function lengthInPage(): string {
	const { length } = document.getElementsByTagName('*');
	return `${length} ${document.documentElement.textContent.length}`;
}
