import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { PgBoss, type JobAttempt } from 'pg-boss';
import { v4 as newUuid } from 'uuid';
import { z } from 'zod';
import { reasonOf } from '../../errors/thrown.ts';
import { regions } from '../batch.ts';
import { PassedOn } from '../claim.ts';
import { bigintIn, numberIn, textIn, textsIn, type Columns } from '../columns.ts';
import { jobFrom, type ClaimedJob } from '../jobStore.ts';
import type { Ticket, Tickets } from '../machines.ts';
import { bossDatabase, queueSchema, type Connections, type Query } from './connections.ts';
import type { StandingConnection } from './standingConnection.ts';
import { watchedBy, watchTickets } from './lostTickets.ts';

/** Seconds after which a ticket of which nothing is heard goes to another process. The least that pg-boss knows. */
const lease = 10;

/** Milliseconds between two signs of life, and after how many without an answer a ticket counts as lost. */
const pulse = 2_500;
const patience = 8_000;

/** Milliseconds between two looks for batches that have no tickets. */
const repairTime = 15_000;

/** What pg-boss takes for "for ever": seconds, and tries. */
const ever = 2_000_000_000;

/** Tickets of one batch at most: more agents than that work on none. */
const maxTickets = 10_000;

/** Kinds of pages, each with queues of its own: not every process has a browser. */
const pages = ['http', 'browser'];

/** What stands for no region in the names of queues. */
const anywhere = 'anywhere';

/** What the ticket of a batch is made of. */
interface TicketData {
	batchID: string;
	site?: string;
}

/** What pg-boss answers to a sign of life: the tickets that are alive. */
const touched = z.object({ settled: z.array(z.string()) });

/** What batches are given tickets for. */
export interface Ticketed {
	id: bigint;
	region: string;
	nodeCount: number;
	jobs: number;
	/** The task as it is started, as JSON. */
	task: string;
}

export class PostgresTickets implements Tickets {
	readonly #database: Connections;
	readonly #log: FastifyBaseLogger;
	readonly #boss: PgBoss;
	readonly #held = new Set<HeldTicket>();
	readonly #listeners: (() => void)[] = [];
	#pulse: NodeJS.Timeout | undefined;
	#watching: NodeJS.Timeout | undefined;
	#repairing: NodeJS.Timeout | undefined;
	#site: string | undefined;
	/** The queue that is looked into first: each has its turn. */
	#first = 0;

