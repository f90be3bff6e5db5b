import { scryptSync } from 'node:crypto';
import { once, setMaxListeners } from 'node:events';
import type { Clock } from '../pages/clock.ts';
import { isHere, PageError, type Outage } from '../pages/page.ts';
import { maxRest, type HostNews, type HostsElsewhere } from '../store/machines.ts';
import { hostOf } from '../pages/hostOf.ts';
import type { TurnTaker } from './turns.ts';

/** Milliseconds after the first failure, at most; twice that after each further one. */
const firstPause = 2_500;

/** Milliseconds for which a host that does not even answer is not asked again, once that is certain. */
const silence = 30_000;
/** Addresses that have to fail before the others are not asked for: one page may hang for itself. */
const telling = 3;
/** Milliseconds after which a failure says nothing any more about its host. */
const memory = 60_000;

/** What processes share that ask the same hosts, through the same proxy. */
export interface Elsewhere {
	hosts: HostsElsewhere;
	turns: TurnTaker;
	proxy: string | undefined;
}

/** Is told, for people, why a request waits that has to wait for long. */
type OnRest = (reason: string) => void;

/** Milliseconds of waiting that people wonder about. */
const longRest = 5_000;

interface Trouble {
	/**
	 * In a row, each after the pause that the one before it asked for, and of another address than that one: a page
	 * that fails again and again says no more of its host than once.
	 */
	failures: number;
	/** The address that failed last. */
	last: string | undefined;
	/** Whether to see the last one took as long as a request may take, without any answer. */
	isSilent: boolean;
	/** Addresses that have failed. */
	addresses: Set<string>;
	restsUntil: number;
	/** The one request that is waiting for the pause to end, or under way after it; aborted at its end. */
	probe?: AbortController;
}

/**
 * The hosts that fail now. They are waited for by all agents together: one request at a time goes to
 * such a host, after a pause, until one is answered; then all go on. A host is down that has failed in a row as
 * often as a page is tried, from one address to another: its pages get one request each, or none for a while
 * where each of them would take as long as a request may take. So no page is given up for the sake of one other.
 */
export class Hosts {
	readonly #troubles = new Map<string, Trouble>();
	readonly #clock: Clock;
	readonly #elsewhere: Elsewhere | undefined;
	/** What other processes know the hosts by is this and their name. */
	readonly #prefix: string;
	/** When other processes were asked last about a host, by that clock. */
	readonly #asked = new Map<string, number>();

	/** `elsewhere`: other processes that ask the same hosts. */
	constructor(clock: Clock, elsewhere?: Elsewhere) {
		this.#clock = clock;
		this.#elsewhere = elsewhere;
		this.#prefix = prefixOf(elsewhere?.proxy);
		elsewhere?.hosts.onTold((key, news) => {
			const host = key.slice(this.#prefix.length);
			if (key.startsWith(this.#prefix)) this.#learn(host, news);
		});
	}

	/**
	 * Makes a request once its host may be asked; `tries`: how often its page is tried; `hasFailed`: whether the host has
	 * failed for who asks: what others have met there, who may have sought it out, is no reason to ask for nothing.
	 * Throws what `request` throws, or a PageError.
	 */
	async ask(
		url: string,
		request: () => Promise<void>,
		{
			tries,
			signal,
			hasFailed = true,
			onRest,
		}: { tries: number; signal: AbortSignal; hasFailed?: boolean; onRest?: OnRest },
	): Promise<void> {
		const host = hostOf(url);
		await this.#askElsewhere(host);
		let isTold = false;
		for (let trouble = this.#trouble(host); trouble; trouble = this.#trouble(host)) {
			if (isDown(trouble, tries)) break;
			const rest = trouble.restsUntil - this.#clock.now();
			if (rest > longRest && !isTold) onRest?.(reasonToRest(host, trouble, rest));
			isTold ||= rest > longRest;
			if (trouble.probe) await once(trouble.probe.signal, 'abort', { signal });
			else if (await this.#probe(url, trouble, request, { tries, signal })) return;
		}
		const down = this.#trouble(host);
		const isSilent = down?.isSilent && down.addresses.size >= telling;
		if (hasFailed && isSilent && this.#clock.now() < down.restsUntil) {
			throw new PageError(`${host} is down: ${down.failures} requests had no answer.`, { url });
		}
		await this.#judged(url, request, tries);
	}

	/** Whether an address belongs to a host that has been waited for in vain, so many times. */
	isDown(url: string, tries: number): boolean {
		const trouble = this.#trouble(hostOf(url));
		return trouble !== undefined && isDown(trouble, tries);
	}

	/** False where it was not made: another process has made one, whatever came of it. */
	async #probe(
		url: string,
		trouble: Trouble,
		request: () => Promise<void>,
		{ tries, signal }: { tries: number; signal: AbortSignal },
	): Promise<boolean> {
		const probe = new AbortController();
		// Any number of agents may wait for it.
		setMaxListeners(0, probe.signal);
		trouble.probe = probe;
		const either = AbortSignal.any([signal, probe.signal]);
		try {
			// Another request, made before the trouble, may show earlier that it is over.
			const rest = Math.max(0, trouble.restsUntil - this.#clock.now());
			await this.#clock.sleep(rest, either).catch(() => signal.throwIfAborted());
			if (!this.#elsewhere) {
				await this.#judged(url, request, tries);
				return true;
			}
			const host = hostOf(url);
			const turn = { key: `probe ${this.#keyOf(host)}`, limit: 1, signal: either };
			const made: Promise<void>[] = [];
			const probing = this.#elsewhere.turns.take(turn, async () => {
				// Meanwhile another process may have seen to it.
				const now = this.#clock.now();
				if (this.#troubles.get(host) !== trouble || now < trouble.restsUntil) return;
				made.push(this.#judged(url, request, tries));
				await Promise.all(made);
			});
			// What it finds may end the wait for its turn.
			await probing.catch(() => signal.throwIfAborted());
			await Promise.all(made);
			return made.length > 0;
		} finally {
			trouble.probe = undefined;
			probe.abort();
		}
	}

	/** What comes of a request says how its host is, and how another one is that it was led to. */
	async #judged(url: string, request: () => Promise<void>, tries: number): Promise<void> {
		const host = hostOf(url);
		const begun = this.#clock.now();
		try {
			await request();
			this.#recovered(host);
		} catch (error) {
			if (!(error instanceof PageError) || isHere(error.outage)) throw error;
			const failing = error.url ?? url;
			if (error.outage) this.#failed(failing, error.outage, { begun, tries });
			if (!error.outage || hostOf(failing) !== host) this.#recovered(host);
			throw error;
		}
	}

	#recovered(host: string): void {
		if (this.#forget(host)) this.#tell(host, undefined);
	}

	#forget(host: string): boolean {
		const trouble = this.#troubles.get(host);
		this.#troubles.delete(host);
		trouble?.probe?.abort();
		return trouble !== undefined;
	}

	/** Asks what other processes have learnt of a host, before it is asked for the first time in a while. */
	async #askElsewhere(host: string): Promise<void> {
		const now = this.#clock.now();
		if (!this.#elsewhere || now < (this.#asked.get(host) ?? -Infinity) + memory) return;
		this.#asked.set(host, now);
		const news = await this.#elsewhere.hosts.known(this.#keyOf(host)).catch(() => undefined);
		if (news) this.#learn(host, news);
	}

	/** What another process tells: it goes before what is known here. */
	#learn(host: string, news: HostNews | undefined): void {
		if (!news) return void this.#forget(host);
		const trouble = this.#trouble(host) ?? newTrouble();
		const { failures, isSilent, addresses, rest } = news;
		const restsUntil = this.#clock.now() + Math.min(rest, maxRest);
		Object.assign(trouble, { failures, isSilent, restsUntil });
		for (const address of addresses) trouble.addresses.add(address);
		this.#troubles.set(host, trouble);
	}

	#tell(host: string, trouble: Trouble | undefined): void {
		const news = trouble && {
			failures: trouble.failures,
			isSilent: trouble.isSilent,
			addresses: [...trouble.addresses],
			rest: Math.max(0, trouble.restsUntil - this.#clock.now()),
		};
		// Where that cannot be told, each process finds out for itself.
		this.#elsewhere?.hosts.tell(this.#keyOf(host), news).catch(() => undefined);
	}

	#keyOf(host: string): string {
		return `${this.#prefix}${host}`;
	}

