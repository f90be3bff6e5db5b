import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { reasonOf } from '../../errors/thrown.ts';
import { queryOf, settingsFor, stayOpen, type Query } from './connections.ts';

/** Milliseconds after which a lost connection is made again. */
const pause = 1_000;

/** Milliseconds between two looks whether it is still there, and for the answer: a network says nothing of its end. */
const pulse = 5_000;

/** `from`: the process of PostgreSQL whose client has told it. */
type Heard = (payload: string, from: number) => void;

/**
 * A connection that is there for as long as a database is open, and is made again where it is lost, which the log
 * says. It hears what other processes tell; what they tell while it is lost, it does not.
 */
export class StandingConnection {
	readonly #address: string;
	readonly #check: (query: Query) => Promise<void>;
	readonly #log: FastifyBaseLogger;
	readonly #end = new AbortController();
	readonly #listeners = new Map<string, Heard[]>();
	readonly #onBack: (() => void)[] = [];
	#client: pg.Client | undefined;

	private constructor(
		address: string,
		check: (query: Query) => Promise<void>,
		log: FastifyBaseLogger,
	) {
		this.#address = address;
		this.#check = check;
		this.#log = log;
	}

	/** `check` looks at each new connection before it is used. */
	static async open(
		address: string,
		check: (query: Query) => Promise<void>,
		log: FastifyBaseLogger,
	): Promise<StandingConnection> {
		const connection = new StandingConnection(address, check, log);
		await connection.#connect();
		return connection;
	}

	/** Has `heard` called with what is told in a channel. */
	async listen(channel: string, heard: Heard): Promise<void> {
		const known = this.#listeners.get(channel) ?? [];
		this.#listeners.set(channel, [...known, heard]);
		if (known.length === 0 && this.#client) await queryOf(this.#client)(`LISTEN ${channel}`);
	}

	/** Has `heard` called when it is there again after it was lost. */
	onBack(heard: () => void): void {
		this.#onBack.push(heard);
	}

	async close(): Promise<void> {
		this.#end.abort();
		await this.#client?.end();
	}

	async #connect(): Promise<void> {
		const client = new pg.Client({ ...settingsFor(this.#address), query_timeout: pulse });
		client.on('error', () => undefined);
		client.on('notification', ({ channel, payload = '', processId }) => {
			for (const heard of this.#listeners.get(channel) ?? []) this.#hear(heard, payload, processId);
		});
		await client.connect();
		try {
			await stayOpen(queryOf(client));
			await this.#check(queryOf(client));
			for (const channel of this.#listeners.keys()) await queryOf(client)(`LISTEN ${channel}`);
		} catch (error) {
			await client.end();
			throw error;
		}
		this.#client = client;
		const isThere = setInterval(() => {
			// An end that is not waited for: the other side may not hear of it.
			queryOf(client)('SELECT 1').catch(() => client.connection.stream.destroy());
		}, pulse).unref();
		client.once('end', () => {
			clearInterval(isThere);
			void this.#connectAgain();
		});
	}

	/** Whoever may connect to the database may tell anything: that must not end who hears it. */
	#hear(heard: Heard, payload: string, from: number): void {
		try {
			heard(payload, from);
		} catch (error) {
			this.#log.debug({ reason: reasonOf(error) }, 'what was told was not understood');
		}
	}

	async #connectAgain(): Promise<void> {
		const { signal } = this.#end;
		let said: string | undefined;
		if (!signal.aborted) this.#log.error('database lost, no task starts');
		while (!signal.aborted) {
			try {
				await this.#connect();
				this.#log.info('database is back');
				for (const heard of this.#onBack) heard();
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
