import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { reasonOf } from '../../errors/thrown.ts';
import { queryOf, settingsFor } from './connections.ts';
import { DatabaseInUse } from './unusable.ts';

/** The advisory lock of the one service that works on the batches of a database. */
const serviceLock = 4_283_160_542;

/** Where it is told which batch has ended, by its identifier. */
export const endsChannel = 'cloud_scraping_ends';

/** Where it is told that tasks have changed: by a trigger of their table. */
const tasksChannel = 'cloud_scraping_tasks';

/** Milliseconds after which a lost connection is made again. */
const pause = 1_000;

/**
 * A connection that is there for as long as a database is open, and is made again where it is lost, which the log
 * says. It hears which batches have ended, and that tasks have changed; what happens while it is lost, it does not.
 */
export class StandingConnection {
	readonly #address: string;
	readonly #isShared: boolean;
	readonly #log: FastifyBaseLogger;
	readonly #end = new AbortController();
	readonly #listeners: ((batchID: bigint) => void)[] = [];
	readonly #taskListeners: (() => void)[] = [];
	#client: pg.Client | undefined;

	private constructor(address: string, isShared: boolean, log: FastifyBaseLogger) {
		this.#address = address;
		this.#isShared = isShared;
		this.#log = log;
	}

	/**
	 * Unless the database is shared, it is held for this service alone, since two would run the same batches: throws
	 * where another one holds it.
	 */
	static async open(
		address: string,
		{ isShared, log }: { isShared: boolean; log: FastifyBaseLogger },
	): Promise<StandingConnection> {
		const connection = new StandingConnection(address, isShared, log);
		await connection.#connect();
		return connection;
	}

	/** Has `heard` called with each batch that ends, whoever ends it. */
	onEnd(heard: (batchID: bigint) => void): void {
		this.#listeners.push(heard);
	}

	/** Has `heard` called when tasks have changed, whoever has changed them, or may have while it was lost. */
	onTasks(heard: () => void): void {
		this.#taskListeners.push(heard);
	}

	async close(): Promise<void> {
		this.#end.abort();
		await this.#client?.end();
	}

	async #connect(): Promise<void> {
		const client = new pg.Client(settingsFor(this.#address));
		client.on('error', () => undefined);
		client.on('notification', ({ channel, payload = '' }) => {
			if (channel === tasksChannel) this.#tellOfTasks();
			else for (const heard of this.#listeners) heard(BigInt(payload));
		});
		await client.connect();
		const query = queryOf(client);
		try {
			if (!this.#isShared) {
				const [lock] = await query('SELECT pg_try_advisory_lock($1) AS is_mine', serviceLock);
				if (lock?.is_mine !== true) throw new DatabaseInUse();
			}
			for (const channel of [endsChannel, tasksChannel]) await query(`LISTEN ${channel}`);
		} catch (error) {
			await client.end();
			throw error;
		}
		this.#client = client;
		client.once('end', () => void this.#connectAgain());
	}

	async #connectAgain(): Promise<void> {
		const { signal } = this.#end;
		let said: string | undefined;
		if (!signal.aborted) this.#log.error('database lost, no task starts');
		while (!signal.aborted) {
			try {
				await this.#connect();
				this.#log.info('database is back');
				this.#tellOfTasks();
				return;
			} catch (error) {
				const reason = reasonOf(error);
				if (reason !== said) this.#log.error({ reason }, 'database lost, trying again');
				said = reason;
			}
			await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
		}
	}

	#tellOfTasks(): void {
		for (const heard of this.#taskListeners) heard();
	}
}
