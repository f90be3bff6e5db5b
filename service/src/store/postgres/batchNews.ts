import { status } from '../batch.ts';
import { numberIn } from '../columns.ts';
import type { StopsElsewhere } from '../machines.ts';
import { schema, type Connections } from './connections.ts';
import type { StandingConnection } from './standingConnection.ts';

/** Where it is told which batch has ended, in the transaction that ends it. */
export const endsChannel = 'cloud_scraping_ends';

/** Where it is told which batch is to be stopped: a database takes that also while it refuses to have tables written. */
const stopsChannel = 'cloud_scraping_stops';

/** Identifiers of batches as they are told. */
const identifier = /^\d{1,19}$/;

type Heard = (batchID: bigint) => void;

/**
 * What the processes tell each other about the ends of batches. Whoever may connect to the database may tell
 * something there: an end counts where the database says the same, a stop where who tells it may also end batches.
 */
export class PostgresBatchNews implements StopsElsewhere {
	readonly #database: Connections;
	readonly #standing: StandingConnection;
	readonly #onEnd: Heard[] = [];

	private constructor(database: Connections, standing: StandingConnection) {
		this.#database = database;
		this.#standing = standing;
	}

	static async open(
		database: Connections,
		standing: StandingConnection,
	): Promise<PostgresBatchNews> {
		const news = new PostgresBatchNews(database, standing);
		// An end that is not understood, the next write of its agents shows.
		await news.#listen(endsChannel, (batchID) => news.#hasEnded(batchID), news.#onEnd);
		return news;
	}

	/** Has `heard` called with each batch that another process, or this one, has ended. */
	onEnd(heard: Heard): void {
		this.#onEnd.push(heard);
	}

	async tell(batchID: bigint): Promise<void> {
		await this.#database.query('SELECT pg_notify($1, $2)', stopsChannel, String(batchID));
	}

	onTold(heard: Heard): void {
		// What is not understood now is told again, and it listens when it is back.
		this.#listen(stopsChannel, (_, from) => this.#mayStop(from), [heard]).catch(() => undefined);
	}

	#listen(
		channel: string,
		counts: (batchID: bigint, from: number) => Promise<boolean>,
		listeners: Heard[],
	): Promise<void> {
		const hear = async (told: string, from: number) => {
			if (!identifier.test(told) || !(await counts(BigInt(told), from))) return;
			for (const heard of listeners) heard(BigInt(told));
		};
		return this.#standing.listen(
			channel,
			(told, from) => void hear(told, from).catch(() => undefined),
		);
	}

	async #hasEnded(batchID: bigint): Promise<boolean> {
		const goesOn = 'SELECT 1 FROM batches WHERE id = $1 AND status IN ($2, $3)';
		const { waiting, running } = status;
		return (await this.#database.query(goesOn, batchID, waiting, running)).length === 0;
	}

	async #mayStop(from: number): Promise<boolean> {
		const [columns] = await this.#database.query(
			`SELECT coalesce(usename = current_user
				OR has_table_privilege(usesysid, to_regclass($1), 'UPDATE'), false)::integer AS may
			FROM pg_stat_activity WHERE pid = $2`,
			`${schema}.batches`,
			from,
		);
		return columns !== undefined && numberIn(columns, 'may') === 1;
	}
}
