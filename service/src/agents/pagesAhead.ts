import { haveSecrets } from '../pages/secretHeaders.ts';
import type { Task } from '../tasks/task.ts';
import type { Actions } from './actions.ts';

/** How often pages are tried where one of them more or less says nothing of their host. */
const minTries = 3;

/** Milliseconds that a page may wait for the one before. */
const maxWait = 1_000;

/**
 * Whether the next page of a task's list may come while the one before is still at work: all that is done is to open
 * pages by their addresses and to read them, nobody has asked for pauses between them, and no header says who asks.
 */
function mayOpenAhead(task: Task): boolean {
	const { page, steps, tries, headers, delay = 0, respectRobots = false } = task;
	if (page !== 'browser' || haveSecrets(headers)) return false;
	const [loop, ...others] = steps;
	if (loop?.type !== 'loop' || others.length > 0 || delay > 0 || respectRobots) return false;
	// Where pages are tried twice, a page and the next but one would do for their host to be down.
	if (tries !== undefined && tries < minTries) return false;
	const { config } = loop;
	if (config.loopType !== 'list' || config.listType !== 'urlList') return false;
	const [first, ...rest] = config.steps;
	const opensItem = first?.type === 'navigate' && 'useLoopItem' in first.config;
	return opensItem && rest.every(({ type }) => type === 'wait' || type === 'extractData');
}

/**
 * Has two agents take turns with the pages of a list: the next page comes to one while the other is at work. Each
 * is another visitor to sites. So that a page is as if one visitor had come from page to page, that is done only as
 * long as no site has left anything with either of them, by which it would know them again: then the one that has it
 * goes on alone, and the page that has come to the other is forgotten. So it is where that has been there for long
 * when the one before is done: pages may change by themselves meanwhile.
 */
export class PagesAhead<Each> {
	/** Makes the other one, when the first page is done. */
	#another: (() => Each) | undefined;
	readonly #actionsOf: (agent: Each) => Pick<Actions, 'openAhead' | 'isUnknown' | 'waits'>;
	#now: Each;
	/** To whom the next page comes meanwhile. */
	#next: Each | undefined;

	constructor(
		first: Each,
		another: () => Each,
		actionsOf: (agent: Each) => Pick<Actions, 'openAhead' | 'isUnknown' | 'waits'>,
		task: Task,
	) {
		this.#now = first;
		this.#actionsOf = actionsOf;
		if (mayOpenAhead(task)) this.#another = another;
	}

	/** Who works on the page of this address; that of the next, if there is one, may come meanwhile. */
	begin(url: string, nextUrl: string | undefined): Each {
		if (!this.#next) return this.#now;
		this.#actionsOf(this.#now).openAhead(url);
		if (nextUrl !== undefined) this.#actionsOf(this.#next).openAhead(nextUrl);
		return this.#now;
	}

	/** That page is done, and another one follows. */
	async end(): Promise<void> {
		const [another, next] = [this.#another, this.#next];
		if (!another && !next) return;
		this.#another = undefined;
		const isUnknown = await this.#actionsOf(this.#now).isUnknown();
		const isLate = next !== undefined && this.#actionsOf(next).waits > maxWait;
		if (!isUnknown || isLate) this.#next = undefined;
		else if (next) [this.#now, this.#next] = [next, this.#now];
		else this.#next = another?.();
	}
}