	#failed(
		url: string,
		{ of, isSlow = false, retryAfter = 0 }: Outage,
		{ begun, tries }: { begun: number; tries: number },
	): void {
		const now = this.#clock.now();
		const host = hostOf(url);
		const trouble = this.#trouble(host) ?? newTrouble();
		// Requests that were under way when the trouble began are part of its beginning.
		if (begun >= trouble.restsUntil || isDown(trouble, tries)) {
			if (url !== trouble.last) trouble.failures += 1;
			trouble.last = url;
			trouble.restsUntil = now + (isDown(trouble, tries) ? silence : pauseAfter(trouble.failures));
		}
		trouble.isSilent = of === 'network' && isSlow;
		if (trouble.addresses.size < telling) trouble.addresses.add(url);
		trouble.restsUntil = Math.max(trouble.restsUntil, now + Math.min(retryAfter, maxRest));
		this.#troubles.set(host, trouble);
		this.#tell(host, trouble);
	}

	#trouble(host: string): Trouble | undefined {
		const trouble = this.#troubles.get(host);
		if (!trouble || trouble.probe || this.#clock.now() < trouble.restsUntil + memory) {
			return trouble;
		}
		this.#troubles.delete(host);
		return undefined;
	}
}

/**
 * What is down behind one proxy may be there behind another. Whoever may connect to the database hears these, so they
 * are slow to make: a password that is easy to guess cannot be tried out on them by the million.
 */
function prefixOf(proxy: string | undefined): string {
	return proxy === undefined ? ' ' : `${scryptSync(proxy, 'cloud-scraping', 8).toString('hex')} `;
}

function reasonToRest(host: string, { failures, last }: Trouble, rest: number): string {
	const what = last === undefined ? '' : `, the last time with ${last}`;
	const times = failures === 1 ? 'once' : `${failures} times in a row`;
	return `${host} has failed ${times}${what}: it is asked again in ${Math.ceil(rest / 1000)} seconds`;
}

function newTrouble(): Trouble {
	return { failures: 0, last: undefined, isSilent: false, addresses: new Set(), restsUntil: 0 };
}

function isDown({ failures }: Trouble, tries: number): boolean {
	return failures >= tries;
}

/**
 * Milliseconds to wait after so many failures: 28 seconds over five tries on average, and no less than
 * 18, so that an outage of some seconds costs no page. The other half is left to chance.
 */
export function pauseAfter(failures: number): number {
	const pause = Math.min(firstPause * 2 ** (failures - 1), maxRest);
	return pause * (0.5 + Math.random() / 2);
}