	private constructor(
		database: Connections,
		{ log, createSchema }: { log: FastifyBaseLogger; createSchema: boolean },
	) {
		this.#database = database;
		this.#log = log;
		this.#boss = new PgBoss({
			db: bossDatabase(database.plain),
			schema: queueSchema,
			createSchema,
			schedule: false,
			registerInstance: false,
			openTelemetry: { enabled: false },
			...watchedBy,
		});
		this.#boss.on('error', (error) => log.debug({ reason: reasonOf(error) }, 'queue failed'));
		this.#boss.on('warning', ({ message }) => log.debug({ reason: message }, 'queue warns'));
	}

	/** Makes the queues where they are not there. */
	static async open(
		database: Connections,
		standing: StandingConnection,
		log: FastifyBaseLogger,
	): Promise<PostgresTickets> {
		// Where it is there, nobody needs the right to make one.
		const [found] = await database.query(
			'SELECT to_regnamespace($1) IS NULL AS is_missing',
			queueSchema,
		);
		const createSchema = found?.is_missing === true;
		const tickets = new PostgresTickets(database, { log, createSchema });
		await tickets.#boss.start();
		for (const name of queuesOf(regions, pages)) {
			await tickets.#boss.createQueue(name, { heartbeatSeconds: lease, notify: true });
		}
		const told = () => {
			for (const heard of tickets.#listeners) heard();
		};
		await standing.listen(channel, told);
		tickets.#pulse = setInterval(() => void tickets.#live(), pulse).unref();
		tickets.#watching = watchTickets(tickets.#boss, database, log);
		return tickets;
	}

	async close(): Promise<void> {
		clearInterval(this.#pulse);
		clearInterval(this.#watching);
		clearInterval(this.#repairing);
		await this.#boss.stop({ graceful: false });
	}

	onNew(heard: () => void): void {
		this.#listeners.push(heard);
	}

	async begin(site: string | undefined): Promise<void> {
		this.#site = site === '' ? undefined : site;
		await this.#repair();
		const repair = () => void this.#repair().catch(() => undefined);
		this.#repairing ??= setInterval(repair, repairTime).unref();
	}

	/** Gives tickets to each unfinished batch that has none, as where another program has taken them away. */
	async #repair(): Promise<void> {
		await this.#database.transaction(async (query) => {
			await query('SELECT pg_advisory_xact_lock($1)', repairLock);
			const found = await query(
				`SELECT id, region, node_count, task, (SELECT count(*) FROM jobs WHERE batch_id = id) AS jobs
				FROM batches JOIN started_tasks ON batch_id = id WHERE status IN (1, 2)
				AND NOT EXISTS (SELECT FROM ${queueSchema}.job WHERE singleton_key = batches.id::text)`,
			);
			for (const columns of found) {
				const batch = ticketedFrom(columns);
				await query('UPDATE jobs SET ticket = NULL WHERE batch_id = $1', batch.id);
				await this.put(query, batch);
			}
		});
	}

	/** Puts those of a batch into its queue, in the transaction that makes the batch. */
	async put(query: Query, { id, region, nodeCount, jobs, task }: Ticketed): Promise<void> {
		const data: TicketData = { batchID: String(id), site: this.#site };
		const count = Math.max(1, Math.min(nodeCount, jobs, maxTickets));
		const tickets = Array.from({ length: count }, (_, number) => ({
			id: newUuid(),
			data,
			singletonKey: data.batchID,
			// A free agent goes to the batch that has the fewest, the oldest of those.
			priority: -number,
			retryLimit: ever,
			retentionSeconds: ever,
			expireInSeconds: ever,
		}));
		await this.#boss.insert(queueOf(region, pageOf(task)), tickets, { db: bossDatabase(query) });
		await query(
			'UPDATE started_tasks SET tickets = $2 WHERE batch_id = $1',
			id,
			tickets.map((ticket) => ticket.id),
		);
	}

	/**
	 * Takes those of a batch from all who have some, in the transaction that ends the batch. They are known by their
	 * ids: to look for them costs the more, the more tickets of others there are.
	 */
	async remove(query: Query, region: string, started: Columns): Promise<void> {
		const tickets = textsIn(started, 'tickets');
		if (tickets.length === 0) return;
		const name = queueOf(region, pageOf(textIn(started, 'task')));
		await this.#boss.deleteJob(name, tickets, { db: bossDatabase(query) });
	}

	async take(kinds: { regions: readonly string[]; pages: readonly string[] }) {
		const names = queuesOf(kinds.regions, kinds.pages);
		this.#first += 1;
		for (const index of names.keys()) {
			const name = names[(index + this.#first) % names.length] ?? '';
			const asked = performance.now();
			const [ticket] = await this.#boss.fetch<TicketData>(name);
			if (!ticket) continue;
			const { data, retryCount, id } = ticket;
			const held = new HeldTicket(this.#database, this.#boss, {
				name,
				data,
				id,
				retryCount,
				asked,
			});
			this.#held.add(held);
			held.left.addEventListener('abort', () => this.#held.delete(held), { once: true });
			return held;
		}
		return undefined;
	}

	/** Gives a sign of life for all tickets, and leaves those that were lost. */
	async #live(): Promise<void> {
		const now = performance.now();
		for (const ticket of this.#held) if (now > ticket.alive + patience) ticket.lose();
		for (const [name, tickets] of Map.groupBy(this.#held, ({ queue }) => queue)) {
			const attempts = tickets.map(({ attempt }) => attempt);
			try {
				// What a ticket is, others may have changed while this was asked.
				const { settled } = touched.parse(await this.#boss.touch(name, attempts));
				const alive = new Set(settled);
				for (const ticket of tickets) {
					if (alive.has(ticket.attempt.id)) ticket.alive = now;
					else ticket.lose();
				}
			} catch (error) {
				this.#log.debug({ reason: reasonOf(error) }, 'no sign of life was given');
			}
		}
	}
}

/** The advisory lock of who looks for batches without tickets. */
const repairLock = -2;

function ticketedFrom(columns: Columns): Ticketed {
	return {
		id: bigintIn(columns, 'id'),
		region: textIn(columns, 'region'),
		nodeCount: numberIn(columns, 'node_count'),
		jobs: numberIn(columns, 'jobs'),
		task: textIn(columns, 'task'),
	};
}

class HeldTicket implements Ticket {
	readonly batchID: bigint;
	readonly site: string | undefined;
	readonly queue: string;
	readonly attempt: JobAttempt;
	/** When it was known last that it was not lost. */
	alive: number;
	readonly #database: Connections;
	readonly #boss: PgBoss;
	readonly #lost = new AbortController();
	readonly #left = new AbortController();
	/** Whether a job may have been left with it. */
	#hasJob: boolean;

	constructor(
		database: Connections,
		boss: PgBoss,
		of: { name: string; data: TicketData; id: string; retryCount: number; asked: number },
	) {
		this.#database = database;
		this.#boss = boss;
		this.batchID = BigInt(of.data.batchID);
		this.site = of.data.site;
		this.queue = of.name;
		this.attempt = { id: of.id, retryCount: of.retryCount };
		this.alive = of.asked;
		this.#hasJob = of.retryCount > 0;
	}

	get lost(): AbortSignal {
		return this.#lost.signal;
	}

	/** Aborted when it is held no more. */
	get left(): AbortSignal {
		return this.#left.signal;
	}

	lose(): void {
		this.#left.abort();
		this.#lost.abort();
	}

	async claim(): Promise<ClaimedJob | undefined> {
		const mayHaveOne = this.#hasJob;
		// Where the answer is lost, it is not known.
		this.#hasJob = true;
		const job = await this.#database.transaction(async (query) => {
			const options = { db: bossDatabase(query) };
			const { settled } = touched.parse(await this.#boss.touch(this.queue, this.attempt, options));
			if (settled.length === 0) return 'lost';
			return (mayHaveOne && (await this.#claim(query, true))) || this.#claim(query, false);
		});
		this.#hasJob = false;
		if (job !== 'lost') return job;
		this.lose();
		throw new PassedOn({ batchID: this.batchID, job: -1 });
	}

	async #claim(query: Query, isLeft: boolean): Promise<ClaimedJob | undefined> {
		const { batchID } = this;
		const [columns] = await query(
			`UPDATE jobs SET claim = claim + 1, ticket = $2 WHERE batch_id = $1 AND number = (
				SELECT number FROM jobs WHERE batch_id = $1 AND done = 0 AND ${isLeft ? 'ticket = $2' : 'ticket IS NULL'}
				ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED
			) AND EXISTS (SELECT FROM batches WHERE id = $1 AND status IN (1, 2))
			RETURNING number, first_item, end_item, sent, claim`,
			batchID,
			this.attempt.id,
		);
		if (!columns) return undefined;
		const job = jobFrom(columns);
		const claim = { batchID, job: job.number, number: numberIn(columns, 'claim') };
		return { ...job, claim };
	}

	async end(): Promise<void> {
		this.#left.abort();
		await this.#boss.deleteJob(this.queue, this.attempt);
	}

	async putBack(): Promise<void> {
		this.#left.abort();
		await this.#boss.fail(this.queue, this.attempt);
	}
}

/** Where pg-boss tells of new tickets. */
const channel = `pgboss_${createHash('sha224').update(queueSchema).digest('hex').slice(0, 24)}`;

function queuesOf(some: readonly string[], kinds: readonly string[]): string[] {
	return [...some, ''].flatMap((region) => kinds.map((page) => queueOf(region, page)));
}

function queueOf(region: string, page: string): string {
	return `${region || anywhere}.${page}`;
}

function pageOf(task: string): string {
	const started: unknown = JSON.parse(task);
	const isObject = typeof started === 'object' && started !== null;
	return isObject && 'page' in started && started.page === 'browser' ? 'browser' : 'http';
}
