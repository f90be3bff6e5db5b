import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { reasonOf } from '../../errors/thrown.ts';
import { queryOf, settingsFor } from './connections.ts';
import { DatabaseInUse } from './unusable.ts';

/** The advisory lock of the one service that works on the batches of a database. */
const serviceLock = 4_283_160_542;

/** Milliseconds after which a lost connection is made again. */
const pause = 1_000;

/**
 * Holds a database for this service alone, as long as it is not closed: two would run the same batches. The
 * lock is that of a connection; where that is lost, another one is made. Throws where another service has it.
 */
export class Alone {
	readonly #address: string;
	readonly #log: FastifyBaseLogger;
	readonly #end = new AbortController();
	#client: pg.Client | undefined;

	private constructor(address: string, log: FastifyBaseLogger) {
		this.#address = address;
		this.#log = log;
	}

	static async hold(address: string, log: FastifyBaseLogger): Promise<Alone> {
		const alone = new Alone(address, log);
		await alone.#connect();
		return alone;
	}

	async close(): Promise<void> {
		this.#end.abort();
		await this.#client?.end();
	}

	async #connect(): Promise<void> {
		const client = new pg.Client(settingsFor(this.#address));
		client.on('error', () => undefined);
		await client.connect();
		const [lock] = await queryOf(client)('SELECT pg_try_advisory_lock($1) AS is_mine', serviceLock);
		if (lock?.is_mine !== true) {
			await client.end();
			throw new DatabaseInUse();
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
				return;
			} catch (error) {
				const reason = reasonOf(error);
				if (reason !== said) this.#log.error({ reason }, 'database lost, trying again');
				said = reason;
			}
			await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
		}
	}
}
