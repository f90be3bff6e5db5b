import { numberIn } from '../columns.ts';
import type { StopsElsewhere } from '../machines.ts';
import { schema, type Connections } from './connections.ts';
import { identifier, type StandingConnection } from './standingConnection.ts';

const channel = 'cloud_scraping_stops';

/** Tells of stops by a message, which a database takes that refuses to have tables written. */
export class PostgresStopNews implements StopsElsewhere {
	readonly #database: Connections;
	readonly #standing: StandingConnection;

	constructor(database: Connections, standing: StandingConnection) {
		this.#database = database;
		this.#standing = standing;
	}

	async tell(batchID: bigint): Promise<void> {
		await this.#database.query('SELECT pg_notify($1, $2)', channel, String(batchID));
	}

	onTold(heard: (batchID: bigint) => void): void {
		const told = async (payload: string, from: number) => {
			if (identifier.test(payload) && (await this.#mayStop(from))) heard(BigInt(payload));
		};
		// What is not understood now is told again, and it listens when it is back.
		void this.#standing
			.listen(channel, (payload, from) => void told(payload, from).catch(() => undefined))
			.catch(() => undefined);
	}

	/** Whoever may connect to the database may tell: what counts is told by whoever may also end batches. */
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
