import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../pages/clock.ts';
import { PageError, type MayAsk } from '../pages/page.ts';
import type { Task } from '../tasks/task.ts';
import { identifierKey } from '../text/identifierKey.ts';
import { hostOf } from '../pages/hostOf.ts';
import type { Hosts } from './hosts.ts';
import { inLegs } from './legs.ts';
import { Robots } from './robots.ts';
import type { Tally } from './tally.ts';
import type { TurnTaker } from './turns.ts';

/** Requests for pages of one host that the agents of a task make at once. */
const defaultRequests = 2;
/** How often a page is tried that may be there soon. */
const defaultTries = 5;

/** How the agents of a batch ask sites for pages: as patiently and as politely as their task says. */
export class Visits {
	/** How often a page is tried that may be there soon. */
	readonly tries: number;
	readonly #task: Task;
	readonly #hosts: Hosts;
	readonly #turns: TurnTaker;
	readonly #clock: Clock;
	readonly #signal: AbortSignal;
	readonly #robots: Robots | undefined;
	readonly #countProxied: () => Promise<void>;
	readonly #tally: Tally | undefined;
	readonly #log: FastifyBaseLogger;
	/** Hosts that have failed here. */
	readonly #failedAt = new Set<string>();

	/** `countProxied` is told of each page that came through a proxy; `signal` ends all waiting. */
	constructor(
		task: Task,
		{
			hosts,
			turns,
			clock,
			tally,
			countProxied,
			log,
		}: {
			hosts: Hosts;
			turns: TurnTaker;
			clock: Clock;
			tally?: Tally;
			countProxied: () => Promise<void>;
			log: FastifyBaseLogger;
		},
		signal: AbortSignal,
	) {
		this.tries = task.tries ?? defaultTries;
		this.#task = task;
		this.#hosts = hosts;
		this.#turns = turns;
		this.#clock = clock;
		this.#signal = signal;
		this.#countProxied = countProxied;
		this.#tally = tally;
		this.#log = log;
		if (task.respectRobots === true) {
			const ask = (url: string, request: (mayAsk: MayAsk) => Promise<void>) =>
				inLegs(url, request, (at, leg) => this.#inTurn(at, leg));
			this.#robots = new Robots(task, ask, signal);
		}
	}

	/**
	 * Makes a request for a page, when that may be, and sees to it that it goes to another host when that may be.
	 * `isAddressKnown`: whether `url` is its address; else that of the page that leads to it. Throws what `request`
	 * throws, or a PageError.
	 */
	async ask(
		url: string,
		request: (mayAsk: MayAsk) => Promise<void>,
		{ isAddressKnown = true } = {},
	): Promise<void> {
		const counted = (mayAsk: MayAsk) => this.#counted(request, mayAsk);
		await inLegs(url, counted, async (at, leg) => {
			const rules = await this.#robots?.of(at);
			if (isAddressKnown && at === url) rules?.check(at);
			await this.pause(Math.max(this.#task.delay ?? 0, rules?.delay ?? 0));
			await this.#inTurn(at, leg);
		});
		if (this.#task.proxy !== undefined) await this.#countProxied();
	}

	/** Waits so many milliseconds; throws the reason of the signal when that is aborted before. */
	pause(milliseconds: number): Promise<void> {
		return this.#clock.sleep(milliseconds, this.#signal);
	}

	/** Whether an address belongs to a host that has been waited for in vain. */
	isDown(url: string): boolean {
		return this.#hosts.isDown(url, this.tries);
	}

	/** What a page takes, without what it waits for. */
	async #counted(request: (mayAsk: MayAsk) => Promise<void>, mayAsk: MayAsk): Promise<void> {
		let begin = performance.now();
		let result: 'opened' | 'failed' = 'failed';
		const mayAskLater = async (url: string) => {
			const asked = performance.now();
			await mayAsk(url).finally(() => (begin += performance.now() - asked));
		};
		try {
			await request(mayAskLater);
			result = 'opened';
		} finally {
			const seconds = (performance.now() - begin) / 1000;
			if (!this.#signal.aborted) this.#tally?.page(this.#task.page, result, seconds);
		}
	}

	#inTurn(url: string, request: () => Promise<void>): Promise<void> {
		const { taskID, requestsPerHost: limit = defaultRequests } = this.#task;
		const host = hostOf(url);
		const key = `${identifierKey(taskID)} ${host}`;
		const { tries } = this;
		const signal = this.#signal;
		return this.#turns.take({ key, limit, signal }, async () => {
			const hasFailed = this.#failedAt.has(host);
			const onRest = (reason: string) => this.#log.info({ url, reason }, 'page waits for its site');
			try {
				await this.#hosts.ask(url, request, { tries, signal, hasFailed, onRest });
			} catch (error) {
				if (error instanceof PageError && error.outage) this.#failedAt.add(host);
				throw error;
			}
		});
	}
}
