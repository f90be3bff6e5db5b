import { hostname } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import { v4 as newUuid } from 'uuid';
import { reasonOf } from '../errors/thrown.ts';
import { version } from '../settings/version.ts';
import { unevenProxies, unevenProxy } from './unevenProxies.ts';
import { reportInterval } from '../store/processStore.ts';
import type {
	KnownProcess,
	ProcessKind,
	ProcessReport,
	ProcessStore,
} from '../store/processStore.ts';

/** What a process is, as it stays. */
interface About {
	kind: ProcessKind;
	/** Whose batches its agents work on. */
	regions: readonly string[];
	proxied: readonly string[];
	agents: number;
}

/** This process among those that work with its database: it reports itself to the others, and knows who is there. */
export class Presence {
	readonly #store: ProcessStore;
	readonly #about: About;
	readonly #busyAgents: () => number;
	readonly #log: FastifyBaseLogger;
	readonly #id = newUuid();
	readonly #start = performance.now();
	#pulse: NodeJS.Timeout | undefined;
	#reporting: Promise<void> | undefined;

	constructor(
		store: ProcessStore,
		about: About,
		{ busyAgents, log }: { busyAgents: () => number; log: FastifyBaseLogger },
	) {
		this.#store = store;
		this.#about = about;
		this.#busyAgents = busyAgents;
		this.#log = log;
	}

	/** Reports this process, now and from now on. */
	async begin(): Promise<void> {
		this.#pulse = setInterval(() => void this.#report(), reportInterval).unref();
		await this.#report();
		const known = await this.list().catch(() => []);
		for (const { region, others } of unevenProxies(known)) {
			this.#log.warn({ region, others }, unevenProxy);
		}
	}

	/** It ends, and the others know. */
	async close(): Promise<void> {
		clearInterval(this.#pulse);
		await this.#reporting;
		// Where that cannot be written, it is silent soon, and forgotten.
		await this.#store.leave(this.#id).catch(() => undefined);
	}

	/** Who is there; of this process, how many agents are busy at this moment. */
	async list(): Promise<KnownProcess[]> {
		const known = await this.#store.list();
		return known.map((each) =>
			each.id === this.#id ? { ...each, busyAgents: this.#busyAgents() } : each,
		);
	}

	/** The next one is as good: the log says already that the database is away, or files are short. */
	#report(): Promise<void> {
		const report = async () => this.#store.report(this.#now());
		this.#reporting ??= report()
			.catch((error: unknown) =>
				this.#log.debug({ reason: reasonOf(error) }, 'process cannot be reported'),
			)
			.finally(() => (this.#reporting = undefined));
		return this.#reporting;
	}

	#now(): ProcessReport {
		return {
			...this.#about,
			id: this.#id,
			name: `${hostname()} (${process.pid})`,
			version,
			busyAgents: this.#busyAgents(),
			memory: process.memoryUsage.rss(),
			upTime: Math.round(performance.now() - this.#start),
		};
	}
}
