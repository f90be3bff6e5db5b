import type { FastifyBaseLogger } from 'fastify';
import { reasonOf } from '../../errors/thrown.ts';
import { numberIn } from '../columns.ts';
import { slotTime, type SlotNews, type Slots } from '../machines.ts';
import type { Connections } from './connections.ts';
import { late } from './leaseSlots.ts';
import { DatabaseAway } from './outage.ts';
import type { StandingConnection } from './standingConnection.ts';

const channel = 'cloud_scraping_slots';

/** What is told: the news, the process that tells it, and the key. */
const told = /^(wanted|given) (\S+) (.+)$/s;

/** Milliseconds between two looks for holders that have not leased anew. */
const interval = 2_500;

export class PostgresSlots implements Slots {
	readonly #database: Connections;
	readonly #standing: StandingConnection;
	readonly #process: string;
	readonly #log: FastifyBaseLogger;
	readonly #watching: NodeJS.Timeout;

	/** `process`: a name that no other process has. */
	constructor(
		database: Connections,
		standing: StandingConnection,
		process: string,
		log: FastifyBaseLogger,
	) {
		this.#database = database;
		this.#standing = standing;
		this.#process = process;
		this.#log = log;
		const look = () =>
			this.#markLate().catch((error: unknown) =>
				log.debug({ reason: reasonOf(error) }, 'no look for late slots'),
			);
		this.#watching = setInterval(() => void look(), interval).unref();
	}

	async lease(
		key: string,
		{ limit, wanted, using }: { limit: number; wanted: number; using: number },
	): Promise<number | undefined> {
		try {
			const [columns] = await this.#database.query(
				'SELECT lease_slots($1, $2, $3, $4, $5, $6) AS slots',
				key,
				this.#process,
				limit,
				wanted,
				using,
				slotTime,
			);
			return numberIn(columns, 'slots');
		} catch (error) {
			if (!(error instanceof DatabaseAway)) throw error;
			this.#log.debug({ key, reason: reasonOf(error) }, 'no slots can be leased');
			return undefined;
		}
	}

	tell(key: string, news: SlotNews): void {
		const text = `${news} ${this.#process} ${key}`;
		this.#database.query('SELECT pg_notify($1, $2)', channel, text).catch((error: unknown) => {
			this.#log.debug({ key, reason: reasonOf(error) }, 'others are not told of slots');
		});
	}

	onTold(heard: (key: string, news: SlotNews) => void): void {
		this.#standing
			.listen(channel, (payload) => {
				const [, news, process, key = ''] = told.exec(payload) ?? [];
				if (process === this.#process) return;
				if (news === 'wanted' || news === 'given') heard(key, news);
			})
			// It listens when it is back.
			.catch(() => undefined);
	}

	/** Sees who is late before somebody has to wait for it. */
	async #markLate(): Promise<void> {
		await this.#database.query(
			`UPDATE slots SET ${late} FROM (
				SELECT key, holder FROM slots
				WHERE until < clock_timestamp() AND NOT is_late AND held > 0 FOR UPDATE SKIP LOCKED
			) AS found WHERE slots.key = found.key AND slots.holder = found.holder`,
		);
	}

	/** Gives back all: nothing is under way any more. */
	async close(): Promise<void> {
		clearInterval(this.#watching);
		await this.#database.query('DELETE FROM slots WHERE holder = $1', this.#process);
	}
}
